// Rounding never favors the user: splitting an order never leaves a user with more than a single
// order would, and each payer receives at least an atom. Only fees are rounded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CommandFrame, Event } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { chosenSeed, drive, FLOW_NAMES } from '../flows/index.ts';
import { order } from '../flows/set-up.ts';
import { type CommandWithoutId, commandOf } from '../reference-models/index.ts';
import { type MakeExchange, makeEngine, makeReference, sortedAccounts } from './tested-exchange.ts';

const EXCHANGES: readonly [string, MakeExchange][] = [
  ['engine', makeEngine],
  ['reference', makeReference],
];
const TAKER = 9;
const MAKERS = [1, 2, 3];

interface Piece {
  readonly user: number;
  readonly priceTicks: number;
  readonly lots: number;
}

interface Day {
  readonly makerPpm: number;
  readonly takerPpm: number;
  readonly takerSide: 'buy' | 'sell';
  readonly makers: readonly Piece[];
  readonly takerLots: number;
  readonly cuts: readonly number[];
}

const anyDay: fc.Arbitrary<Day> = fc.record({
  makerPpm: fc.integer({ min: 0, max: 500_000 }),
  takerPpm: fc.integer({ min: 0, max: 500_000 }),
  takerSide: fc.constantFrom('buy', 'sell'),
  makers: fc.array(
    fc.record({
      user: fc.constantFrom(...MAKERS),
      priceTicks: fc.integer({ min: 1, max: 6 }),
      lots: fc.integer({ min: 1, max: 12 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  takerLots: fc.integer({ min: 1, max: 60 }),
  cuts: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
});

for (const [name, make] of EXCHANGES) {
  test(`splitting an order never improves the outcome, in the ${name}`, () => {
    const property = fc.property(anyDay, (day) => {
      const inOne = run(make, day, { taker: [day.takerLots], makers: day.makers });
      const taker = cutInto(day.takerLots, day.cuts);
      const makers = day.makers.flatMap((maker) =>
        cutInto(maker.lots, day.cuts).map((lots) => ({ ...maker, lots })),
      );
      assertNoBetter(run(make, day, { taker, makers: day.makers }), inOne);
      assertNoBetter(run(make, day, { taker: [day.takerLots], makers }), inOne);
      assertNoBetter(run(make, day, { taker, makers }), inOne);
    });
    fc.assert(property, { numRuns: 150, seed: chosenSeed() % 2 ** 31 });
  });

  for (const flow of FLOW_NAMES) {
    test(`every payer receives at least an atom in the ${name} under ${flow}`, () => {
      const run = { flow, seed: chosenSeed(), commands: 4_000, apply: make().apply };
      for (const { seen } of drive(run)) for (const event of seen.events) checkTrade(event);
    });
  }
}

function checkTrade(event: Event): void {
  if (event.kind !== 'TradeExecuted') return;
  const takerBuys = event.takerSide === 'buy';
  const buyerFee = takerBuys ? event.takerFeeAtoms : event.makerFeeAtoms;
  const sellerFee = takerBuys ? event.makerFeeAtoms : event.takerFeeAtoms;
  assert.ok(event.baseAtoms - buyerFee >= 1n, `the buyer of trade ${event.trade} gets nothing`);
  assert.ok(event.quoteAtoms - sellerFee >= 1n, `the seller of trade ${event.trade} gets nothing`);
}

function cutInto(lots: number, cuts: readonly number[]): number[] {
  const pieces: number[] = [];
  for (let index = 0, rest = lots; rest > 0; index += 1) {
    const piece = Math.min(rest, cuts[index % cuts.length]);
    pieces.push(piece);
    rest -= piece;
  }
  return pieces;
}

type Totals = Map<string, bigint>;

/**
 * Returns the final totals of all accounts, available and on hold. Lots and ticks are two atoms.
 */
function run(
  make: MakeExchange,
  { makerPpm, takerPpm, takerSide }: Day,
  orders: { taker: readonly number[]; makers: readonly Piece[] },
): Totals {
  const exchange = make();
  const makerSide = takerSide === 'buy' ? 'sell' : 'buy';
  const events = exchange.apply(
    frameOf([
      ...venue(makerPpm, takerPpm),
      ...orders.makers.map(({ user, priceTicks, lots }) =>
        order({ user, market: 1, side: makerSide, priceTicks, sizeLots: lots }),
      ),
      ...orders.taker.map((sizeLots) => {
        const priceTicks = takerSide === 'buy' ? 6 : 1;
        const body = { user: TAKER, market: 1, side: takerSide, priceTicks, sizeLots };
        return order({ ...body, timeInForce: 'IOC' });
      }),
    ]),
  ).events;
  for (const event of events) {
    assert.notEqual(event.kind, 'CommandRefused');
    checkTrade(event);
  }
  const users = sortedAccounts(exchange).filter(({ owner }) => owner > 0);
  return new Map(
    users.map((account) => [
      `${account.owner}/${account.asset}`,
      account.availableAtoms + account.heldAtoms,
    ]),
  );
}

function venue(makerPpm: number, takerPpm: number): CommandWithoutId[] {
  const cap = { scale: 0, issuanceCapAtoms: 1_000_000n };
  const deposits = [...MAKERS, TAKER].flatMap((user) =>
    [1, 2].map((asset) => ({ user, asset, amountAtoms: 10_000n, reference: '' })),
  );
  return [
    { kind: 'ListAsset', symbol: 'base', ...cap },
    { kind: 'ListAsset', symbol: 'quote', ...cap },
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
    { kind: 'SetMarketFees', market: 1, tier: 1, makerPpm, takerPpm },
    ...deposits.map((deposit, index): CommandWithoutId => {
      return { kind: 'CreditDeposit', ...deposit, channel: 1, channelSequence: index + 1 };
    }),
  ];
}

function frameOf(bodies: readonly CommandWithoutId[]): CommandFrame {
  const commands = bodies.map((body, index) =>
    commandOf({ ...body }, { source: 1, number: index + 1 }),
  );
  return {
    sequence: 1,
    epoch: 1,
    timeMs: 1_000 as TimeMs,
    previousHash: new Uint8Array(32),
    commands,
  };
}

function assertNoBetter(inPieces: Totals, inOne: Totals): void {
  for (const [account, atoms] of inOne) {
    const then = inPieces.get(account) ?? 0n;
    assert.ok(then <= atoms, `${account} has ${then} in pieces and ${atoms} in one`);
  }
}
