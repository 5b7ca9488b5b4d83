// Incident 21, BitShares: rounding let a party pay something for nothing. Here every fill leaves
// both sides at least an atom, and splitting an order never improves its owner's result.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsOf, applyFrame, createExchange } from '../../../core/engine/index.ts';
import type { TradeExecuted } from '../../../core/messages/index.ts';
import { FLOW_NAMES, FLOWS, Random } from '../../flows/index.ts';
import { drive, openScripted } from './scripted-exchange.ts';

const ALICE = 1;
const TINY_LOTS =
  'market btc-usdt: tick 1, lot 0.00000002, prices 1 to 1000, sizes 0.00000002 to 1';

function assertBothReceive(trade: TradeExecuted): void {
  const { takerSide, baseAtoms, quoteAtoms, takerFeeAtoms, makerFeeAtoms } = trade;
  const [takerGets, makerGets] =
    takerSide === 'buy' ? [baseAtoms, quoteAtoms] : [quoteAtoms, baseAtoms];
  assert.ok(takerFeeAtoms >= 0n && takerGets - takerFeeAtoms >= 1n, 'the taker gets something');
  assert.ok(makerFeeAtoms >= 0n && makerGets - makerFeeAtoms >= 1n, 'the maker gets something');
}

test('incident 21: in any sequence of fills, each payer receives at least an atom', () => {
  let trades = 0;
  for (const name of FLOW_NAMES) {
    const exchange = createExchange();
    drive(FLOWS[name](21), 150, (frame) => {
      const events = applyFrame(exchange, frame);
      for (const event of events.events) {
        if (event.kind !== 'TradeExecuted') continue;
        assertBothReceive(event);
        trades += 1;
      }
      return events;
    });
  }
  assert.ok(trades > 500, `only ${trades} trades`);
});

/** Alice's final balances when she takes the same size in these parts. */
function outcomeOf(options: { verb: string; ppm: number; parts: readonly number[] }) {
  const { verb, ppm, parts } = options;
  const rate = `${ppm / 10_000}%`;
  const { exchange, apply } = openScripted(
    [TINY_LOTS, `fees are maker ${rate}, taker ${rate}`, 'limit ordersPerUserMax is 1,000'],
    ['alice', 'bob'],
  );
  apply(`bob ${verb === 'buys' ? 'sells' : 'buys'} 0.00001 at 3`);
  const size = (lots: number) => (lots * 0.00000002).toFixed(8);
  const events = apply(...parts.map((lots) => `alice ${verb} ${size(lots)} at 3`));
  assert.ok(!events.some((event) => event.kind === 'CommandRefused'));
  const [btc, usdt] = accountsOf(exchange).filter(({ owner }) => owner === ALICE);
  return { btcAtoms: btc.availableAtoms, usdtAtoms: usdt.availableAtoms };
}

test('incident 21: splitting an order never improves its outcome', () => {
  const random = new Random(21);
  for (let round = 0; round < 30; round += 1) {
    const ppm = random.pick([0, 1, 33, 1_000, 333_333, 500_000]);
    const verb = random.pick(['buys', 'sells']);
    const parts = Array.from({ length: random.between(2, 8) }, () => random.between(1, 40));
    const size = parts.reduce((sum, lots) => sum + lots, 0);
    const whole = outcomeOf({ verb, ppm, parts: [size] });
    const split = outcomeOf({ verb, ppm, parts });
    assert.ok(split.btcAtoms <= whole.btcAtoms, `${verb} ${parts} at ${ppm} ppm gained btc`);
    assert.ok(split.usdtAtoms <= whole.usdtAtoms, `${verb} ${parts} at ${ppm} ppm gained usdt`);
  }
});
