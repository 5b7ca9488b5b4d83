// The codec of user events: everything that is encoded is decoded again, byte for byte, and nothing
// else is accepted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodeUserEvents,
  encodeUserEvents,
  frameOfUserEvents,
  type UserEvents,
} from './user-events.ts';

const ORDER =
  '{"topic":"order","data":{"size":0.10,"price":9007199254740993,"note":"}]{\\"a\\\\ \\n é"}}';
const WALLET = '{"topic":"wallet","data":{"btc_balance":1.000000000000000001}}';

const EVENTS: UserEvents = {
  user: 7,
  frame: 12,
  after: { frame: 9, index: 4 },
  messages: [
    { index: 3, topic: 'order', text: ORDER },
    { index: 3, topic: 'wallet', text: WALLET },
    { index: 5, topic: 'wallet', text: WALLET },
  ],
};

test('version 1 has these bytes', () => {
  const text = `1 7 12 9 4 3\n3 order ${ORDER}\n3 wallet ${WALLET}\n5 wallet ${WALLET}\n`;
  assert.equal(encodeUserEvents(EVENTS), text);
  assert.deepEqual(decodeUserEvents(Buffer.from(text)), EVENTS);
  assert.equal(frameOfUserEvents(Buffer.from(text)), 12);
});

const number = fc.maxSafeNat();
const plain = { noNullPrototype: true };
const position = fc.record({ frame: number, index: number }, plain);
const message = fc.record(
  {
    index: number,
    topic: fc.constantFrom('order' as const, 'usertrade' as const, 'wallet' as const),
    // Any JSON text: every control character inside a string is escaped.
    text: fc.json({ maxDepth: 3, stringUnit: 'binary' }),
  },
  plain,
);
const messages = fc
  .array(message, { minLength: 1, maxLength: 6 })
  .map((made) => made.sort((a, b) => a.index - b.index));
const events = fc.record({ user: number, frame: number, after: position, messages }, plain);

test('decoding returns what was encoded, for any events', () => {
  fc.assert(
    fc.property(events, (made) => {
      const payload = Buffer.from(encodeUserEvents(made));
      assert.deepEqual(decodeUserEvents(payload), made);
      assert.equal(frameOfUserEvents(payload), made.frame);
    }),
  );
});

test('a payload truncated anywhere is rejected', () => {
  const payload = Buffer.from(encodeUserEvents(EVENTS));
  for (let length = 0; length < payload.length; length += 1) {
    assert.equal(decodeUserEvents(payload.subarray(0, length)), undefined, String(length));
  }
});

test('a payload with another version or format is rejected', () => {
  const valid = encodeUserEvents(EVENTS);
  const wrong = [
    '{}',
    '',
    'null',
    '\n',
    `${valid} `,
    `${valid}\n`,
    valid.replace('1 7', '2 7'),
    valid.replace('5 wallet', '2 wallet'),
    valid.replace('5 wallet', '5 trade'),
    valid.replace('5 wallet', 'x wallet'),
    '1 7 12 9 4 0\n',
    '1 7 12 9 4 1\n3 order \n',
    '{"user":7,"frame":12,"after":{"frame":9,"index":4},"entries":[]}',
  ];
  for (const text of wrong) assert.equal(decodeUserEvents(Buffer.from(text)), undefined, text);
  assert.equal(frameOfUserEvents(Buffer.from('{}')), undefined);
  assert.equal(frameOfUserEvents(Buffer.from(valid.replace('1 7', '2 7'))), undefined);
});
