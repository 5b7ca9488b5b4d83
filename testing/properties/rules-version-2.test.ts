// Rules of version 2 in the engine and in the reference, each compared with version 1: the reserve
// of orders, bands with a reference, and switches that are delayed by their commands and by a
// pause.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CommandFrame, type Event, INITIAL_LIMITS } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { chosenSeed, Random } from '../flows/index.ts';
import { order } from '../flows/set-up.ts';
import { type CommandWithoutId, commandOf } from '../reference-models/index.ts';
import {
  type MakeExchange,
  makeEngine,
  makeReference,
  type TestedExchange,
} from './tested-exchange.ts';

const EXCHANGES: readonly [string, MakeExchange][] = [
  ['engine', makeEngine],
  ['reference', makeReference],
];

/** Sends frames to one exchange with one market, and funds every user. */
class Venue {
  readonly #exchange: TestedExchange;
  #sequence = 0;
  #number = 0;
  #deposits = 0;

  constructor(make: MakeExchange, version: number, limits: Partial<typeof INITIAL_LIMITS> = {}) {
    this.#exchange = make();
    const listing = { base: 1, quote: 2, lotAtoms: 2n, tickMantissa: 1, tickScale: 0 };
    const bounds = { minPriceTicks: 1, maxPriceTicks: 1_000, minSizeLots: 1, maxSizeLots: 1_000 };
    const start = { referenceTicks: 0, status: 'full' } as const;
    this.send([
      { kind: 'SetLimits', ...INITIAL_LIMITS, ...limits },
      { kind: 'SetRulesVersion', version },
      { kind: 'ListAsset', symbol: 'base', scale: 0, issuanceCapAtoms: 10n ** 15n },
      { kind: 'ListAsset', symbol: 'quote', scale: 0, issuanceCapAtoms: 10n ** 15n },
      { kind: 'ListMarket', ...listing, ...bounds, ...start },
    ]);
  }

  fund(...users: number[]): void {
    const credits = users.flatMap((user) =>
      [1, 2].map((asset): CommandWithoutId => {
        const position = { channel: 1, channelSequence: ++this.#deposits };
        const money = { user, asset, amountAtoms: 10n ** 9n, reference: '' };
        return { kind: 'CreditDeposit', ...money, ...position };
      }),
    );
    this.send(credits);
  }

  send(
    bodies: readonly CommandWithoutId[],
    header: { readonly timeMs?: number; readonly pausedMs?: number } = {},
  ): readonly Event[] {
    const frame: CommandFrame = {
      sequence: ++this.#sequence,
      epoch: 1,
      previousHash: new Uint8Array(32),
      commands: bodies.map((body) => commandOf({ ...body }, { source: 1, number: ++this.#number })),
      ...header,
      timeMs: (header.timeMs ?? 0) as TimeMs,
    };
    const { events } = this.#exchange.apply(frame);
    this.#exchange.audit();
    return events;
  }

  /** Returns the refusal of one command, or 'none'. */
  refusalOf(body: CommandWithoutId, timeMs = 0): string {
    const refused = this.send([body], { timeMs }).find(({ kind }) => kind === 'CommandRefused');
    return refused?.kind === 'CommandRefused' ? refused.refusal : 'none';
  }
}

const LIMITS = { ordersMax: 4_096, ordersPerUserMax: 2_500, commandWindow: 8_192 };
const RESERVED = 256;
const IDS_WINDOW = INITIAL_LIMITS.clientOrderIdWindow;

function bid(user: number): CommandWithoutId {
  return order({ user, market: 1, side: 'buy', priceTicks: 1, sizeLots: 1 });
}

/** Returns commands that place and close an order with a client order ID. */
function closed(user: number, clientOrderId: string): CommandWithoutId[] {
  const placed = { ...bid(user), clientOrderId } as CommandWithoutId;
  return [placed, { kind: 'CancelOrderByClientId', user, clientOrderId }];
}

/** Two users of a group place as many orders as they can. Returns how many rest. */
function filled(venue: Venue): number {
  let resting = 0;
  for (const user of [1, 2]) {
    venue.fund(user);
    for (let batch = 0; batch < 25; batch += 1) {
      const events = venue.send(Array.from({ length: 100 }, () => bid(user)));
      resting += events.filter(({ kind }) => kind === 'OrderPlaced').length;
    }
  }
  return resting;
}

for (const [name, make] of EXCHANGES) {
  test(`a group cannot use the last sixteenth of all orders, in the ${name}`, () => {
    const venue = new Venue(make, 2, LIMITS);
    assert.equal(filled(venue), LIMITS.ordersMax - RESERVED);
    assert.equal(venue.refusalOf(bid(2)), 'exchange_order_capacity_reached');
    const newcomers = Array.from({ length: RESERVED }, (_, index) => 100 + index);
    venue.fund(...newcomers);
    const events = venue.send(newcomers.flatMap((user) => [bid(user), bid(user)]));
    const placed = events.filter(({ kind }) => kind === 'OrderPlaced');
    assert.equal(placed.length, RESERVED, 'one order of each');
    venue.fund(50);
    assert.equal(venue.refusalOf(bid(50)), 'exchange_order_capacity_reached', 'all are taken');
  });

  test(`an order that cannot rest does not need a reserved slot, in the ${name}`, () => {
    const venue = new Venue(make, 2, LIMITS);
    filled(venue);
    const taking = order({ user: 2, market: 1, side: 'sell', priceTicks: 1, sizeLots: 1 });
    assert.equal(venue.refusalOf({ ...taking, timeInForce: 'IOC' }), 'none');
  });

  test(`in version 1 a group can use all orders, in the ${name}`, () => {
    const venue = new Venue(make, 1, LIMITS);
    assert.equal(filled(venue), LIMITS.ordersMax);
    venue.fund(100);
    assert.equal(venue.refusalOf(bid(100)), 'exchange_order_capacity_reached');
  });

  test(`a band needs a reference, in the ${name}`, () => {
    const band = { kind: 'SetPriceBand', market: 1, slippagePpm: 0 } as const;
    const venue = new Venue(make, 2);
    const without = { ...band, bandPpm: 100_000, referenceTicks: 0 };
    assert.equal(venue.refusalOf(without), 'band_needs_a_reference_price');
    assert.equal(venue.refusalOf({ ...without, bandPpm: 0 }), 'none');
    assert.equal(venue.refusalOf({ ...without, referenceTicks: 100 }), 'none');
    assert.equal(venue.refusalOf({ ...without, bandPpm: 200_000 }), 'none', 'it has one now');
    assert.equal(new Venue(make, 1).refusalOf(without), 'none');
  });

  test(`the first sweep of a market with a band stays inside it, in the ${name}`, () => {
    const venue = new Venue(make, 2);
    venue.fund(1, 2);
    const band = { bandPpm: 100_000, slippagePpm: 0, referenceTicks: 100 };
    venue.send([{ kind: 'SetPriceBand', market: 1, ...band }]);
    const asks = [100, 110, 500].map((priceTicks) =>
      order({ user: 1, market: 1, side: 'sell', priceTicks, sizeLots: 1 }),
    );
    venue.send(asks);
    const sweep = order({ user: 2, market: 1, side: 'buy', type: 'market', sizeLots: 3 });
    const events = venue.send([{ ...sweep, timeInForce: 'IOC' }]);
    const prices = events.flatMap((one) => (one.kind === 'TradeExecuted' ? [one.priceTicks] : []));
    assert.deepEqual(prices, [100, 110]);
  });

  test(`a group cannot make the exchange forget a user's IDs, in the ${name}`, () => {
    for (const version of [1, 2]) {
      const venue = new Venue(make, version, { clientOrderIdsPerUserMax: 500 });
      venue.fund(1, 2, 3, 4);
      for (let id = 0; id < 200; id += 1) venue.send(closed(1, `mine-${id}`));
      for (let id = 0; id < 600; id += 1) {
        venue.send([2, 3, 4].flatMap((user) => closed(user, `id-${id}`)));
      }
      const retry = { ...bid(1), clientOrderId: 'mine-0' } as CommandWithoutId;
      const expected = version === 1 ? 'none' : 'client_order_id_already_used';
      assert.equal(venue.refusalOf(retry), expected);
    }
  });

  test(`old IDs of a group make room for IDs of an active user, in the ${name}`, () => {
    for (const elapsedMs of [599_000, 600_000]) {
      const venue = new Venue(make, 2);
      venue.fund(1, 2, 3, 4, 5);
      for (let id = 0; id < IDS_WINDOW / 4; id += 1) {
        venue.send([2, 3, 4, 5].flatMap((user) => closed(user, `id-${id}`)));
      }
      const mine = Array.from({ length: 900 }, (_, id) => closed(1, `mine-${id}`)).flat();
      venue.send(mine, { timeMs: elapsedMs });
      const retry = { ...bid(1), clientOrderId: 'mine-0' } as CommandWithoutId;
      const expected = elapsedMs < 600_000 ? 'none' : 'client_order_id_already_used';
      assert.equal(venue.refusalOf(retry, elapsedMs), expected);
    }
  });

  test(`for ten minutes one user's flood displaces no other user's ID, in the ${name}`, () => {
    const seed = chosenSeed();
    const random = new Random(seed);
    const venue = new Venue(make, 2, { clientOrderIdsPerUserMax: 900 });
    venue.fund(1, 2, 3, 4);
    const closings: { readonly user: number; readonly id: string; readonly timeMs: number }[] = [];
    let timeMs = 0;
    for (let frame = 0; frame < 150; frame += 1) {
      timeMs += random.below(12_000);
      const commands = Array.from({ length: 20 }, (_, at) => {
        const user = random.chance(80) ? 4 : random.between(1, 3);
        const id = `id-${frame}-${at}`;
        if (user !== 4) closings.push({ user, id, timeMs });
        return closed(user, id);
      });
      venue.send(commands.flat(), { timeMs });
      const recent = closings.filter((one) => one.timeMs > timeMs - 599_000);
      if (recent.length === 0) continue;
      const { id, user } = random.chance(50) ? recent[0] : random.pick(recent);
      const retry = { ...bid(user), clientOrderId: id } as CommandWithoutId;
      assert.equal(venue.refusalOf(retry, timeMs), 'client_order_id_already_used', `seed ${seed}`);
    }
  });

  const arm = { kind: 'SetDeadManSwitch', user: 1, key: 0, timeoutMs: 5_000 } as const;
  const fires = (events: readonly Event[]) =>
    events.some(({ kind }) => kind === 'DeadManSwitchFired');

  test(`a switch is delayed until the command in its frame that names it, in the ${name}`, () => {
    for (const version of [1, 2]) {
      const venue = new Venue(make, version);
      venue.send([arm], { timeMs: 1_000 });
      const isFired = fires(venue.send([arm], { timeMs: 6_400 }));
      assert.equal(isFired, version === 1);
      assert.equal(fires(venue.send([], { timeMs: 11_399 })), false);
      assert.equal(fires(venue.send([], { timeMs: 11_400 })), true);
    }
  });

  test(`a rejected command delays a switch only by its frame, in the ${name}`, () => {
    const venue = new Venue(make, 2);
    venue.send([arm], { timeMs: 1_000 });
    const refused = { ...arm, timeoutMs: 1 };
    assert.equal(fires(venue.send([refused], { timeMs: 6_000 })), false);
    assert.equal(fires(venue.send([], { timeMs: 6_000 })), true);
  });

  test(`the duration of a pause does not count for a switch, in the ${name}`, () => {
    for (const version of [1, 2]) {
      const venue = new Venue(make, version);
      venue.send([arm], { timeMs: 1_000 });
      const events = venue.send([], { timeMs: 8_400, pausedMs: 6_400 });
      assert.equal(fires(events), version === 1);
      if (version === 1) continue;
      assert.deepEqual(events, [
        { kind: 'DeadManSwitchSet', command: 0, user: 1, key: 0, deadlineMs: 12_400 },
      ]);
      assert.equal(fires(venue.send([], { timeMs: 12_399 })), false);
      assert.equal(fires(venue.send([], { timeMs: 12_400 })), true);
    }
  });
}

test('a group smaller than the reserve never prevents a new user from placing an order', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const random = new Random(seed);
    const venue = new Venue(makeEngine, 2, LIMITS);
    const group = RESERVED - 1;
    venue.fund(...Array.from({ length: group }, (_, index) => index + 1));
    for (let frame = 0; frame < 60; frame += 1) {
      const bodies = Array.from({ length: 100 }, () => bid(random.between(1, group)));
      if (random.chance(20)) {
        bodies.push({
          kind: 'CancelAllOrders',
          user: random.between(1, group),
          market: 0,
          byOperator: false,
        });
      }
      venue.send(bodies);
    }
    venue.fund(1_000);
    assert.equal(venue.refusalOf(bid(1_000)), 'none', `seed ${seed}`);
  }
});
