// Poison commands, from the failure to the void: the fault names the command, the torn exchange is
// not used again, a restored one freezes the command's market or channel, and voiding unfreezes
// it. The tests cause failures by corrupting a hold directly.

import assert from 'node:assert/strict';
import test from 'node:test';
import { compileSentences } from '../../testing/scenarios/compile-scenario.ts';
import type { CommandFrame, Event } from '../messages/index.ts';
import type { AssetId, CommandNumber, MarketId } from '../money/index.ts';
import { applyFrame } from './apply-frame.ts';
import { auditExchange } from './audit.ts';
import { createExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';
import { PoisonFault, SWITCHES_STEP, timeStepNumber } from './poison.ts';
import { restoreExchange } from './restore.ts';
import { hashExchange, snapshotExchange } from './snapshot.ts';
import { bookOf } from './views.ts';

const BTC = 1 as AssetId;
const USDT = 2 as AssetId;
const MARKET = 1 as MarketId;
const BOB = 2;

interface Scripted {
  readonly exchange: Exchange;
  readonly log: CommandFrame[];
  frameOf(...sentences: string[]): CommandFrame;
  apply(...sentences: string[]): readonly Event[];
}

/** An exchange after these sentences, each in its own frame, with its log. */
function open(...sentences: string[]): Scripted {
  return openWith(['market btc-usdt: reference 100'], sentences);
}

function openWith(setUp: string[], sentences: string[]): Scripted {
  const exchange = createExchange();
  const script = compileSentences(setUp, ['alice', 'bob']);
  const log = script.setUp.map(({ frame }) => frame);
  for (const frame of log) applyFrame(exchange, frame);
  const frameOf = (...more: string[]) => {
    const { frame } = script.nextStep(more);
    log.push(frame);
    return frame;
  };
  const apply = (...more: string[]) => applyFrame(exchange, frameOf(...more)).events;
  for (const sentence of sentences) apply(sentence);
  return { exchange, log, frameOf, apply };
}

function spoilHold({ ledger }: Exchange, owner: number, asset: AssetId): void {
  ledger.accounts.setHeldAtoms(ledger.accounts.find(owner, asset), 0n);
}

function faultOf(exchange: Exchange, frame: CommandFrame): PoisonFault {
  try {
    applyFrame(exchange, frame);
  } catch (fault) {
    assert.ok(fault instanceof PoisonFault, String(fault));
    return fault;
  }
  return assert.fail('the frame was applied');
}

function refusalsOf(events: readonly Event[]): string[] {
  return events.flatMap((event) => (event.kind === 'CommandRefused' ? [event.refusal] : []));
}

/** Replays the log from the start with these commands poisoned. */
function replayed(log: readonly CommandFrame[], poisoned: ReadonlySet<number>): Exchange {
  const exchange = createExchange();
  for (const frame of log) applyFrame(exchange, frame, poisoned);
  return exchange;
}

const FAILURES: Record<string, { before: string[]; owner: number; asset: AssetId; fails: string }> =
  {
    'a fill above the hold of the resting order': {
      before: ['bob sells 1 at 100', 'alice buys 1 at 90'],
      owner: BOB,
      asset: BTC,
      fails: 'alice buys 2 at 100',
    },
    'a cancel with nothing held': {
      before: ['bob buys 1 at 80', 'alice buys 1 at 90'],
      owner: BOB,
      asset: USDT,
      fails: 'bob cancels b1',
    },
    'an amend that releases more than held': {
      before: ['bob buys 1 at 80', 'alice buys 1 at 90'],
      owner: BOB,
      asset: USDT,
      fails: 'bob amends b1 to 0.5',
    },
    'a withdrawal with nothing held': {
      before: ['bob withdraws 5 btc as w1', 'alice buys 1 at 90'],
      owner: BOB,
      asset: BTC,
      fails: 'withdrawal w1 completes',
    },
  };

for (const [name, { before, owner, asset, fails }] of Object.entries(FAILURES)) {
  test(`${name}: restore and replay equal a run with the poison listed from the start`, () => {
    const scripted = open(...before);
    const healthy = snapshotExchange(scripted.exchange).slice();
    spoilHold(scripted.exchange, owner, asset);
    // The command that fails is the second of three in its frame.
    const frame = scripted.frameOf('alice sells 1 at 120', fails, 'alice sells 1 at 121');
    const number = (scripted.exchange.commandsApplied + 2) as CommandNumber;
    const fault = faultOf(scripted.exchange, frame);
    assert.equal(fault.poison, number);
    assert.match(fault.message, new RegExp(`command ${number} is poison: AssertionFault: `));
    assert.equal((fault.cause as Error).name, 'AssertionFault');

    const next = scripted.frameOf('alice sells 1 at 122');
    assert.throws(() => applyFrame(scripted.exchange, frame), /torn exchange is not used again/);
    assert.throws(() => applyFrame(scripted.exchange, next), /torn exchange is not used again/);

    const poisoned = new Set<number>([number]);
    const restored = restoreExchange(healthy);
    for (const again of [frame, next]) applyFrame(restored, again, poisoned);
    auditExchange(restored);
    assert.equal(hashExchange(restored), hashExchange(replayed(scripted.log, poisoned)));
  });
}

test('a poison command freezes its market: orders are refused and canceling works', () => {
  const scripted = open('bob sells 1 at 100', 'alice buys 1 at 90');
  const poison = (scripted.exchange.commandsApplied + 1) as CommandNumber;
  const { events } = applyFrame(
    scripted.exchange,
    scripted.frameOf('alice buys 1 at 100'),
    new Set([poison]),
  );
  assert.deepEqual(events, [
    { kind: 'CommandPoisoned', command: poison, market: MARKET, channel: 0 },
  ]);
  assert.deepEqual(bookOf(scripted.exchange, MARKET).asks[0].orders.length, 1, 'nothing traded');
  assert.deepEqual(refusalsOf(scripted.apply('bob sells 1 at 101', 'alice amends a1 to 0.5')), [
    'market_is_frozen',
    'market_is_frozen',
  ]);
  const closed = scripted.apply('alice cancels a1').map(({ kind }) => kind);
  assert.deepEqual(closed, ['OrderClosed']);

  const voided = scripted.apply('status is full', 'bob sells 1 at 102');
  assert.deepEqual(refusalsOf(voided), ['market_is_frozen'], 'a status does not thaw');
  voidCommand(scripted, poison);
  assert.equal(scripted.exchange.markets[0].status, 'cancel-only');
  assert.deepEqual(refusalsOf(scripted.apply('bob sells 1 at 103', 'bob cancels b1')), [
    'market_does_not_accept_orders',
  ]);
  assert.deepEqual(refusalsOf(scripted.apply('status is full', 'bob sells 1 at 104')), []);
});

test('a poison command advances and freezes its channel, and voiding unfreezes it', () => {
  const scripted = open();
  const poison = (scripted.exchange.commandsApplied + 1) as CommandNumber;
  const before = scripted.exchange.channelSequences[1];
  applyFrame(scripted.exchange, scripted.frameOf('alice deposits 5 btc'), new Set([poison]));
  assert.equal(scripted.exchange.channelSequences[1], before + 1);
  assert.equal(scripted.exchange.channelsFrozenBy[1], poison);
  voidCommand(scripted, poison);
  assert.equal(scripted.exchange.channelsFrozenBy[1], 0);
  assert.deepEqual(refusalsOf(scripted.apply('alice deposits 5 btc')), []);
  assert.equal(scripted.exchange.channelSequences[1], before + 2);
});

test('a poison direct trade freezes its market and its channel, and voiding unfreezes both', () => {
  const scripted = open();
  const poison = (scripted.exchange.commandsApplied + 1) as CommandNumber;
  const frame = scripted.frameOf('alice buys 1 at 100 directly from bob');
  const { events } = applyFrame(scripted.exchange, frame, new Set([poison]));
  const channel = frame.commands.flatMap((one) => ('channel' in one ? [one.channel] : []))[0];
  assert.deepEqual(events, [{ kind: 'CommandPoisoned', command: poison, market: MARKET, channel }]);
  assert.equal(scripted.exchange.markets[0].frozenBy, poison);
  assert.equal(scripted.exchange.channelsFrozenBy[channel], poison);
  voidCommand(scripted, poison);
  assert.equal(scripted.exchange.markets[0].frozenBy, 0);
  assert.equal(scripted.exchange.channelsFrozenBy[channel], 0);
});

test('a market stays frozen by its first poison command until that one is voided', () => {
  const scripted = open();
  const first = (scripted.exchange.commandsApplied + 1) as CommandNumber;
  const second = (first + 1) as CommandNumber;
  const frame = scripted.frameOf('alice buys 1 at 100', 'bob buys 1 at 100');
  applyFrame(scripted.exchange, frame, new Set([first, second]));
  assert.equal(scripted.exchange.markets[0].frozenBy, first);
  for (const wrong of [0, second, 99] as CommandNumber[]) {
    assert.deepEqual(refusalsOf(voidCommand(scripted, wrong)), ['command_is_not_frozen']);
  }
  assert.equal(scripted.exchange.markets[0].frozenBy, first);
  assert.deepEqual(refusalsOf(voidCommand(scripted, first)), []);
});

function withTime(scripted: Scripted, sentence: string): CommandFrame {
  const frame = scripted.frameOf(sentence);
  return { ...frame, timeMs: (frame.timeMs + 5_000) as typeof frame.timeMs };
}

test('a failing switch tears the exchange; as poison it is disarmed without firing', () => {
  const scripted = open('bob buys 1 at 80', 'bob arms a switch of 5s');
  const healthy = snapshotExchange(scripted.exchange).slice();
  spoilHold(scripted.exchange, BOB, USDT);
  const frame = withTime(scripted, 'alice buys 1 at 90');
  const { poison, message } = faultOf(scripted.exchange, frame);
  assert.equal(poison, timeStepNumber(frame.sequence, SWITCHES_STEP));
  assert.match(message, /^time step \d+ is poison: .*a release is covered by held/);
  assert.throws(() => applyFrame(scripted.exchange, frame), /torn exchange is not used again/);

  const restored = restoreExchange(healthy);
  const { events } = applyFrame(restored, frame, new Set([poison]));
  assert.deepEqual(events.slice(0, 2), [
    { kind: 'DeadManSwitchSet', command: 0, user: BOB, key: 0, deadlineMs: 0 },
    { kind: 'CommandPoisoned', command: 0, market: 0, channel: 0 },
  ]);
  assert.equal(restored.switches.size, 0);
  assert.equal(bookOf(restored, MARKET).bids.length, 2, "bob's order still rests");
  auditExchange(restored);
});

test('a stop that fails at the start of a frame freezes its market until voided', () => {
  const setUp = ['market btc-usdt: reference 100', 'limit stopsPerStepMax is 1'];
  const scripted = openWith(setUp, [
    'bob stop-sells 1 at 95 limit 80',
    'bob stop-sells 1 at 95 limit 80',
    'alice buys 4 at 94',
    'bob sells 1 at 94',
  ]);
  const ready = bookOf(scripted.exchange, MARKET).stops.filter((stop) => stop.ready);
  assert.equal(ready.length, 1, 'one stop waits for the next frame');
  const healthy = snapshotExchange(scripted.exchange).slice();
  const last = scripted.exchange.commandsApplied as CommandNumber;
  spoilHold(scripted.exchange, BOB, BTC);
  const frame = scripted.frameOf('alice buys 1 at 90');
  const { poison } = faultOf(scripted.exchange, frame);
  assert.equal(poison, timeStepNumber(frame.sequence, MARKET));

  const restored = restoreExchange(healthy);
  const { events } = applyFrame(restored, frame, new Set([poison]));
  const frozen = { kind: 'CommandPoisoned', command: 0, market: MARKET, channel: 0 };
  assert.deepEqual(events[0], frozen);
  assert.deepEqual(refusalsOf(events), ['market_is_frozen']);
  assert.equal(bookOf(restored, MARKET).stops.length, 1, 'the stop still waits');
  const { command, ...voided } = voidCommand({ ...scripted, exchange: restored }, last)[0];
  assert.deepEqual(voided, { kind: 'CommandVoided', voided: last });
  assert.equal(command, restored.commandsApplied);
  auditExchange(restored);
});

function voidCommand(scripted: Scripted, command: CommandNumber): readonly Event[] {
  const frame = scripted.frameOf('next frame');
  const number = 1_000 + frame.sequence;
  const commands = [{ kind: 'VoidCommand', source: 9, number, command } as const];
  return applyFrame(scripted.exchange, { ...frame, commands }).events;
}
