// Values of the API as one line of text for people: objects by their fields that have a value,
// lists by commas.

const NOTHING = '–';

export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (Array.isArray(value)) return value.length === 0 ? NOTHING : value.map(textOf).join(', ');
  if (typeof value === 'object') {
    const parts = Object.entries(value)
      .map(([key, one]) => [key, textOf(one)])
      .filter(([, text]) => text !== NOTHING);
    return parts.length === 0 ? NOTHING : parts.map((part) => part.join(': ')).join(' · ');
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
