// Writes API values as one line of text: objects as fields that have a value, lists with commas.
// Names from the wire become labels.

import { isName, type NameOf, plainName } from './plain-name.ts';

const NOTHING = '–';

/** Fields whose values are names. Other values are unchanged, except `password_changed`. */
const NAMED_FIELDS = ['kind', 'type', 'state', 'status', 'reason', 'fields', 'proof', 'screening'];
const SYMBOL_FIELDS = ['coin', 'currency', 'market', 'pair', 'symbol', 'base', 'quote'];

export interface ValueNames {
  readonly nameOf: NameOf;
  /** Label area for fields; `field` by default. */
  readonly fields?: string;
}

const PLAIN: ValueNames = { nameOf: (_area, name) => plainName(name) };

export function textOf(value: unknown, names: ValueNames = PLAIN, field = ''): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (Array.isArray(value)) {
    return value.length === 0 ? NOTHING : value.map((one) => textOf(one, names, field)).join(', ');
  }
  if (typeof value === 'object') {
    const parts = Object.entries(value)
      .map(([key, one]) => [fieldName(key, names), textOf(one, names, key)])
      .filter(([, text]) => text !== NOTHING);
    return parts.length === 0 ? NOTHING : parts.map((part) => part.join(' ')).join(' · ');
  }
  if (typeof value === 'boolean') return names.nameOf('yesNo', String(value));
  const text = String(value);
  if (SYMBOL_FIELDS.includes(field)) return text.toUpperCase().replace('-', '/');
  const isLabel = isName(text) || (NAMED_FIELDS.includes(field) && /^[a-z][a-z -]*$/.test(text));
  return isLabel ? names.nameOf('value', text) : text;
}

function fieldName(field: string, { fields = 'field', nameOf }: ValueNames): string {
  return nameOf(fields, field);
}

export interface ChangeRow {
  /** Wire name. */
  readonly field: string;
  readonly label: string;
  readonly before: string;
  readonly after: string;
  readonly isChanged: boolean;
}

/** Returns the fields of two states side by side, changed ones first. */
export function changesOf(before: unknown, after: unknown, names: ValueNames = PLAIN): ChangeRow[] {
  const [one, other] = [fieldsOf(before), fieldsOf(after)];
  const rows = [...new Set([...one.keys(), ...other.keys()])].map((field) => {
    const [was, is] = [
      textOf(one.get(field), names, field),
      textOf(other.get(field), names, field),
    ];
    return { field, label: fieldName(field, names), before: was, after: is, isChanged: was !== is };
  });
  return rows.toSorted((a, b) => Number(b.isChanged) - Number(a.isChanged));
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([['value', value]]);
  return new Map(Object.entries(value));
}
