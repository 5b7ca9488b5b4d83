// Prepares schemas for the API documents: each schema with a title becomes a component and a
// reference everywhere else. Field notes stay with the field, not with its component.

import { noteOf, withNote } from './wire/index.ts';

export type Json = { readonly [key: string]: unknown };

/** Returns a copy in which every titled schema is a reference to a component. */
export function hoisted(schema: unknown, schemas: Map<string, Json>): Json {
  if (Array.isArray(schema)) return schema.map((one) => hoisted(one, schemas)) as unknown as Json;
  if (typeof schema !== 'object' || schema === null) return schema as never;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    // Rialto's own keyword for limits that clamp.
    if (key !== 'clamped') copy[key] = hoisted(value, schemas);
  }
  const { title, type } = copy;
  const note = noteOf(schema);
  if (typeof title !== 'string' || type !== 'object') return withNote(copy, note);
  const known = schemas.get(title);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(copy)) {
    throw new Error(`Two schemas have the title ${title}`);
  }
  schemas.set(title, copy);
  return withNote({ $ref: `#/components/schemas/${title}` }, note);
}
