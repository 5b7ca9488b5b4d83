// Orders can always be canceled: every way to cancel, in every market status and in a frozen
// market, for resting orders, waiting stops and ready stops.

import assert from 'node:assert/strict';
import test from 'node:test';
import { compileSentences } from '../../testing/scenarios/compile-scenario.ts';
import { type CloseReason, type Event, MARKET_STATUSES } from '../messages/index.ts';
import type { AssetId, MarketId } from '../money/index.ts';
import { applyFrame } from './apply-frame.ts';
import { auditExchange } from './audit.ts';
import { createExchange } from './create-exchange.ts';
import { accountsOf, bookOf } from './views.ts';

const MARKET = 1 as MarketId;
const BTC = 1 as AssetId;
const USDT = 2 as AssetId;

const GIVEN = ['market btc-usdt: reference 100', 'limit stopsPerStepMax is 1'];

/** Alice has two bids, a waiting stop, and a ready stop that is not active yet. */
const BEFORE = [
  'alice buys 1 at 90 id mine',
  'alice buys 2 at 91',
  'alice stop-buys 1 at 150 limit 151',
  'bob stop-buys 1 at 105 limit 60',
  'alice stop-buys 1 at 105 limit 60',
  'bob sells 1 at 105',
  'carol buys 1 at 105',
];

/** Each way cancels all four orders. */
const CANCELS: Record<string, { sentences: readonly string[]; reason: CloseReason }> = {
  'one by one': {
    sentences: ['alice cancels a1', 'alice cancels a2', 'alice cancels a3', 'alice cancels a4'],
    reason: 'canceled_by_user',
  },
  'by client order id, then all': {
    sentences: ['alice cancels id mine', 'alice cancels all in btc-usdt'],
    reason: 'canceled_by_user',
  },
  'by the operator': {
    sentences: ['operator cancels a4 of alice', 'operator cancels all of alice'],
    reason: 'canceled_by_operator',
  },
  'by a dead man’s switch': {
    sentences: ['alice arms a switch of 5s', 'time passes 5s'],
    reason: 'canceled_by_dead_man_switch',
  },
};

for (const status of [...MARKET_STATUSES, 'frozen'] as const) {
  for (const [way, { sentences, reason }] of Object.entries(CANCELS)) {
    test(`in a market that is ${status}, orders are canceled ${way}`, () => {
      const exchange = createExchange();
      const script = compileSentences(GIVEN, ['alice', 'bob', 'carol']);
      const apply = (...words: string[]): readonly Event[] => {
        const { frame, poisoned } = script.nextStep(words);
        return applyFrame(exchange, frame, poisoned).events;
      };
      for (const { frame } of script.setUp) applyFrame(exchange, frame);
      // In the same frame as the trigger: the next frame would activate the stop.
      apply(
        ...BEFORE,
        status === 'frozen' ? 'carol buys 1 at 70 (poisoned)' : `status is ${status}`,
      );
      const isReady = bookOf(exchange, MARKET).stops.some((stop) => stop.ready);
      assert.equal(isReady, status !== 'full', 'a ready stop waits for the market');

      const events = sentences.flatMap((sentence) => apply(sentence));
      const closed = events.flatMap((event) => (event.kind === 'OrderClosed' ? [event] : []));
      assert.deepEqual(
        closed.map((event) => event.reason),
        [reason, reason, reason, reason],
      );
      const { bids, stops } = bookOf(exchange, MARKET);
      const left = [...bids.flatMap(({ orders }) => orders), ...stops];
      assert.ok(!left.some(({ user }) => user === 1), 'alice has no orders left');
      const usdt = accountsOf(exchange).find(({ owner, asset }) => owner === 1 && asset === USDT);
      assert.equal(usdt?.heldAtoms, 0n);
      auditExchange(exchange);
    });
  }
}

test('a closed order, an unknown order and another user’s order do not exist', () => {
  const exchange = createExchange();
  const script = compileSentences([], ['alice', 'bob']);
  for (const { frame } of script.setUp) applyFrame(exchange, frame);
  const { frame } = script.nextStep([
    'alice buys 1 at 90 id mine',
    'bob cancels a1',
    'bob cancels id mine',
    'alice cancels a1',
    'alice cancels a1',
    'alice cancels id mine',
    'alice cancels id other',
  ]);
  const { events } = applyFrame(exchange, frame);
  const refused = events.flatMap((event) => (event.kind === 'CommandRefused' ? [event] : []));
  assert.deepEqual(
    refused.map(({ refusal, command }) => `${command - refused[0].command}: ${refusal}`),
    ['0', '1', '3', '4', '5'].map((at) => `${at}: order_must_exist`),
  );
  const btc = accountsOf(exchange).find(({ owner, asset }) => owner === 1 && asset === BTC);
  assert.equal(btc?.heldAtoms, 0n);
});
