// Schemas as documents want them: each that has a title stands once, among the components, and is
// referred to everywhere else.

export type Json = { readonly [key: string]: unknown };

/** A copy in which each schema that has a title is a reference to the components. */
export function hoisted(schema: unknown, schemas: Map<string, Json>): Json {
  if (Array.isArray(schema)) return schema.map((one) => hoisted(one, schemas)) as unknown as Json;
  if (typeof schema !== 'object' || schema === null) return schema as never;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    // Our own word: bounds that do not refuse.
    if (key !== 'clamped') copy[key] = hoisted(value, schemas);
  }
  const { title, type } = copy;
  if (typeof title !== 'string' || type !== 'object') return copy;
  const known = schemas.get(title);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(copy)) {
    throw new Error(`two schemas are called ${title}`);
  }
  schemas.set(title, copy);
  return { $ref: `#/components/schemas/${title}` };
}
