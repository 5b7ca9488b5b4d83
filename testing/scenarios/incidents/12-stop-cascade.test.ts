// Incident 12, GDAX 2017: one market sell triggered 800 stops, and the price fell from 317 to
// 0.10 in a second. Here the same flow runs with a band and a limited step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditExchange, bookOf } from '../../../core/engine/index.ts';
import type { Event } from '../../../core/messages/index.ts';
import type { MarketId } from '../../../core/money/index.ts';
import { openScripted } from './scripted-exchange.ts';

const MARKET = 1 as MarketId;
const STOPS = 800;
const STOPS_PER_STEP = 50;
const BAND_LOWEST_TICKS = 25_360;

const count = (events: readonly Event[], kind: Event['kind']) =>
  events.filter((event) => event.kind === kind).length;

function assertInsideBand(events: readonly Event[]): void {
  for (const event of events) {
    if (event.kind === 'TradeExecuted') assert.ok(event.priceTicks >= BAND_LOWEST_TICKS);
  }
}

/** A thin book from 317 down to 0.10 with 800 stops inside it, like on that day. */
function openCrash() {
  const scripted = openScripted(
    [
      'market btc-usdt: reference 317',
      'band is 20%, reference 317',
      `limit stopsPerStepMax is ${STOPS_PER_STEP}`,
      'limit ordersPerUserMax is 1,000',
    ],
    ['alice', 'bob', 'carol'],
  );
  const bids = Array.from({ length: 300 }, (_, n) => `bob buys 0.5 at ${316 - n}`);
  const stops = Array.from({ length: STOPS }, (_, n) => {
    const price = 315 - Math.floor(n / 4);
    return `carol stop-sells 0.5 at ${price} ${n % 2 === 0 ? 'market' : 'limit 253.6'}`;
  });
  assert.equal(count(scripted.apply(...bids, 'bob buys 500 at 0.1'), 'CommandRefused'), 0);
  assert.equal(count(scripted.apply(...stops), 'CommandRefused'), 0);
  return scripted;
}

test('incident 12: one market sell with 800 stops never fills outside the band', () => {
  const { exchange, apply } = openCrash();
  const crash = apply('alice sells 10 market');
  assertInsideBand(crash);
  assert.equal(count(crash, 'OrderTriggered'), STOPS_PER_STEP, 'one step is bounded');

  let triggered = count(crash, 'OrderTriggered');
  let frames = 0;
  for (let last = -1; last !== 0; frames += 1) {
    assert.ok(frames < STOPS / STOPS_PER_STEP + 1, 'the cascade must end');
    const events = apply('next frame');
    assertInsideBand(events);
    last = count(events, 'OrderTriggered');
    assert.ok(last <= STOPS_PER_STEP);
    triggered += last;
    auditExchange(exchange);
  }
  assert.ok(frames > 2, 'the cascade must continue in later frames');
  assert.ok(triggered > 100 && triggered < STOPS, `${triggered} of the stops were met`);
  const { bids, stops } = bookOf(exchange, MARKET);
  assert.equal(stops.length, STOPS - triggered, 'every other stop still waits');
  assert.ok(bids[0].priceTicks < BAND_LOWEST_TICKS, 'the book below the band was not touched');
});
