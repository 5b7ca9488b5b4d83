// Finds body keys that differ from a known key only in case, hyphens or underscores. Unknown keys
// are ignored, but ignoring a misspelt one could cost money.

import type { TSchema } from 'typebox';

export interface MisspeltKey {
  /** The path from the top of the body: `meta.postOnly`. */
  readonly name: string;
  readonly known: string;
}

interface BodySchema {
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly items?: BodySchema;
}

export function misspeltKeys(schema: TSchema, body: unknown): MisspeltKey[] {
  const found: MisspeltKey[] = [];
  collect(schema as BodySchema, body, '', found);
  return found;
}

function collect(schema: BodySchema, value: unknown, path: string, found: MisspeltKey[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    value.forEach((entry, at) => {
      collect(items, entry, `${path}${at}.`, found);
    });
    return;
  }
  const { properties } = schema;
  if (properties === undefined) return;
  const knownByPlain = plainNames(properties);
  for (const [key, entry] of Object.entries(value)) {
    if (Object.hasOwn(properties, key)) {
      collect(properties[key], entry, `${path}${key}.`, found);
      continue;
    }
    const known = knownByPlain.get(plain(key));
    if (known !== undefined) found.push({ name: path + key, known: path + known });
  }
}

const plainNamesOf = new WeakMap<object, ReadonlyMap<string, string>>();

/** Computed once per schema. */
function plainNames(properties: Readonly<Record<string, BodySchema>>): ReadonlyMap<string, string> {
  let names = plainNamesOf.get(properties);
  if (names === undefined) {
    names = new Map(Object.keys(properties).map((key) => [plain(key), key]));
    plainNamesOf.set(properties, names);
  }
  return names;
}

function plain(key: string): string {
  return key.replaceAll(/[_-]/g, '').toLowerCase();
}
