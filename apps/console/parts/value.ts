// Values of the API as one line of text for people: objects by their fields, lists by commas.

export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(textOf).join(', ');
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(([key, one]) => `${key}: ${textOf(one)}`);
    return parts.length === 0 ? '–' : parts.join(' · ');
  }
  return String(value);
}

export interface ChangeRow {
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly isChanged: boolean;
}

/** The fields of two states side by side, changed ones first. */
export function changesOf(before: unknown, after: unknown): ChangeRow[] {
  const [one, other] = [fieldsOf(before), fieldsOf(after)];
  const rows = [...new Set([...one.keys(), ...other.keys()])].map((field) => {
    const [was, is] = [textOf(one.get(field)), textOf(other.get(field))];
    return { field, before: was, after: is, isChanged: was !== is };
  });
  return rows.toSorted((a, b) => Number(b.isChanged) - Number(a.isChanged));
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([['value', value]]);
  return new Map(Object.entries(value));
}
