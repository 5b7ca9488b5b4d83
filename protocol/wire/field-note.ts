// Meaning and examples of a field, stored on its schema for the API reference. The note is behind a
// symbol: validators and documents do not see it, and schemas that typebox derives keep it.

import type { TSchema } from 'typebox';

export interface FieldNote {
  /** A sentence for a first-time reader; absent if the schema has a description. */
  readonly meaning?: string;
  /** One for each type that the field has; none where the schema implies one. */
  readonly examples: readonly unknown[];
}

const NOTE = Symbol('field note');

/** Returns a field's schema with its meaning and examples. */
export function field<const Schema extends TSchema>(
  schema: Schema,
  meaning: string,
  ...examples: readonly unknown[]
): Schema {
  return withNote(schema, { meaning, examples });
}

/** Returns a schema that has a description with examples. */
export function sample<const Schema extends TSchema>(
  schema: Schema,
  ...examples: readonly unknown[]
): Schema {
  return withNote(schema, { examples });
}

export function noteOf(schema: object): FieldNote | undefined {
  return (schema as { readonly [NOTE]?: FieldNote })[NOTE];
}

/** Returns a copy, because typebox shares schemas between fields. */
export function withNote<Schema extends object>(
  schema: Schema,
  note: FieldNote | undefined,
): Schema {
  if (note === undefined) return schema;
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));
  return Object.assign(copy, { [NOTE]: note }) as Schema;
}
