// One user cannot exhaust a shared capacity: user 1 floods a small exchange with every command that
// uses space in a store, and user 2 must still be able to do everything.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyFrame,
  auditExchange,
  createExchange,
  type Exchange,
} from '../../core/engine/index.ts';
import {
  CAPACITY_MAX,
  type CommandFrame,
  type EventFrame,
  INITIAL_LIMITS,
  LIMIT_NAMES,
  type Limits,
} from '../../core/messages/index.ts';
import { GENESIS_LIMITS } from '../../services/sequencer/index.ts';
import { FlowSender } from '../flows/flow-sender.ts';
import { chosenSeed } from '../flows/index.ts';
import { coin, order, setUp, usualMarket } from '../flows/set-up.ts';
import type { CommandWithoutId } from '../reference-models/index.ts';

const FLOODER = 1;
const HONEST = 2;
const WITHDRAWALS = 2;
const FLOOD_COMMANDS = 6_000;
const COINS = 12;

/** Share that limits each capacity. Exhaustive: a new capacity needs a decision here. */
const SHARED_OUT: {
  readonly [Name in keyof Limits]: keyof Limits | 'operators fill it' | 'one each' | 'work' | 'ids';
} = {
  assetsMax: 'operators fill it',
  marketsMax: 'operators fill it',
  channelsMax: 'operators fill it',
  usersMax: 'one each',
  accountsMax: 'accountsPerUserMax',
  ordersMax: 'ordersPerUserMax',
  withdrawalsMax: 'withdrawalsPerUserMax',
  deadManSwitchesMax: 'deadManSwitchesPerUserMax',
  // Gateways number commands, not users; the gateways' rate limits bound a user's share.
  commandWindow: 'ids',
  clientOrderIdWindow: 'clientOrderIdsPerUserMax',
  ordersPerUserMax: 'work',
  fillsPerCommandMax: 'work',
  stopsPerStepMax: 'work',
  switchesPerFrameMax: 'work',
  bandWindowMs: 'work',
  accountsPerUserMax: 'work',
  stopsPerUserMax: 'work',
  withdrawalsPerUserMax: 'work',
  deadManSwitchesPerUserMax: 'work',
  clientOrderIdsPerUserMax: 'work',
  ownOrdersPerCommandMax: 'work',
};

/** Small capacities; each share is half of its capacity. */
const SMALL: Limits = {
  ...INITIAL_LIMITS,
  accountsMax: 15,
  ordersMax: 80,
  withdrawalsMax: 10,
  deadManSwitchesMax: 10,
  clientOrderIdWindow: 40,
  ordersPerUserMax: 40,
  accountsPerUserMax: 7,
  stopsPerUserMax: 10,
  withdrawalsPerUserMax: 5,
  deadManSwitchesPerUserMax: 5,
  clientOrderIdsPerUserMax: 20,
};

/** Refusals that the flood causes for the honest user if one share is missing. */
const TAKEN: { readonly [Name in keyof Limits]?: readonly string[] } = {
  ordersPerUserMax: [
    'order: exchange_order_capacity_reached',
    'stop: exchange_order_capacity_reached',
    'another coin: exchange_order_capacity_reached',
  ],
  accountsPerUserMax: ['another coin: exchange_account_capacity_reached'],
  withdrawalsPerUserMax: ['withdrawal: withdrawals_limit_reached'],
  deadManSwitchesPerUserMax: ['switch: dead_man_switches_limit_reached'],
  clientOrderIdsPerUserMax: ['retry: none'],
};

test('abuse 86: every new exchange allows one user at most a hundredth of every capacity', () => {
  for (const name of LIMIT_NAMES) {
    const share = SHARED_OUT[name];
    if (!(share in GENESIS_LIMITS)) continue;
    const part = GENESIS_LIMITS[share as keyof Limits] / GENESIS_LIMITS[name];
    assert.ok(part <= 1 / 100, `${share} is ${part} of ${name}`);
  }
});

test('abuse 86: a user who floods every store leaves room in each of them for another user', () => {
  const seed = chosenSeed();
  const { exchange, refusals } = flooded(SMALL, seed);
  auditExchange(exchange);
  assert.deepEqual(refusals, [], `seed ${seed}`);
});

for (const [share, taken] of Object.entries(TAKEN)) {
  test(`without ${share}, the same flood exhausts the capacity for the other user`, () => {
    const { refusals } = flooded({ ...SMALL, [share]: CAPACITY_MAX }, chosenSeed());
    assert.deepEqual(refusals, taken);
  });
}

/** User 1 floods, then user 2 sends commands. Returns the refusals of user 2's commands. */
function flooded(limits: Limits, seed: number): { exchange: Exchange; refusals: string[] } {
  const exchange = createExchange(limits);
  const sender = new FlowSender(seed);
  const publish = () => drive(exchange, sender.publish(1));
  const quote = { ...coin('usdt'), scale: 6 };
  const coins = Array.from({ length: COINS }, (_, index) => coin(`c${index}`));
  const assets = [quote, ...coins.map((one) => ({ ...one, fundsAtoms: 0n }))];
  const markets = coins.map((_, index) =>
    usualMarket({ market: index + 1, base: index + 2, quote: 1 }),
  );
  drive(exchange, setUp(sender, { assets, markets, users: [FLOODER, HONEST] }));
  // The honest user closes an order whose ID a late retry will use.
  const retried = { ...order({ user: HONEST, market: 1, side: 'buy', sizeLots: 1 }) };
  sender.send({ ...retried, priceTicks: 5_000, clientOrderId: 'mine' });
  sender.send({ kind: 'CancelOrderByClientId', user: HONEST, clientOrderId: 'mine' });
  publish();
  for (let sent = 0; sent < FLOOD_COMMANDS; sent += 1) {
    flood(sender);
    if (sent % 20 === 0) publish();
  }
  // The flood's last cancellation leaves no free space.
  const bid = { user: FLOODER, side: 'buy', sizeLots: 1, priceTicks: 5_000 } as const;
  for (let sent = 0; sent < limits.ordersMax * COINS; sent += 1) {
    sender.send(order({ ...bid, market: 1 + (sent % COINS) }));
  }
  publish();
  return { exchange, refusals: honestActs(sender, publish) };
}

function flood(sender: FlowSender): void {
  const { random } = sender;
  const dice = random.below(100);
  const market = random.between(1, COINS);
  const body = { user: FLOODER, market, side: 'buy', sizeLots: 1 } as const;
  const seen = sender.orders.pick(random);
  if (dice < 55) {
    const clientOrderId = random.chance(60) ? `f${random.word()}` : '';
    sender.send(order({ ...body, priceTicks: random.between(5_000, 6_000), clientOrderId }));
  } else if (dice < 75) {
    sender.send(order({ ...body, stopTicks: 20_000, priceTicks: 20_000 }));
  } else if (dice < 85 && seen !== undefined && sender.orders.count > 5) {
    const { user, order: number } = seen;
    if (user === FLOODER)
      sender.send({ kind: 'CancelOrder', user, order: number, byOperator: false });
  } else if (dice < 92) {
    const key = random.below(1_000);
    sender.send({ kind: 'SetDeadManSwitch', user: FLOODER, key, timeoutMs: 86_400_000 });
  } else {
    sender.sendFrom(WITHDRAWALS, withdrawalOf(FLOODER, random.word()));
  }
}

function withdrawalOf(user: number, withdrawal: number) {
  const amounts = { asset: 1, amountAtoms: 1n, feeAsset: 1, feeAtoms: 0n, destination: '' };
  return { kind: 'OpenWithdrawal', withdrawal, user, ...amounts } as const;
}

/** Sends every command that uses space in a store, once each, as the honest user. */
function honestActs(sender: FlowSender, publish: () => EventFrame): string[] {
  const body = { user: HONEST, market: 1, side: 'buy', sizeLots: 1, priceTicks: 5_500 } as const;
  const acts: [string, CommandWithoutId | undefined][] = [
    ['order', order({ ...body, clientOrderId: 'new' })],
    ['stop', order({ ...body, stopTicks: 20_000, priceTicks: 20_000 })],
    ['another coin', order({ ...body, market: COINS })],
    ['withdrawal', undefined],
    ['switch', { kind: 'SetDeadManSwitch', user: HONEST, key: 0, timeoutMs: 60_000 }],
    ['retry', order({ ...body, clientOrderId: 'mine' })],
  ];
  return acts.flatMap(([name, command]) => {
    if (command === undefined) sender.sendFrom(WITHDRAWALS, withdrawalOf(HONEST, 0));
    else sender.send(command);
    const refused = publish().events.find((event) => event.kind === 'CommandRefused');
    const refusal = refused?.refusal ?? 'none';
    // Only the retry must be rejected, because the engine remembers its order.
    const isExpected = refusal === (name === 'retry' ? 'client_order_id_already_used' : 'none');
    return isExpected ? [] : [`${name}: ${refusal}`];
  });
}

function drive(exchange: Exchange, flow: Generator<CommandFrame, unknown, EventFrame>): EventFrame {
  let events: EventFrame | undefined;
  let step = flow.next();
  while (step.done !== true) {
    events = applyFrame(exchange, step.value);
    step = flow.next(events);
  }
  assert.ok(events !== undefined);
  return events;
}
