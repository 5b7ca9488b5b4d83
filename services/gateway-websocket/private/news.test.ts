// News are taken apart as the publisher puts them together, and every byte of a message survives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { frameOfNews, readNews } from './news.ts';
import { isAfter, positionText, readPosition } from './position.ts';

const ORDER =
  '{"topic":"order","data":{"size":0.10,"price":9007199254740993,"note":"}]{\\"a\\\\","x":[{}]}}';
const WALLET = '{"topic":"wallet","data":{"btc_balance":1.000000000000000001}}';

function payloadOf(entries: readonly (readonly [index: number, messages: readonly string[]])[]) {
  const texts = entries.map(
    ([index, messages]) => `{"index":${index},"messages":[${messages.join(',')}]}`,
  );
  return Buffer.from(
    `{"user":7,"frame":12,"after":{"frame":9,"index":4},"entries":[${texts.join(',')}]}`,
  );
}

test('messages come out as they went in, digit for digit', () => {
  const payload = payloadOf([
    [3, [ORDER, WALLET]],
    [5, [WALLET]],
  ]);
  const news = readNews(payload);
  assert.ok(news !== undefined);
  assert.deepEqual([news.user, news.after, news.last], [7, at(9, 4), at(12, 5)]);
  assert.equal(news.bytes, payload.length);
  const [first, second] = news.entries;
  assert.deepEqual(first.position, at(12, 3));
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
  assert.equal(first.messages[1].frame, frame, 'made once');
  assert.equal(frameOfNews(payload), 12);
});

test('any JSON inside a message survives', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }), (values) => {
      const messages = values.map((data) => `{"topic":"order","data":${JSON.stringify(data)}}`);
      const entries = readNews(payloadOf([[0, messages]]))?.entries ?? [];
      assert.deepEqual(
        entries[0].messages.map(({ text }) => text),
        messages,
      );
    }),
  );
});

test('what is cut off, or something else, is not news', () => {
  const whole = payloadOf([[3, [ORDER, WALLET]]]);
  for (let length = 0; length < whole.length; length += 1) {
    assert.equal(readNews(whole.subarray(0, length)), undefined, String(length));
  }
  for (const text of ['{}', '', 'null', `${whole} `, '{"user":7,"frame":12,"entries":[]}']) {
    assert.equal(readNews(Buffer.from(text)), undefined, text);
  }
  assert.equal(frameOfNews(Buffer.from('{}')), undefined);
});

test('places have an order and a text', () => {
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
