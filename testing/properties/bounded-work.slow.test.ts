// A command does bounded work, however many orders its sender has. Times rejected orders that walk
// over 10,000 of the sender's own orders against plain orders in the same exchange.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyFrame, createExchange } from '../../core/engine/index.ts';
import { GENESIS_LIMITS } from '../../services/sequencer/index.ts';
import { FlowSender } from '../flows/flow-sender.ts';
import { coin, order, setUp, USDT, usualMarket } from '../flows/set-up.ts';
import type { CommandWithoutId } from '../reference-models/index.ts';

const OWNER = 1;
const PLAIN = 2;
const OWN_ORDERS = 10_000;
const COMMANDS = 64;
const ROUNDS = 60;
/** Measured: 1.1. Without the bound: 68 and 37. */
const RATIO_MAX = 8;

const LIMITS = {
  ...GENESIS_LIMITS,
  usersMax: 2_048,
  accountsMax: 8_192,
  ordersMax: 1 << 15,
  commandWindow: 1 << 14,
  clientOrderIdWindow: 1 << 14,
};

const exchange = createExchange(LIMITS);
const sender = new FlowSender(1);

function publish(): void {
  drive(sender.publish(1));
}

function drive(flow: ReturnType<FlowSender['publish']>): void {
  let step = flow.next();
  while (step.done !== true) step = flow.next(applyFrame(exchange, step.value));
}

/** Returns the microseconds per command in the fastest round. */
function timed(command: () => CommandWithoutId): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let sent = 0; sent < COMMANDS; sent += 1) sender.send(command());
    const startMs = performance.now();
    publish();
    fastest = Math.min(fastest, performance.now() - startMs);
  }
  return (fastest * 1_000) / COMMANDS;
}

test('abuse 87: a rejected order over 10,000 own orders costs about as much as a plain one', () => {
  const markets = [usualMarket({ market: 1, base: 2, quote: 1 })];
  drive(setUp(sender, { assets: [USDT, coin('btc')], markets, users: [OWNER, PLAIN] }));
  const ask = { user: OWNER, market: 1, side: 'sell', sizeLots: 1 } as const;
  for (let number = 0; number < OWN_ORDERS; number += 1) {
    sender.send(order({ ...ask, priceTicks: 10_000 + (number % 50) }));
    if (number % 100 === 0) publish();
  }
  publish();
  const plain = timed(() =>
    order({ user: PLAIN, market: 1, side: 'buy', sizeLots: 1, priceTicks: 5_000 }),
  );
  const buy = { user: OWNER, market: 1, side: 'buy', selfTrade: 'cancel_oldest' } as const;
  const taking = { ...buy, sizeLots: 1_000, priceTicks: 11_000 };
  const refused: Record<string, () => CommandWithoutId> = {
    'a FOK order': () => order({ ...taking, timeInForce: 'FOK' }),
    'a market order': () => order({ ...taking, type: 'market', timeInForce: 'IOC', priceTicks: 0 }),
  };
  for (const [name, command] of Object.entries(refused)) {
    const ratio = timed(command) / plain;
    assert.ok(ratio <= RATIO_MAX, `${name} costs ${ratio.toFixed(1)} plain orders`);
  }
});
