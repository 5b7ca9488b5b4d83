// Live data arrives: after book changes and trades, the screen shows the same data as REST.

import assert from 'node:assert/strict';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Check } from './check.ts';
import { plain } from './ledger.ts';
import { SYMBOL } from './moving-market.ts';
import { type Stage, visit } from './stage.ts';

/** Compared levels per side. */
const LEVELS = 5;
const TRADES = 3;
/** Each run uses different sizes, so a stalled trade list cannot pass with the previous run's. */
let runs = 0;

export const liveData: Check = {
  name: 'live: book and trades on the screen equal REST after changes',
  from: 'quick',
  lane: 'people',
  needsQuietMarket: true,
  async run(stage) {
    const alice = stage.clientOf('alice');
    const page = await stage.openPage();
    await visit(page, stage.url, `/trade/${SYMBOL}`);
    await page.locator('[data-book] [role=option]').filter({ hasText: /\d/ }).first().waitFor();
    const sell = async (size: number) => {
      const order = { symbol: SYMBOL, side: 'sell', type: 'market', size };
      const sold = await alice.post('/order', order);
      assert.equal(sold.status, 200, sold.text);
    };
    // The trade list's first snapshot is there once it contains a trade.
    await sell(0.0001);
    await waitUntil({
      what: 'the trade list has a trade',
      timeoutMs: stage.patienceMs,
      question: async () => (await page.evaluate<Rows>(SCREEN_VIEW)).trades.length > 0,
    });
    // After the first snapshot: a new best bid, and three trades with other sizes.
    await stage.market.place('buy', 59_991, 0.0321);
    runs += 1;
    for (const at of [1, 2, 3]) await sell((3 * runs + at) / 10_000);
    let seen: unknown;
    let wanted: unknown;
    await waitUntil({
      what: 'the screen shows the same book and trades as REST',
      timeoutMs: stage.patienceMs,
      question: async () => {
        wanted = await restView(stage);
        const rows = await page.evaluate<Rows>(SCREEN_VIEW);
        const cut = (list: readonly string[], count: number) => list.slice(0, count).map(pair);
        seen = {
          bids: cut(rows.bids, LEVELS),
          asks: cut(rows.asks, LEVELS),
          trades: cut(rows.trades, TRADES),
        };
        return JSON.stringify(seen) === JSON.stringify(wanted);
      },
    }).catch(() => assert.deepEqual(seen, wanted));
    await page.context().close();
    return undefined;
  },
};

interface Rows {
  readonly bids: string[];
  readonly asks: string[];
  readonly trades: string[];
}

type Level = readonly [price: number, size: number];
interface Trade {
  readonly price: number;
  readonly size: number;
}

async function restView(stage: Stage) {
  const anyone = stage.clientOf('alice');
  const book = (await anyone.get('/orderbook', { symbol: SYMBOL })).body[SYMBOL];
  const trades = (await anyone.get('/trades', { symbol: SYMBOL })).body[SYMBOL] as Trade[];
  const level = ([price, size]: Level) => `${price} ${size}`;
  return {
    bids: (book.bids as Level[]).slice(0, LEVELS).map(level),
    asks: (book.asks as Level[]).slice(0, LEVELS).map(level),
    trades: trades.slice(0, TRADES).map(({ price, size }) => `${price} ${size}`),
  };
}

function pair(text: string): string {
  return text.split('|').map(plain).join(' ');
}

// Best first. Asks are drawn with the best one at the bottom.
const SCREEN_VIEW = `(() => {
  const rows = (side) => [...document.querySelectorAll('[role=option][data-side=' + side + ']')]
    .filter(({ dataset }) => dataset.empty !== 'true')
    .map((row) => [...row.querySelectorAll('span')].slice(0, 2))
    .map((cells) => cells.map(({ textContent }) => textContent).join('|'));
  const tape = [...document.querySelectorAll('main ol > li')].map((row) =>
    [...row.children].slice(0, 2).map((cell) => cell.lastChild.textContent).join('|'));
  return { bids: rows('buy'), asks: rows('sell').reverse(), trades: tape };
})()`;
