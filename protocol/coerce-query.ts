// From the text of a query to the values that a schema means. Strict about what is named in the
// schema, blind to what is not: clients send keys of their own. It does not check bounds, which
// the schema's check does afterwards; it only brings clamped numbers inside.

import type { Static, TObject } from 'typebox';

export type Coerced<Query> =
  | { readonly ok: true; readonly value: Query }
  /** A sentence that begins with `Parameter (name)`. */
  | { readonly ok: false; readonly detail: string };

/** As Node's and Fastify's parsers give it: a key that came more than once is a list. */
export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The parts of JSON schema that queries are made of. */
interface QuerySchema {
  readonly type?: string | readonly string[];
  readonly items?: QuerySchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  /** Values outside of the bounds are taken as the nearest inside. */
  readonly clamped?: boolean;
}

type Value = string | number | boolean | readonly Value[];
type Read = { readonly value: Value } | { readonly problem: string };

export function coerceQuery<Schema extends TObject>(
  schema: Schema,
  raw: RawQuery,
): Coerced<Static<Schema>> {
  // Only names of the schema become keys, so that __proto__ never does.
  const value: Record<string, unknown> = {};
  const required = new Set<string>(schema.required ?? []);
  for (const [name, property] of Object.entries<QuerySchema>(schema.properties)) {
    const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (typeof given === 'object') return refused(name, 'must not be given more than once');
    // Forms send what was left empty.
    if (given === undefined || given === '') {
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

function refused(name: string, problem: string): { ok: false; detail: string } {
  return { ok: false, detail: `Parameter (${name}) ${problem}` };
}

function readValue(schema: QuerySchema, text: string): Read {
  if (schema.type === 'integer') return readInteger(schema, text);
  if (schema.type === 'boolean') return readBoolean(text);
  if (schema.type === 'array') return readList(schema.items ?? {}, text);
  // Decimals stay the text that they are.
  return { value: text };
}

const INTEGER = /^-?[0-9]{1,15}$/;

function readInteger({ clamped, maximum, minimum }: QuerySchema, text: string): Read {
  if (!INTEGER.test(text)) return { problem: 'is not a valid integer' };
  let value = Number(text);
  if (clamped === true) {
    value = Math.min(Math.max(value, minimum ?? value), maximum ?? value);
  }
  // Minus zero is zero.
  return { value: value + 0 };
}

/** Some clients write `True`. */
function readBoolean(text: string): Read {
  const lower = text.toLowerCase();
  if (lower === 'true') return { value: true };
  if (lower === 'false') return { value: false };
  return { problem: 'is not a valid boolean' };
}

function readList(items: QuerySchema, text: string): Read {
  const values: Value[] = [];
  for (const entry of text.split(',')) {
    // A comma at the end, or two of them, name nothing.
    if (entry === '') continue;
    const read = readValue(items, entry);
    if ('problem' in read) return read;
    values.push(read.value);
  }
  return { value: values };
}
