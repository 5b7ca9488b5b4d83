// Uncrossing in bounded steps: the work of one frame, frames that wake for it, and snapshots in the
// middle. The rules themselves are stories in testing/scenarios/stories/auctions.scenario.

import assert from 'node:assert/strict';
import test from 'node:test';
import { compileSentences } from '../../testing/scenarios/compile-scenario.ts';
import type { CommandFrame, Event } from '../messages/index.ts';
import type { TimeMs } from '../money/index.ts';
import { applyFrame } from './apply-frame.ts';
import { auditExchange } from './audit.ts';
import { createExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';
import { restoreExchange } from './restore.ts';
import { hashExchange, snapshotExchange } from './snapshot.ts';
import { wakesAtMs } from './views.ts';

const STEP = 5;
const PAIRS = 18;

/** An auction with PAIRS buys and sells of the same size, which all cross. */
function auction(ending: string): { exchange: Exchange; next(sentences: string[]): Event[] } {
  const exchange = createExchange();
  const script = compileSentences(['market btc-usdt: reference 100'], ['alice', 'bob']);
  for (const { frame } of script.setUp) applyFrame(exchange, frame);
  const next = (sentences: string[]): Event[] => [
    ...applyFrame(exchange, script.nextStep(sentences).frame).events,
  ];
  next(['rules version is 2', `limit fillsPerCommandMax is ${STEP}`, ending]);
  for (let pair = 0; pair < PAIRS; pair++) {
    next([`alice buys 1 at ${100 + pair}`, `bob sells 1 at ${100 - pair}`]);
  }
  return { exchange, next };
}

/** A frame without commands, `afterMs` later. */
function emptyFrame(exchange: Exchange, afterMs: number): CommandFrame {
  return {
    sequence: exchange.sequence + 1,
    epoch: 1,
    timeMs: (exchange.timeMs + afterMs) as TimeMs,
    previousHash: new Uint8Array(32),
    commands: [],
  };
}

function tradesIn(events: readonly Event[]): number {
  return events.filter(({ kind }) => kind === 'TradeExecuted').length;
}

test('a frame trades at most one step, and a frame follows until the market is open', () => {
  const { exchange, next } = auction('status is auction');
  assert.equal(wakesAtMs(exchange), Number.POSITIVE_INFINITY, 'nothing ends this auction by time');
  const trades = [tradesIn(next(['status is full']))];
  while (wakesAtMs(exchange) <= exchange.timeMs) {
    assert.equal(exchange.markets[0].status, 'auction');
    trades.push(tradesIn(applyFrame(exchange, emptyFrame(exchange, 0)).events));
    auditExchange(exchange);
  }
  assert.deepEqual(trades, [5, 5, 5, 3]);
  assert.equal(exchange.markets[0].status, 'full');
  assert.equal(exchange.books.orders.size, 0);
});

test('an idle exchange wakes at the end of an auction', () => {
  const { exchange } = auction('status is auction until 60s');
  const { auctionEndsMs } = exchange.markets[0];
  assert.ok(auctionEndsMs > exchange.timeMs);
  assert.equal(wakesAtMs(exchange), auctionEndsMs);
  const untilMs = auctionEndsMs - exchange.timeMs;
  assert.deepEqual(applyFrame(exchange, emptyFrame(exchange, untilMs - 1)).events, []);
  assert.equal(tradesIn(applyFrame(exchange, emptyFrame(exchange, 1)).events), STEP);
});

test('an exchange restored in the middle of an uncrossing continues it', () => {
  const { exchange, next } = auction('status is auction until 60s');
  const collecting = restoreExchange(snapshotExchange(exchange));
  assert.equal(hashExchange(collecting), hashExchange(exchange));
  next(['status is full']);
  const restored = restoreExchange(snapshotExchange(exchange));
  assert.equal(restored.markets[0].auctionTicks, 10_000);
  for (let frame = 0; frame < 3; frame++) {
    const here = applyFrame(exchange, emptyFrame(exchange, 10)).events;
    const there = applyFrame(restored, emptyFrame(restored, 10)).events;
    assert.ok(here.length > 0);
    assert.deepEqual(there, here);
  }
  assert.equal(hashExchange(restored), hashExchange(exchange));
  assert.equal(restored.markets[0].status, 'full');
});

/** The auction of `auction`, but under another version of the rules. */
function auctionUnder(version: number) {
  const stage = auction('status is auction');
  if (version > 2) stage.next([`rules version is ${version}`]);
  return stage;
}

test('starting with version 3, a band that moves between two steps moves the price into it', () => {
  for (const [version, outside] of [
    [2, true],
    [3, false],
  ] as const) {
    const { exchange, next } = auctionUnder(version);
    const [market] = exchange.markets;
    next(['status is full']);
    const { auctionTicks } = market;
    assert.ok(auctionTicks > 0);
    next(['band is 1%, reference 110']);
    const events: Event[] = [];
    while (market.status === 'auction') {
      events.push(...applyFrame(exchange, emptyFrame(exchange, 0)).events);
      auditExchange(exchange);
    }
    const isOutside = events.some(
      (event) => event.kind === 'TradeExecuted' && event.priceTicks < market.lowestTicks,
    );
    assert.equal(isOutside, outside, `version ${version}`);
  }
});

test('starting with version 3, an event reports that full has ended the auction', () => {
  for (const version of [2, 3]) {
    const { exchange, next } = auctionUnder(version);
    next(['band is 1%, reference 110']);
    const events = next(['status is full']);
    const statuses = events.filter((event) => event.kind === 'MarketStatusSet');
    assert.ok(events.length > 0 && exchange.markets[0].isUncrossing);
    const expected = version < 3 ? [] : [['auction', exchange.timeMs]];
    assert.deepEqual(
      statuses.map(({ auctionEndsMs, status }) => [status, auctionEndsMs]),
      expected,
    );
    assert.deepEqual(
      next(['status is full']).filter(({ kind }) => kind === 'MarketStatusSet').length,
      0,
      'it is said once',
    );
  }
});
