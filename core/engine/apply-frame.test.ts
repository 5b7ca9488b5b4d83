// The engine's entry point: frames apply in order, time never goes back, and an exchange is not
// used again after a failure.

import assert from 'node:assert/strict';
import test from 'node:test';
import { compileSentences } from '../../testing/scenarios/compile-scenario.ts';
import type { CommandFrame } from '../messages/index.ts';
import type { AssetId, TimeMs } from '../money/index.ts';
import { applyFrame } from './apply-frame.ts';
import { createExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';
import { hashExchange } from './snapshot.ts';

const ALICE = 1;
const USDT = 2 as AssetId;

function open(): { exchange: Exchange; frameOf: (...sentences: string[]) => CommandFrame } {
  const exchange = createExchange();
  const script = compileSentences([], ['alice']);
  for (const { frame } of script.setUp) applyFrame(exchange, frame);
  return { exchange, frameOf: (...sentences) => script.nextStep(sentences).frame };
}

test('a frame out of order is rejected and leaves the exchange usable', () => {
  const { exchange, frameOf } = open();
  const frame = frameOf('alice buys 1 at 90');
  for (const sequence of [frame.sequence - 1, frame.sequence + 1]) {
    const wrong = { ...frame, sequence };
    assert.throws(() => applyFrame(exchange, wrong), /frames are applied in order, without gaps/);
  }
  assert.equal(applyFrame(exchange, frame).events.length, 1);
});

test('engine time is the largest frame time so far', () => {
  const { exchange, frameOf } = open();
  const now = exchange.timeMs;
  const at = (timeMs: number) => ({ ...frameOf('next frame'), timeMs: timeMs as TimeMs });
  const seen = [now + 5, now - 1_000, now + 5, now + 6].map(
    (timeMs) => applyFrame(exchange, at(timeMs)).timeMs - now,
  );
  assert.deepEqual(seen, [5, 5, 5, 6]);
});

test('an event frame has the number of its first command', () => {
  const { exchange, frameOf } = open();
  const before = exchange.commandsApplied;
  const first = applyFrame(exchange, frameOf('alice buys 1 at 90', 'alice buys 1 at 91'));
  const empty = applyFrame(exchange, frameOf('next frame'));
  const last = applyFrame(exchange, frameOf('alice cancels all'));
  const heads = [first, empty, last].map(({ sequence, firstCommand }) => [
    sequence - first.sequence,
    firstCommand - before,
  ]);
  assert.deepEqual(heads, [
    [0, 1],
    [1, 3],
    [2, 3],
  ]);
  assert.deepEqual(
    last.events.map(({ command }) => command - before),
    [3, 3],
  );
});

test('an empty frame at the same time changes nothing', () => {
  const { exchange, frameOf } = open();
  const before = hashExchange(exchange);
  assert.deepEqual(applyFrame(exchange, frameOf('next frame')).events, []);
  assert.equal(hashExchange(exchange), before);
});

test('an exchange is not used again after a failure', () => {
  const { exchange, frameOf } = open();
  applyFrame(exchange, frameOf('alice buys 1 at 90'));
  const { accounts } = exchange.ledger;
  accounts.setHeldAtoms(accounts.find(ALICE, USDT), 0n);
  const frame = frameOf('alice cancels a1');
  assert.throws(() => applyFrame(exchange, frame), { name: 'PoisonFault' });
  assert.throws(() => applyFrame(exchange, frame), /torn exchange is not used again/);
  const next = frameOf('next frame');
  assert.throws(() => applyFrame(exchange, next), /torn exchange is not used again/);
});

test('a frame ends with the command that reaches its limit of visited orders', () => {
  const sweeps = ['bob sells 2 market', 'bob sells 2 market', 'bob sells 1 market'];
  const bids = ['alice buys 1 at 90', 'alice buys 1 at 91', 'alice buys 1 at 92'];
  const opened = () => {
    const exchange = createExchange();
    const script = compileSentences([], ['alice', 'bob']);
    for (const { frame } of script.setUp) applyFrame(exchange, frame);
    for (const bid of [...bids, ...bids]) applyFrame(exchange, script.nextStep([bid]).frame);
    return { exchange, frame: script.nextStep(sweeps).frame };
  };
  // Each order of a sweep is visited by the walk before it and by the match.
  for (const [visitsMax, applied] of [
    [0, 1],
    [4, 1],
    [5, 2],
    [8, 2],
    [9, 3],
    [Number.POSITIVE_INFINITY, 3],
  ]) {
    const cut = opened();
    const whole = opened();
    const before = cut.exchange.commandsApplied;
    const events = applyFrame(cut.exchange, cut.frame, undefined, visitsMax);
    assert.equal(cut.exchange.commandsApplied - before, applied, `with ${visitsMax}`);
    const commands = whole.frame.commands.slice(0, applied);
    assert.deepEqual(events, applyFrame(whole.exchange, { ...whole.frame, commands }));
    assert.equal(hashExchange(cut.exchange), hashExchange(whole.exchange));
  }
});

test('canceled orders and triggered stops count as visited', () => {
  const exchange = createExchange();
  const script = compileSentences(['market btc-usdt: reference 100'], ['alice', 'bob']);
  for (const { frame } of script.setUp) applyFrame(exchange, frame);
  const visitsOf = (...sentences: string[]) => {
    applyFrame(exchange, script.nextStep(sentences).frame);
    return exchange.books.visits;
  };
  assert.equal(visitsOf('alice buys 1 at 90', 'alice buys 1 at 91'), 0);
  assert.equal(visitsOf('bob stop-sells 1 at 85 limit 80', 'bob stop-sells 1 at 84 limit 80'), 0);
  assert.equal(visitsOf('alice cancels all'), 2);
  assert.equal(visitsOf('alice buys 1 at 83', 'bob sells 1 market'), 4);
});

test('a frame does not end before the command for which a due switch has waited', () => {
  const given = ['rules version is 2'];
  const late = ['bob sells 1 market', 'alice arms a switch of 1s', 'bob sells 1 market'];
  const opened = () => {
    const exchange = createExchange();
    const script = compileSentences(given, ['alice', 'bob']);
    for (const { frame } of script.setUp) applyFrame(exchange, frame);
    const early = ['alice buys 1 at 90', 'alice buys 1 at 91', 'alice arms a switch of 1s'];
    applyFrame(exchange, script.nextStep(early).frame);
    const frame = script.nextStep(late).frame;
    return { exchange, frame: { ...frame, timeMs: (exchange.timeMs + 1_000) as TimeMs } };
  };
  const [cut, replayed] = [opened(), opened()];
  const before = cut.exchange.commandsApplied;
  const events = applyFrame(cut.exchange, cut.frame, undefined, 1);
  const commands = cut.frame.commands.slice(0, cut.exchange.commandsApplied - before);
  assert.equal(commands.length, 2);
  assert.deepEqual(events, applyFrame(replayed.exchange, { ...replayed.frame, commands }));
  assert.equal(hashExchange(cut.exchange), hashExchange(replayed.exchange));
});
