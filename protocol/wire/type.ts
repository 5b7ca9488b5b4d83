// Builds the wire schemas with typebox's types. It emits the same JSON Schema as typebox's own
// functions, whose 370 modules would add a quarter of a second to each start.

import type { TSchema, Type as Typebox } from 'typebox';

type Functions =
  | ('Array' | 'Boolean' | 'Integer' | 'Literal' | 'Null' | 'Object' | 'Optional' | 'Partial')
  | ('String' | 'Tuple' | 'Union' | 'Unknown' | 'Unsafe');

/** Hidden from JSON, from validators and from copies with `...`. */
const OPTIONAL = '~optional';

export const Type = {
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Literal: (value: string | number | boolean, options?: object) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Object: objectOf,
  Optional: optional,
  Partial: ({ properties }: { readonly properties: Fields }, options?: object) => {
    const fields = Object.entries(properties).map(([name, schema]) => [name, optional(schema)]);
    return objectOf(Object.fromEntries(fields), options);
  },
  String: (options?: object) => ({ type: 'string', ...options }),
  Tuple: (items: readonly TSchema[], options?: object) => ({
    type: 'array',
    additionalItems: false,
    items,
    minItems: items.length,
    ...options,
  }),
  Union: (anyOf: readonly TSchema[], options?: object) => ({ anyOf, ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Unsafe: copyOf,
} as unknown as Pick<typeof Typebox, Functions>;

type Fields = Readonly<Record<string, TSchema>>;

function objectOf(properties: Fields, options?: object): object {
  const names = Object.keys(properties).filter(
    (name) => !Object.hasOwn(properties[name], OPTIONAL),
  );
  const required = names.length > 0 ? { required: names } : {};
  return { type: 'object', ...required, properties, ...options };
}

function optional(schema: TSchema): TSchema {
  return Object.defineProperty(copyOf(schema), OPTIONAL, { value: true });
}

function copyOf(schema: TSchema): TSchema {
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));
}
