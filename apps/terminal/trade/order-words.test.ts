// Text for an order: side, type, size and total, exactly as they are sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill, loadWords, type Word, type WordValues } from '../../ui/catalogue.ts';
import { EMPTY_DRAFT, type Market, type OrderKind, type Reading } from './order-draft.ts';
import { actWords, kindOf } from './order-words.ts';

const words = await loadWords('en', ['trade']);
const look = {
  t: (word: Word, values: WordValues = {}) => fill(words[word], values, 'en'),
  number: (text: string) => text,
};
const MARKET = { pair_base: 'btc', pair_2: 'usdt' } as Market;
const READING = { size: '0.5', total: '25000' } as Reading;

const ROWS: readonly (readonly [side: 'buy' | 'sell', kind: OrderKind, words: string])[] = [
  ['buy', 'limit', 'Buy 0.5 BTC for up to 25000 USDT'],
  ['sell', 'limit', 'Sell 0.5 BTC for at least 25000 USDT'],
  ['buy', 'market', 'Buy 0.5 BTC for about 25000 USDT'],
  ['sell', 'market', 'Sell 0.5 BTC for about 25000 USDT'],
  ['buy', 'stop', 'At 60000 USDT, buy 0.5 BTC for about 25000 USDT'],
  ['sell', 'stop', 'At 60000 USDT, sell 0.5 BTC for about 25000 USDT'],
  ['buy', 'stop-limit', 'At 60000 USDT, buy 0.5 BTC for up to 25000 USDT'],
  ['sell', 'stop-limit', 'At 60000 USDT, sell 0.5 BTC for at least 25000 USDT'],
];

for (const [side, kind, expected] of ROWS) {
  test(expected, () => {
    const draft = { ...EMPTY_DRAFT, side, kind, stop: '60000' };
    assert.equal(actWords(draft, READING, MARKET, look), expected);
  });
}

test('only a stop price makes an order a stop', () => {
  assert.equal(kindOf({ type: 'market', stop: null }), 'market');
  assert.equal(kindOf({ type: 'limit', stop: null }), 'limit');
  assert.equal(kindOf({ type: 'market', stop: '5' }), 'stop');
  assert.equal(kindOf({ type: 'limit', stop: '5' }), 'stop-limit');
  const trigger = 'take_profit';
  assert.equal(kindOf({ type: 'market', stop: '5', trigger }), 'take-profit');
  assert.equal(kindOf({ type: 'limit', stop: '5', trigger }), 'take-profit-limit');
});

test('only the side and the asset are named without a size', () => {
  const nothing = { size: '0', total: undefined } as Reading;
  assert.equal(actWords(EMPTY_DRAFT, nothing, MARKET, look), 'Buy BTC');
  assert.equal(actWords({ ...EMPTY_DRAFT, side: 'sell' }, nothing, MARKET, look), 'Sell BTC');
});
