// The AsyncAPI document matches the protocol and is consistent.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Ajv } from 'ajv';
import {
  type StreamMessage,
  streamClientMessages,
  streamServerMessages,
} from '../../protocol/index.ts';
import { ASYNCAPI_PATH, streamDocument } from './api-documents.ts';

const root = join(import.meta.dirname, '../..');
const document = JSON.parse(JSON.stringify(streamDocument())) as {
  readonly asyncapi: string;
  readonly operations: Readonly<Record<string, { readonly action: string }>>;
};

test('the AsyncAPI document is up to date', () => {
  const stored = JSON.parse(readFileSync(join(root, ASYNCAPI_PATH), 'utf8')) as unknown;
  assert.deepEqual(stored, document, 'run `npm run fix`');
});

test('every message is an operation: client messages are received, all others sent', () => {
  const actions = Object.values(document.operations).map(({ action }) => action);
  const count = (wanted: string) => actions.filter((action) => action === wanted).length;
  assert.equal(count('receive'), Object.keys(streamClientMessages).length);
  assert.equal(count('send'), Object.keys(streamServerMessages).length);
  assert.ok('sendPing' in document.operations && 'receiveOrderbook' in document.operations);
});

test('every reference of the stream document resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  assert.ok(references.length > 30);
  for (const [, path] of references) {
    let place: unknown = document;
    for (const name of path.split('/')) place = (place as Record<string, unknown>)[name];
    assert.equal(typeof place, 'object', path);
  }
});

test('the examples match their schemas', () => {
  const ajv = new Ajv({ strict: false, formats: { 'date-time': true } });
  const messages: Record<string, StreamMessage> = {
    ...streamClientMessages,
    ...streamServerMessages,
  };
  for (const [name, { example, schema }] of Object.entries(messages)) {
    if (example !== undefined) assert.ok(ajv.validate(schema, example), name);
  }
});
