// Converts query texts to the types of a schema. Strict about parameters in the schema; ignores all
// others, because clients send their own. A list can be one text with commas, a repeated name, or
// `name[]`. Clamps numbers marked as clamped; the schema's validation later checks all other
// limits.

import type { Static, TObject } from 'typebox';

export type Coerced<Query> =
  | { readonly ok: true; readonly value: Query }
  /** A sentence that starts with `Parameter (name)`. */
  | { readonly ok: false; readonly detail: string };

/** Query as parsed by Node and Fastify: a repeated key is an array. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** JSON Schema keywords that queries use. */
interface QuerySchema {
  readonly type?: string | readonly string[];
  readonly items?: QuerySchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  /** Values out of range are clamped. */
  readonly clamped?: boolean;
  readonly enum?: readonly string[];
  /** Values outside the enum count as absent. */
  readonly othersIgnored?: boolean;
}

type Value = string | number | boolean | readonly Value[];
type Read = { readonly value: Value } | { readonly problem: string };

/** With `prefix`, names can also be given with it; the plain name wins. */
export function coerceQuery<Schema extends TObject>(
  schema: Schema,
  raw: RawQuery,
  prefix?: string,
): Coerced<Static<Schema>> {
  // Only names in the schema become keys, so __proto__ never does.
  const value: Record<string, unknown> = {};
  const required = new Set<string>(schema.required ?? []);
  for (const [name, property] of Object.entries<QuerySchema>(schema.properties)) {
    const isList = property.type === 'array';
    const found = own(raw, name) ?? (prefix === undefined ? undefined : own(raw, prefix + name));
    const all = isList ? (found ?? own(raw, `${name}[]`)) : found;
    const given = isList && typeof all === 'object' ? all.join(',') : all;
    if (typeof given === 'object') return refused(name, 'must not be given more than once');
    // HTML forms send empty fields.
    if (given === undefined || given === '' || isIgnored(property, given)) {
      if (property.default !== undefined) value[name] = property.default;
      else if (required.has(name)) return refused(name, 'is required');
      continue;
    }
    const read = readValue(property, given);
    if ('problem' in read) return refused(name, read.problem);
    value[name] = read.value;
  }
  return { ok: true, value: value as Static<Schema> };
}

function isIgnored({ enum: words, othersIgnored }: QuerySchema, given: string): boolean {
  return othersIgnored === true && words?.includes(given) === false;
}

function own(raw: RawQuery, name: string): RawQuery[string] {
  return Object.hasOwn(raw, name) ? raw[name] : undefined;
}

function refused(name: string, problem: string): { ok: false; detail: string } {
  return { ok: false, detail: `Parameter (${name}) ${problem}` };
}

function readValue(schema: QuerySchema, text: string): Read {
  if (schema.type === 'integer') return readInteger(schema, text);
  if (schema.type === 'boolean') return readBoolean(text);
  if (schema.type === 'array') return readList(schema.items ?? {}, text);
  // Decimals are kept as texts.
  return { value: text };
}

const INTEGER = /^-?[0-9]{1,15}$/;

function readInteger({ clamped, maximum, minimum }: QuerySchema, text: string): Read {
  if (!INTEGER.test(text)) return { problem: 'is not a valid integer' };
  let value = Number(text);
  if (clamped === true) {
    value = Math.min(Math.max(value, minimum ?? value), maximum ?? value);
  }
  // Converts minus zero to zero.
  return { value: value + 0 };
}

/** Some clients send `True`. */
function readBoolean(text: string): Read {
  const lower = text.toLowerCase();
  if (lower === 'true') return { value: true };
  if (lower === 'false') return { value: false };
  return { problem: 'is not a valid boolean' };
}

function readList(items: QuerySchema, text: string): Read {
  const values: Value[] = [];
  for (const entry of text.split(',')) {
    // Empty entries, for example from a trailing comma, are ignored.
    if (entry === '') continue;
    const read = readValue(items, entry);
    if ('problem' in read) return read;
    values.push(read.value);
  }
  return { value: values };
}
