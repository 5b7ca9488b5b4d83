// A user's meta: values under keys that the operator defined in the kit, each with a type.

import { Refused } from '../../../protocol/wire/index.ts';

export type MetaType = 'string' | 'number' | 'boolean' | 'date-time';

/** A key of `user_meta` in the kit. */
export interface MetaKey {
  readonly type: string;
  readonly required?: boolean;
}

export type Meta = Readonly<Record<string, unknown>>;

export interface MetaChange {
  /** A value of null deletes its key. */
  readonly given: Meta;
  /** True if the given values replace all; otherwise the others stay. */
  readonly overwrite: boolean;
}

const VALUE_CHARACTERS_MAX = 1_000;
const DATE = /^\d{4}-\d{2}-\d{2}(?:T.*)?$/;

const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && isStorable(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  'date-time': (value) =>
    typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value)),
} satisfies Record<MetaType, (value: unknown) => boolean>;

export function changeMeta(
  keys: Readonly<Record<string, MetaKey>>,
  present: Meta,
  { given, overwrite }: MetaChange,
): Meta | Refused<'meta_key_unknown' | 'meta_key_required' | 'meta_value_invalid'> {
  for (const [name, value] of Object.entries(given)) {
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
    const type = key?.type ?? '';
    if (key === undefined) return new Refused('meta_key_unknown', { name, type });
    if (value === null) continue;
    if (CHECKS[type]?.(value) !== true) return new Refused('meta_value_invalid', { name, type });
  }
  const merged = overwrite ? given : { ...present, ...given };
  const after = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  // A key that became required later can be missing until it is written.
  const asked = overwrite ? Object.keys(keys) : Object.keys(given);
  const missing = asked.find((name) => keys[name].required === true && !Object.hasOwn(after, name));
  return missing === undefined
    ? after
    : new Refused('meta_key_required', { name: missing, type: keys[missing].type });
}

/** PostgreSQL stores neither U+0000 nor half a character. */
function isStorable(text: string): boolean {
  return text.length <= VALUE_CHARACTERS_MAX && text.isWellFormed() && !text.includes('\u0000');
}
