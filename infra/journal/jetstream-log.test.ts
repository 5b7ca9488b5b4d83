// How a stream's description becomes the extent of a log.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extentOf } from './jetstream-log.ts';
import type { Extent } from './log-port.ts';

function info(messages: unknown, first_seq: unknown, last_seq: unknown) {
  return { state: { messages, first_seq, last_seq } };
}

const descriptions: Record<string, [answer: unknown, extent: Extent | undefined]> = {
  'never had a message': [info(0, 0, 0), { first: 1, last: 0 }],
  'holds all it ever had': [info(5, 1, 5), { first: 1, last: 5 }],
  'has forgotten its beginning': [info(5, 101, 105), { first: 101, last: 105 }],
  'has forgotten everything': [info(0, 106, 105), { first: 106, last: 105 }],
  'is said to be forgotten to 0': [info(0, 0, 105), { first: 106, last: 105 }],
  'answers with an error': [{ error: { code: 404, err_code: 10_059 } }, undefined],
  'answers without a number': [info(5, '1', 5), undefined],
  'counts too far': [info(5, 1, 2 ** 53), undefined],
  'does not answer': [undefined, undefined],
};

for (const [how, [answer, extent]] of Object.entries(descriptions)) {
  const said = extent === undefined ? 'nothing' : `${extent.first} to ${extent.last}`;
  test(`the extent of a log that ${how} is ${said}`, () => {
    assert.deepEqual(extentOf(answer), extent);
  });
}
