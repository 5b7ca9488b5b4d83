// Which of two values of a subject wins, and the parsed view of a book.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FeedValues } from './feed-values.ts';

const name = 'ticker.btc-usdt';

test('the value of the later frame wins, from any source and in any order', () => {
  const values = new FeedValues();
  values.beginReading();
  assert.equal(values.applyPublished({ name, frame: 5, text: 'five' }), true);
  assert.equal(values.applyStored({ name, frame: 4, text: 'four' }), false);
  assert.equal(values.applyPublished({ name, frame: 3, text: 'three' }), false);
  assert.equal(values.applyStored({ name, frame: 6, text: 'six' }), true);
  const { frame, text } = values.get('ticker', 'btc-usdt') ?? {};
  assert.deepEqual([frame, text], [6, 'six']);
});

test('within one frame, a message published during a read is newer than the stored value', () => {
  const values = new FeedValues();
  values.beginReading();
  values.applyStored({ name, frame: 5, text: 'found' });
  assert.equal(values.applyPublished({ name, frame: 5, text: 'heard' }), true);
  assert.equal(values.applyStored({ name, frame: 5, text: 'found' }), false);
  assert.equal(values.get('ticker', 'btc-usdt')?.text, 'heard');
});

test('within one frame, the stored value is newer than a message before the read', () => {
  const values = new FeedValues();
  values.beginReading();
  values.applyPublished({ name, frame: 5, text: 'before the loss' });
  values.beginReading();
  assert.equal(values.applyStored({ name, frame: 5, text: 'missed' }), true);
  assert.equal(values.get('ticker', 'btc-usdt')?.text, 'missed');
});

test('a repeat changes nothing, but counts as published', () => {
  const values = new FeedValues();
  values.applyPublished({ name, frame: 5, text: 'same' });
  const first = values.get('ticker', 'btc-usdt');
  values.beginReading();
  assert.equal(values.applyPublished({ name, frame: 5, text: 'same' }), false);
  assert.equal(values.applyStored({ name, frame: 5, text: 'older' }), false);
  assert.equal(values.get('ticker', 'btc-usdt'), first);
});

test('values are kept by kind and symbol', () => {
  const values = new FeedValues();
  values.applyPublished({ name: 'candle.1m.btc-usdt', frame: 1, text: 'minute' });
  values.applyPublished({ name: 'candle.1h.btc-usdt', frame: 1, text: 'hour' });
  values.applyPublished({ name: 'candle.1m.eth-usdt', frame: 1, text: 'other' });
  const minutes = [...values.all('candle.1m')].map(([symbol, { text }]) => [symbol, text]);
  assert.deepEqual(minutes, [
    ['btc-usdt', 'minute'],
    ['eth-usdt', 'other'],
  ]);
  assert.equal(values.all('book').size, 0);
  assert.equal(values.get('book', 'btc-usdt'), undefined);
});

test('a depth has the texts of its numbers and is parsed once for each value', () => {
  const values = new FeedValues();
  assert.equal(values.levelsOf('depth', 'btc-usdt'), undefined);
  const text =
    '{"bids":[[60000.50,0.00000001],[0.1,12345678901234567890.123456789]],"asks":[]' +
    ',"timestamp":"2024-02-29T23:59:30.005Z"}';
  values.applyPublished({ name: 'depth.btc-usdt', frame: 7, text });
  const depth = values.levelsOf('depth', 'btc-usdt');
  assert.deepEqual(depth, {
    frame: 7,
    bids: [
      ['60000.50', '0.00000001'],
      ['0.1', '12345678901234567890.123456789'],
    ],
    asks: [],
  });
  assert.equal(values.levelsOf('depth', 'btc-usdt'), depth);
  values.applyPublished({ name: 'depth.btc-usdt', frame: 8, text: '{"bids":[],"asks":[[2,1]]}' });
  const next = { frame: 8, bids: [], asks: [['2', '1']] };
  assert.deepEqual(values.levelsOf('depth', 'btc-usdt'), next);
  assert.equal(values.levelsOf('book', 'btc-usdt'), undefined);
  values.applyPublished({ name: 'book.btc-usdt', frame: 9, text: '{"bids":[[1,5]],"asks":[]}' });
  assert.deepEqual(values.levelsOf('book', 'btc-usdt')?.bids, [['1', '5']]);
  assert.deepEqual(values.levelsOf('depth', 'btc-usdt'), next);
});
