// Every operation, parameter and field in the reference has a description and an example that its
// schema accepts. A failure names the missing ones.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Ajv } from 'ajv';
import { SHARED_FIELDS } from '../../protocol/shared-fields.ts';
import { apiDocument } from './api-documents.ts';

type Schema = Readonly<Record<string, unknown>> & {
  readonly $ref?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
};
type Contents = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly description?: string;
    readonly example?: unknown;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>;
}

const document = JSON.parse(JSON.stringify(apiDocument())) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const { schemas } = document.components;
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const ajv = new Ajv({ strict: false, formats: { 'date-time': true } });
ajv.addSchema({ $id: 'api', components: { schemas } });

function accepts(schema: Schema, example: unknown): boolean {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components');
  return ajv.validate(JSON.parse(text) as object, example);
}

function contentsOf({ requestBody, responses }: Operation): [place: string, contents: Contents][] {
  const answers = Object.entries(responses).map(([status, { content }]): [string, Contents] => [
    status,
    content ?? {},
  ]);
  return requestBody === undefined ? answers : [['body', requestBody.content], ...answers];
}

/** Calls `visit` with every field below the schema, excluding the schema itself. */
function eachField(
  schema: Schema,
  path: string,
  visit: (path: string, field: Schema) => void,
): void {
  const { additionalProperties: values, anyOf = [], items, properties = {} } = schema;
  for (const [name, field] of Object.entries(properties)) {
    visit(`${path}.${name}`, field);
    eachField(field, `${path}.${name}`, visit);
  }
  const inner = typeof values === 'object' ? [...anyOf, values] : anyOf;
  for (const one of items === undefined ? inner : [...inner, items]) eachField(one, path, visit);
}

function everyField(visit: (path: string, field: Schema) => void): void {
  for (const [title, schema] of Object.entries(schemas)) eachField(schema, title, visit);
  for (const operation of operations) {
    for (const [place, contents] of contentsOf(operation)) {
      for (const { schema } of Object.values(contents)) {
        eachField(schema, `${operation.operationId} ${place}`, visit);
      }
    }
  }
}

function isObject(schema: Schema): boolean {
  const { $ref, additionalProperties: values, anyOf = [], items, properties } = schema;
  return (
    $ref !== undefined ||
    properties !== undefined ||
    (items !== undefined && isObject(items)) ||
    (typeof values === 'object' && isObject(values)) ||
    anyOf.some(isObject)
  );
}

test('every operation says more than its summary', () => {
  const missing = operations.filter(
    ({ description, summary }) => description.length < 20 || description === summary,
  );
  assert.deepEqual(
    missing.map(({ operationId }) => operationId),
    [],
  );
});

test('every parameter is described, with an example that its schema accepts', () => {
  const missing = operations.flatMap(({ operationId, parameters }) =>
    parameters
      .filter(({ description = '', example, schema }) => {
        return description === '' || example === undefined || !acceptsText(schema, example);
      })
      .map(({ name }) => `${operationId}?${name}`),
  );
  assert.deepEqual(missing, []);
});

/** Numbers and booleans in a query are texts. */
function acceptsText(schema: Schema, example: unknown): boolean {
  if (accepts(schema, example)) return true;
  if (typeof example !== 'string') return false;
  return accepts(schema, Number(example)) || accepts(schema, example.split(','));
}

test('every field is described', () => {
  const missing: string[] = [];
  everyField((path, field) => {
    if ((field.description ?? '') === '') missing.push(path);
  });
  assert.deepEqual(missing, []);
});

test('every field has an example that its schema accepts', () => {
  const missing: string[] = [];
  everyField((path, field) => {
    if (isObject(field)) return;
    const [example] = field.examples ?? [];
    if (example === undefined || !accepts(field, example)) missing.push(path);
  });
  assert.deepEqual(missing, []);
});

test('every body and every answer has an example that its schema accepts', () => {
  const missing = operations.flatMap((operation) =>
    contentsOf(operation).flatMap(([place, contents]) => {
      const json = contents['application/json'];
      if (json === undefined) return [];
      const isSound = json.example !== undefined && accepts(json.schema, json.example);
      return isSound ? [] : [`${operation.operationId} ${place}`];
    }),
  );
  assert.deepEqual(missing, []);
});

test('every shared note describes a field that exists', () => {
  const names = new Set<string>();
  everyField((path) => names.add(path.split('.').at(-1)!));
  for (const { parameters } of operations) for (const { name } of parameters) names.add(name);
  assert.deepEqual(
    Object.keys(SHARED_FIELDS).filter((name) => !names.has(name)),
    [],
  );
});
