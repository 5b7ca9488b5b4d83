// User events are grouped by event without changing a byte of a message. Positions have an order
// and a text form.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeUserEvents } from '../../../infra/live-feed/index.ts';
import { isAfter, positionText, readPosition } from './position.ts';
import { readUserEntries } from './user-entries.ts';

const ORDER =
  '{"topic":"order","data":{"size":0.10,"price":9007199254740993,"note":"}]{\\"a\\\\","x":[{}]}}';
const WALLET = '{"topic":"wallet","data":{"btc_balance":1.000000000000000001}}';

test('messages are unchanged, digit for digit', () => {
  const text = encodeUserEvents({
    user: 7,
    frame: 12,
    after: at(9, 4),
    messages: [
      { index: 3, topic: 'order', text: ORDER },
      { index: 3, topic: 'wallet', text: WALLET },
      { index: 5, topic: 'wallet', text: WALLET },
    ],
  });
  const payload = Buffer.from(text);
  const found = readUserEntries(payload);
  assert.ok(found !== undefined);
  assert.deepEqual([found.user, found.after, found.last], [7, at(9, 4), at(12, 5)]);
  assert.equal(found.bytes, payload.length);
  assert.equal(found.entries.length, 2);
  const [first, second] = found.entries;
  assert.deepEqual([first.position, second.position], [at(12, 3), at(12, 5)]);
  assert.equal(first.text, `[${ORDER},${WALLET}]`);
  assert.deepEqual(
    first.messages.map(({ text, topic }) => [topic, text]),
    [
      ['order', ORDER],
      ['wallet', WALLET],
    ],
  );
  assert.equal(second.text, `[${WALLET}]`);
  const { frame } = first.messages[1];
  assert.equal(frame.bytes.subarray(2).toString(), WALLET);
  assert.equal(first.messages[1].frame, frame, 'built once');
});

test('a payload in another format is rejected', () => {
  assert.equal(readUserEntries(Buffer.from('{}')), undefined);
});

test('positions have an order and a text form', () => {
  assert.equal(isAfter(at(2, 0), at(1, 9)), true);
  assert.equal(isAfter(at(1, 9), at(2, 0)), false);
  assert.equal(isAfter(at(1, 1), at(1, 0)), true);
  assert.equal(isAfter(at(1, 1), at(1, 1)), false);
  assert.equal(positionText(at(12, 3)), '12.3');
  assert.deepEqual(readPosition('12.3'), at(12, 3));
  assert.deepEqual(readPosition('0.0'), at(0, 0));
  for (const wrong of ['', '12', '12.', '.3', '01.2', '1.2.3', '-1.0', '1e3.0', ' 1.2', 12.3, null])
    assert.equal(readPosition(wrong), undefined, String(wrong));
  assert.equal(readPosition('9007199254740993.1'), undefined);
});

function at(frame: number, index: number) {
  return { frame, index };
}
