// Completes the schemas of the reference: every field gets its meaning and an example. A schema's
// own description wins; examples of objects and lists are made of those of their fields.

import type { Json } from '../hoisted-schemas.ts';
import { ACCOUNT_FIELDS } from './account-fields.ts';
import type { FieldNote, FieldNotes } from './field-note.ts';
import { OPERATOR_FIELDS } from './operator-fields.ts';
import { TRADING_FIELDS } from './trading-fields.ts';

export const FIELD_NOTES: FieldNotes = {
  ...TRADING_FIELDS,
  ...ACCOUNT_FIELDS,
  ...OPERATOR_FIELDS,
};

const MOMENT = '2026-01-05T10:00:00.000Z';
const REFERENCE = '#/components/schemas/';
/** No schema is nested deeper; a schema that contains itself has no example of its inner ones. */
const DEPTH_MAX = 8;

export class FieldDescriber {
  readonly #schemas: ReadonlyMap<string, Json>;

  constructor(schemas: ReadonlyMap<string, Json>) {
    this.#schemas = schemas;
  }

  /** The schema with a description and an example for each field at any depth. */
  described(schema: Json, owner: string): Json {
    const { items, properties } = schema as { items?: Json; properties?: Record<string, Json> };
    const { additionalProperties: values } = schema as { additionalProperties?: Json | boolean };
    const choices = schema.anyOf as Json[] | undefined;
    return {
      ...schema,
      ...(choices !== undefined && { anyOf: choices.map((one) => this.described(one, owner)) }),
      ...(items !== undefined && { items: this.described(items, owner) }),
      ...(typeof values === 'object' && { additionalProperties: this.described(values, owner) }),
      ...(properties !== undefined && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, field]) => [
            name,
            this.#field(field, owner, name),
          ]),
        ),
      }),
    };
  }

  #field(schema: Json, owner: string, name: string): Json {
    const inner = this.described(schema, `${owner}.${name}`);
    const description = this.meaning(schema, owner, name);
    // The fields of an object have examples of their own.
    const example = this.#isObject(schema) ? undefined : this.example(schema, owner, name);
    return {
      ...inner,
      ...(description !== undefined && { description }),
      ...(example !== undefined && { examples: [example] }),
    };
  }

  meaning(schema: Json, owner: string, name: string): string | undefined {
    const own = schema.description ?? noteOf(owner, name)?.meaning;
    return (own ?? this.#resolved(schema).description) as string | undefined;
  }

  /** Undefined if nothing implies one. */
  example(schema: Json, owner: string, name: string, depth = 0): unknown {
    const resolved = this.#resolved(schema);
    const found = this.#isObject(resolved)
      ? undefined
      : noteOf(owner, name)?.examples.find((one) => fits(resolved, one));
    return found === undefined ? this.#implied(resolved, owner, name, depth) : found;
  }

  /** An example of a whole body or answer. */
  exampleOf(schema: Json, owner: string, depth = 0): unknown {
    const resolved = this.#resolved(schema);
    return this.#implied(resolved, titleOf(schema) ?? owner, '', depth);
  }

  #implied(schema: Json, owner: string, name: string, depth: number): unknown {
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
    if (anyOf !== undefined) return this.#firstOf(anyOf, owner, name, depth);
    if (format === 'date-time') return MOMENT;
    if (schema.type === 'boolean') return true;
    const place = name === '' ? owner : `${owner}.${name}`;
    if (items !== undefined) {
      const example =
        titleOf(items) === undefined
          ? this.example(items, owner, name, depth + 1)
          : this.exampleOf(items, place, depth + 1);
      return example === undefined ? undefined : [example];
    }
    if (properties !== undefined) {
      return this.#objectOf(properties, (schema.title as string | undefined) ?? place, depth);
    }
    const { additionalProperties: values } = schema as { additionalProperties?: Json | boolean };
    if (typeof values === 'object') {
      return { [keyOf(name)]: this.example(values, owner, name, depth + 1) };
    }
    return schema.type === 'object' ? {} : undefined;
  }

  #objectOf(properties: Readonly<Record<string, Json>>, owner: string, depth: number): unknown {
    const fields = Object.entries(properties).map(([name, field]) => [
      name,
      this.example(field, owner, name, depth + 1),
    ]);
    return Object.fromEntries(fields.filter(([, example]) => example !== undefined));
  }

  #firstOf(choices: readonly Json[], owner: string, name: string, depth: number): unknown {
    for (const choice of choices) {
      const example = this.example(choice, owner, name, depth + 1);
      if (example !== undefined) return example;
    }
    return undefined;
  }

  /** Whether it is an object with known fields, a list or a map of such, or a choice with one. */
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

/** `Order.meta.note`, then `Order.note`, then `note`. */
function noteOf(owner: string, name: string): FieldNote | undefined {
  const [title] = owner.split('.');
  return FIELD_NOTES[`${owner}.${name}`] ?? FIELD_NOTES[`${title}.${name}`] ?? FIELD_NOTES[name];
}

/** The key in the example of a map: most are by market. */
function keyOf(name: string): string {
  const [example] = FIELD_NOTES[name]?.examples ?? [];
  const [key = 'btc-usdt'] = isOfType(example, 'object') ? Object.keys(example as object) : [];
  return key;
}

/** Whether the example has a type that the schema allows. */
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
