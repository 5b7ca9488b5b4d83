// Cuts a frame after any command: batches, records and poison flags stay with their commands.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { Command, CommandFrame } from '../../core/messages/index.ts';
import type { KeyId, MarketId, TimeMs, UserId } from '../../core/money/index.ts';
import { countWhileDue, cutFrame } from './cut-frame.ts';

const FIRST_COMMAND = 101;

function cancelAll(number: number): Command {
  const user = { user: 1 as UserId, market: 0 as MarketId, byOperator: false };
  return { kind: 'CancelAllOrders', source: 7, number, ...user };
}

function frameOf(poisoned?: readonly number[]): CommandFrame {
  const header = { sequence: 9, epoch: 2, timeMs: 5 as TimeMs, previousHash: new Uint8Array(32) };
  const commands = [1, 2, 3].map(cancelAll);
  return { ...header, commands, ...(poisoned === undefined ? undefined : { poisoned }) };
}

test('a frame that cannot be cut before its re-arms has at most 256 other commands', () => {
  const others = Array.from({ length: 300 }, (_, at) => cancelAll(at));
  const user = 1 as UserId;
  const switched = { user, key: 0 as KeyId, timeoutMs: 5_000 };
  const rearm: Command = { kind: 'SetDeadManSwitch', source: 7, number: 1_000, ...switched };
  const rearms = others.map(() => rearm);
  assert.equal(countWhileDue([...others, rearm]), 256);
  assert.equal(countWhileDue([...rearms, ...others]), 556);
  assert.equal(countWhileDue([...rearms, ...others.slice(0, 256), rearm]), 557);
});

test('a frame whose commands all fit is unchanged', () => {
  for (const frame of [frameOf(), frameOf([102]), { ...frameOf([-5]), commands: [] }]) {
    const cut = cutFrame(frame, FIRST_COMMAND, frame.commands.length);
    assert.deepEqual(cut, { frame, missed: [] });
  }
});

test('poison up to the cut is flagged in the frame; later poison is named by its ID', () => {
  const { frame, missed } = cutFrame(frameOf([-5, 101, 102, 103]), FIRST_COMMAND, 2);
  assert.deepEqual(frame, { ...frameOf([-5, 101, 102]), commands: [1, 2].map(cancelAll) });
  assert.deepEqual(missed, [{ source: 7, number: 3 }]);
});

test('a frame that ends before all its poison has no flags', () => {
  const { frame, missed } = cutFrame(frameOf([102, 103]), FIRST_COMMAND, 1);
  assert.deepEqual(frame, { ...frameOf(), commands: [cancelAll(1)] });
  assert.deepEqual(
    missed.map(({ number }) => number),
    [2, 3],
  );
});
