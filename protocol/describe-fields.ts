// Completes the schemas for the API reference: every field gets its meaning and an example. A
// schema's own description and note win over those for its name; examples of objects and lists are
// built from those of their fields.

import type { Json } from './hoisted-schemas.ts';
import { SHARED_FIELDS } from './shared-fields.ts';
import { type FieldNote, noteOf } from './wire/index.ts';

const MOMENT = '2026-01-05T10:00:00.000Z';
const REFERENCE = '#/components/schemas/';
/** No schema is nested deeper. A schema that contains itself has no example of its inner ones. */
const DEPTH_MAX = 8;

export class FieldDescriber {
  readonly #schemas: ReadonlyMap<string, Json>;

  constructor(schemas: ReadonlyMap<string, Json>) {
    this.#schemas = schemas;
  }

  /** Returns the schema with a description and an example for each field at any depth. */
  described(schema: Json): Json {
    const { items, properties } = schema as { items?: Json; properties?: Record<string, Json> };
    const { additionalProperties: values } = schema as { additionalProperties?: Json | boolean };
    const choices = schema.anyOf as Json[] | undefined;
    return {
      ...schema,
      ...(choices !== undefined && { anyOf: choices.map((one) => this.described(one)) }),
      ...(items !== undefined && { items: this.described(items) }),
      ...(typeof values === 'object' && { additionalProperties: this.described(values) }),
      ...(properties !== undefined && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, one]) => [name, this.#field(one, name)]),
        ),
      }),
    };
  }

  #field(schema: Json, name: string): Json {
    const inner = this.described(schema);
    const description = this.meaning(schema, name);
    // The fields of an object have their own examples.
    const example = this.#isObject(schema) ? undefined : this.example(schema, name);
    return {
      ...inner,
      ...(description !== undefined && { description }),
      ...(example !== undefined && { examples: [example] }),
    };
  }

  meaning(schema: Json, name: string): string | undefined {
    const own = schema.description ?? noteOf(schema)?.meaning ?? SHARED_FIELDS[name]?.meaning;
    return (own ?? this.#resolved(schema).description) as string | undefined;
  }

  /** Returns undefined if nothing implies an example. */
  example(schema: Json, name: string): unknown {
    return this.#noted(schema, SHARED_FIELDS[name], 0);
  }

  /** Returns an example of an entire body or response. */
  exampleOf(schema: Json): unknown {
    return this.#implied(this.#resolved(schema), undefined, 0);
  }

  /** `outer` is the note for the name, or for the field that contains the schema. */
  #noted(schema: Json, outer: FieldNote | undefined, depth: number): unknown {
    const note = noteOf(schema) ?? outer;
    const resolved = this.#resolved(schema);
    const found = this.#isObject(resolved)
      ? undefined
      : note?.examples.find((one) => fits(resolved, one));
    return found === undefined ? this.#implied(resolved, note, depth) : found;
  }

  #implied(schema: Json, note: FieldNote | undefined, depth: number): unknown {
    const {
      anyOf,
      const: only,
      default: preset,
      enum: words,
      format,
      items,
      properties,
    } = schema as Shape;
    if (depth > DEPTH_MAX) return undefined;
    if (only !== undefined) return only;
    if (preset !== undefined) return preset;
    if (words !== undefined) return words[0];
    if (anyOf !== undefined) return this.#firstOf(anyOf, note, depth);
    if (format === 'date-time') return MOMENT;
    if (schema.type === 'boolean') return true;
    if (items !== undefined) {
      const example = this.#noted(items, note, depth + 1);
      return example === undefined ? undefined : [example];
    }
    if (properties !== undefined) return this.#objectOf(properties, depth);
    const { additionalProperties: values } = schema as { additionalProperties?: Json | boolean };
    if (typeof values === 'object') {
      return { [keyOf(note)]: this.#noted(values, note, depth + 1) };
    }
    return schema.type === 'object' ? {} : undefined;
  }

  #objectOf(properties: Readonly<Record<string, Json>>, depth: number): unknown {
    const fields = Object.entries(properties).map(([name, one]) => [
      name,
      this.#noted(one, SHARED_FIELDS[name], depth + 1),
    ]);
    return Object.fromEntries(fields.filter(([, example]) => example !== undefined));
  }

  #firstOf(choices: readonly Json[], note: FieldNote | undefined, depth: number): unknown {
    for (const choice of choices) {
      const example = this.#noted(choice, note, depth + 1);
      if (example !== undefined) return example;
    }
    return undefined;
  }

  /**
   * Returns whether it is an object with known fields, a list or a map of such objects, or a choice
   * with one.
   */
  #isObject(schema: Json): boolean {
    const { anyOf = [], items, properties } = this.#resolved(schema) as Shape;
    const { additionalProperties: values } = schema as { additionalProperties?: Json | boolean };
    return (
      properties !== undefined ||
      (items !== undefined && this.#isObject(items)) ||
      (typeof values === 'object' && this.#isObject(values)) ||
      anyOf.some((one) => this.#isObject(one))
    );
  }

  #resolved(schema: Json): Json {
    const title = titleOf(schema);
    return title === undefined ? schema : (this.#schemas.get(title) ?? schema);
  }
}

interface Shape {
  readonly anyOf?: readonly Json[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
}

function titleOf({ $ref }: Json): string | undefined {
  return typeof $ref === 'string' ? $ref.slice(REFERENCE.length) : undefined;
}

/** Key in the example of a map: most maps are by market. */
function keyOf(note: FieldNote | undefined): string {
  const [example] = note?.examples ?? [];
  const [key = 'btc-usdt'] = isOfType(example, 'object') ? Object.keys(example as object) : [];
  return key;
}

/** Returns whether the example has a type that the schema allows. */
function fits(schema: Json, example: unknown): boolean {
  const {
    anyOf,
    const: only,
    enum: words,
    type,
  } = schema as Shape & { readonly type?: string | string[] };
  if (only !== undefined) return only === example;
  if (words !== undefined) return words.includes(example);
  if (anyOf !== undefined) return anyOf.some((choice) => fits(choice, example));
  if (type === undefined) return schema.$ref === undefined;
  return [type].flat().some((one) => isOfType(example, one));
}

function isOfType(example: unknown, type: string): boolean {
  if (type === 'null') return example === null;
  if (type === 'array') return Array.isArray(example);
  if (type === 'integer') return Number.isSafeInteger(example);
  if (type !== 'object') return typeof example === type;
  return typeof example === 'object' && example !== null && !Array.isArray(example);
}
