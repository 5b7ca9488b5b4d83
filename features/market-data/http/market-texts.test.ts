// Tests that the feed's texts become responses by cutting and joining only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarketEntry } from '../../listings/index.ts';
import {
  auctionText,
  bookText,
  firstTrades,
  textByMarket,
  tickerOfAllText,
  tickerText,
  tradesText,
} from './market-texts.ts';

const TIME = '2026-03-04T05:06:07.089Z';
const values = new Map([
  ['book a-b', `{"bids":[[1,2]],"asks":[],"timestamp":"${TIME}"}`],
  [
    'ticker a-b',
    `{"open":1,"close":2,"high":3,"low":0.5,"last":2,"volume":7.25,"timestamp":"${TIME}"}`,
  ],
  ['trades a-b', '[{"size":1,"price":2},{"size":3,"price":4}]'],
]);

const from: Parameters<typeof bookText>[0] = {
  clock: { nowMs: () => Date.parse(TIME) },
  catalogue: {
    now: {
      marketsBySymbol: new Map([
        ['a-b', {} as MarketEntry],
        ['c-d', { status: 'paused' } as MarketEntry],
      ]),
    },
  },
  feed: {
    get(kind: string, symbol: string) {
      const text = values.get(`${kind} ${symbol}`);
      return text === undefined ? undefined : { frame: 1, text };
    },
  },
};

test('a book and a ticker match the feed', () => {
  assert.equal(bookText(from, 'a-b'), values.get('book a-b'));
  assert.equal(tickerText(from, 'a-b'), values.get('ticker a-b'));
});

test('a market without data is empty', () => {
  assert.equal(bookText(from, 'c-d'), `{"bids":[],"asks":[],"timestamp":"${TIME}"}`);
  const none = `{"open":0,"close":0,"high":0,"low":0,"last":0,"volume":0,"timestamp":"${TIME}"}`;
  assert.equal(tickerText(from, 'c-d'), none);
  assert.equal(tradesText(from, 'c-d'), '[]');
  assert.equal(
    auctionText(from, 'c-d'),
    '{"status":"paused","price":null,"volume":0,"imbalance":0,"ends_at":null,' +
      `"timestamp":"${TIME}"}`,
  );
});

test('in the list of all tickers, each names its market and renames its time', () => {
  assert.equal(
    tickerOfAllText(from, 'a-b'),
    `{"time":"${TIME}","open":1,"close":2,"high":3,"low":0.5,"last":2,"volume":7.25` +
      ',"symbol":"a-b"}',
  );
});

const cuts: [title: string, text: string, count: number, cut: string][] = [
  ['none of none', '[]', 30, '[]'],
  ['fewer than wanted', '[{"a":1},{"a":2}]', 3, '[{"a":1},{"a":2}]'],
  ['as many as wanted', '[{"a":1},{"a":2}]', 2, '[{"a":1},{"a":2}]'],
  ['more than wanted', '[{"a":1},{"a":2},{"a":3}]', 2, '[{"a":1},{"a":2}]'],
];

for (const [title, text, count, cut] of cuts) {
  test(`the first trades: ${title}`, () => assert.equal(firstTrades(text, count), cut));
}

test('a map of all markets names each once and is {} without markets', () => {
  const none = { ...from, catalogue: { now: { marketsBySymbol: new Map() } } };
  assert.equal(
    textByMarket(from, (_from, symbol) => `"${symbol}"`),
    '{"a-b":"a-b","c-d":"c-d"}',
  );
  assert.equal(textByMarket(none, bookText), '{}');
});
