// The documents in the repository match the protocol and have the expected content.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { type Route, routes } from '../../protocol/index.ts';
import { apiDocument, apiPages, OPENAPI_PATH } from './api-documents.ts';

const root = join(import.meta.dirname, '../..');
const REWRITE = 'run `npx node tools/openapi/main.ts`';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters: readonly { name: string; required: boolean }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

const document = JSON.parse(JSON.stringify(apiDocument())) as {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly tags: readonly { name: string }[];
};

function operationOf({ method, path }: Route): Operation {
  return document.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
}

test('the OpenAPI document is fresh', () => {
  const stored = JSON.parse(readFileSync(join(root, OPENAPI_PATH), 'utf8')) as unknown;
  assert.deepEqual(stored, document, REWRITE);
});

for (const [path, text] of apiPages()) {
  test(`${path} is fresh`, () => {
    assert.equal(readFileSync(join(root, path), 'utf8'), text, REWRITE);
  });
}

test('every route is an operation of its name', () => {
  for (const [name, route] of Object.entries<Route>(routes)) {
    assert.equal(operationOf(route).operationId, name);
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path));
  assert.equal(operations.length, Object.keys(routes).length);
});

test('every tag is described', () => {
  const described = new Set(document.tags.map(({ name }) => name));
  const used = Object.values<Route>(routes).map(({ tag }) => tag);
  assert.deepEqual(
    used.filter((tag) => !described.has(tag)),
    [],
  );
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  assert.ok(references.length > 100);
  for (const [, path] of references) {
    let place: unknown = document;
    for (const name of path.split('/')) place = (place as Record<string, unknown>)[name];
    assert.equal(typeof place, 'object', path);
  }
});

test('every route declares its authentication', () => {
  const key = { key: [], signature: [], expires: [] };
  assert.equal(operationOf(routes.getTicker).security, undefined);
  const sessions = [{ session: [] }, { cookie: [] }];
  assert.deepEqual(operationOf(routes.getOrders).security, [key, ...sessions]);
  assert.deepEqual(operationOf(routes.createWithdrawal).security, [key]);
  assert.deepEqual(operationOf(routes.getQuote).security, [{}, key, ...sessions]);
  assert.deepEqual(operationOf(routes.createApiKey).security, sessions);
});

test('a parameter that has a default need not be sent', () => {
  const { parameters } = operationOf(routes.getUdfSearch);
  assert.deepEqual(
    parameters.map(({ name, required }) => [name, required]),
    [
      ['query', false],
      ['type', false],
      ['exchange', false],
      ['limit', false],
    ],
  );
  assert.equal(operationOf(routes.getTicker).parameters[0].required, true);
});

test('every route that changes something may have an unknown outcome', () => {
  assert.ok('504' in operationOf(routes.createOrder).responses);
  assert.ok(!('504' in operationOf(routes.getOrders).responses));
});

test('our own words for schemas do not reach the document', () => {
  assert.ok(!JSON.stringify(document).includes('clamped'));
});
