// The extent of a log, from the server's description of its stream.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extentOf } from './jetstream-log.ts';
import type { Extent } from './log-port.ts';

const SUBJECT = 'rialto.log.commands';

function info(messages: unknown, first_seq: unknown, last_seq: unknown) {
  return { config: { subjects: [SUBJECT] }, state: { messages, first_seq, last_seq } };
}

const descriptions: Record<string, [answer: unknown, extent: Extent | undefined]> = {
  'never had a message': [info(0, 0, 0), { first: 1, last: 0 }],
  'holds every message it ever had': [info(5, 1, 5), { first: 1, last: 5 }],
  'has purged its beginning': [info(5, 101, 105), { first: 101, last: 105 }],
  'has purged everything': [info(0, 106, 105), { first: 106, last: 105 }],
  'reports first 0 after a purge': [info(0, 0, 105), { first: 106, last: 105 }],
  'shows its clock': [
    { ...info(5, 1, 5), ts: '2026-11-16T16:00:00.250123456Z' },
    { first: 1, last: 5, clockMs: Date.UTC(2026, 10, 16, 16, 0, 0, 250) },
  ],
  'shows when its last message was stored': [
    {
      ...info(5, 1, 5),
      state: { messages: 5, first_seq: 1, last_seq: 5, last_ts: '2026-11-16T16:00:00.25Z' },
      ts: '2026-11-16T16:00:10Z',
    },
    { first: 1, last: 5, clockMs: Date.UTC(2026, 10, 16, 16, 0, 10), idleMs: 9_750 },
  ],
  'shows a clock that cannot be read': [
    { ...info(5, 1, 5), ts: 'noon' },
    { first: 1, last: 5 },
  ],
  'answers with an error': [{ error: { code: 404, err_code: 10_059 } }, undefined],
  'answers without a number': [info(5, '1', 5), undefined],
  'reports an unsafe integer': [info(5, 1, 2 ** 53), undefined],
  'is being moved': [{ ...info(5, 1, 5), config: { subjects: [`${SUBJECT}.filling`] } }, undefined],
  'does not answer': [undefined, undefined],
};

for (const [how, [answer, extent]] of Object.entries(descriptions)) {
  const expected = extent === undefined ? 'nothing' : `${extent.first} to ${extent.last}`;
  test(`the extent of a log that ${how} is ${expected}`, () => {
    assert.deepEqual(extentOf(answer, SUBJECT), extent);
  });
}
