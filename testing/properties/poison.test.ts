// Poison commands, one at a time, in the engine and in the reference: which market or channel
// freezes, which commands it then rejects, which command unfreezes it, and the answer to a repeat.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandFrame, Event } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { order } from '../flows/set-up.ts';
import { type CommandWithoutId, commandOf } from '../reference-models/index.ts';
import { type MakeExchange, makeEngine, makeReference } from './tested-exchange.ts';

const EXCHANGES: readonly [string, MakeExchange][] = [
  ['engine', makeEngine],
  ['reference', makeReference],
];

const VENUE: readonly CommandWithoutId[] = [
  { kind: 'ListAsset', symbol: 'base', scale: 0, issuanceCapAtoms: 1_000n },
  { kind: 'ListAsset', symbol: 'quote', scale: 0, issuanceCapAtoms: 1_000n },
  {
    kind: 'ListMarket',
    base: 1,
    quote: 2,
    lotAtoms: 2n,
    tickMantissa: 1,
    tickScale: 0,
    minPriceTicks: 1,
    maxPriceTicks: 6,
    minSizeLots: 1,
    maxSizeLots: 100,
    referenceTicks: 0,
    status: 'full',
  },
  credit(1),
  order({ user: 1, market: 1, side: 'buy', priceTicks: 2, sizeLots: 1, clientOrderId: 'mine' }),
];
const ORDER = 5;
const FIRST = VENUE.length + 1;

for (const [name, make] of EXCHANGES) {
  test(`a poison order freezes its market until it is voided, in the ${name}`, () => {
    const again = order({ user: 1, market: 1, side: 'buy', priceTicks: 1, sizeLots: 1 });
    const bodies: CommandWithoutId[] = [
      again,
      { kind: 'AmendOrder', user: 1, order: ORDER, priceTicks: 0, sizeLots: 2, stopTicks: 0 },
      { kind: 'SetMarketStatus', market: 1, status: 'full', auctionEndsMs: 0 },
      { ...again },
      { kind: 'VoidCommand', command: FIRST + 1 },
      { kind: 'VoidCommand', command: FIRST },
      { ...again },
      { kind: 'CancelOrder', user: 1, order: ORDER, byOperator: false },
    ];
    assert.deepEqual(run(make, bodies, [FIRST, FIRST + 1]), [
      { kind: 'CommandPoisoned', command: FIRST, market: 1, channel: 0 },
      { kind: 'CommandPoisoned', command: FIRST + 1, market: 1, channel: 0 },
      statusSet(FIRST + 2, 'full'),
      refused(FIRST + 3, 'market_is_frozen'),
      refused(FIRST + 4, 'command_is_not_frozen'),
      { kind: 'CommandVoided', command: FIRST + 5, voided: FIRST },
      statusSet(FIRST + 5, 'cancel-only'),
      refused(FIRST + 6, 'market_does_not_accept_orders'),
      closed(FIRST + 7),
    ]);
  });

  test(`a poison deposit freezes its channel after advancing it, in the ${name}`, () => {
    const bodies = [
      credit(2),
      credit(3),
      credit(4),
      { kind: 'VoidCommand', command: FIRST + 1 } as const,
      { kind: 'VoidCommand', command: FIRST } as const,
      credit(3),
      credit(4),
    ];
    assert.deepEqual(run(make, bodies, [FIRST, FIRST + 1]), [
      { kind: 'CommandPoisoned', command: FIRST, market: 0, channel: 1 },
      { kind: 'CommandPoisoned', command: FIRST + 1, market: 0, channel: 1 },
      refused(FIRST + 2, 'channel_is_frozen'),
      refused(FIRST + 3, 'command_is_not_frozen'),
      { kind: 'CommandVoided', command: FIRST + 4, voided: FIRST },
      credited(FIRST + 5),
      credited(FIRST + 6),
    ]);
  });

  test(`a cancel by client order id freezes the market of its order, in the ${name}`, () => {
    const cancel = { kind: 'CancelOrderByClientId', user: 1 } as const;
    const bodies = [
      { ...cancel, clientOrderId: 'unknown' },
      { ...cancel, clientOrderId: 'mine' },
      { ...cancel, clientOrderId: 'mine' },
    ];
    assert.deepEqual(run(make, bodies, [FIRST, FIRST + 1]), [
      { kind: 'CommandPoisoned', command: FIRST, market: 0, channel: 0 },
      { kind: 'CommandPoisoned', command: FIRST + 1, market: 1, channel: 0 },
      closed(FIRST + 2),
    ]);
  });
}

function credit(channelSequence: number): CommandWithoutId {
  const money = { user: 1, asset: 2, amountAtoms: 100n, reference: '' };
  return { kind: 'CreditDeposit', ...money, channel: 1, channelSequence };
}

function credited(command: number): object {
  const money = { user: 1, asset: 2, amountAtoms: 100n, reference: '' };
  return { kind: 'DepositCredited', command, ...money };
}

function statusSet(command: number, status: string): object {
  return { kind: 'MarketStatusSet', command, market: 1, status, auctionEndsMs: 0 };
}

function refused(command: number, refusal: string): object {
  return { kind: 'CommandRefused', command, refusal, order: 0 };
}

function closed(command: number): object {
  const order = { order: ORDER, user: 1, market: 1, reason: 'canceled_by_user', remainingLots: 1 };
  return { kind: 'OrderClosed', command, ...order, heldAsset: 2, releasedAtoms: 4n };
}

/** Returns the events of these commands, in one frame after the venue's. */
function run(
  make: MakeExchange,
  bodies: readonly CommandWithoutId[],
  poisoned: readonly number[],
): readonly Event[] {
  const exchange = make();
  exchange.apply(frameOf(1, VENUE, 1));
  const { events } = exchange.apply(frameOf(2, bodies, FIRST), new Set(poisoned));
  exchange.audit();
  return events;
}

function frameOf(
  sequence: number,
  bodies: readonly CommandWithoutId[],
  firstNumber: number,
): CommandFrame {
  const commands = bodies.map((body, index) =>
    commandOf({ ...body }, { source: 1, number: firstNumber + index }),
  );
  return {
    sequence,
    epoch: 1,
    timeMs: 1_000 as TimeMs,
    previousHash: new Uint8Array(32),
    commands,
  };
}
