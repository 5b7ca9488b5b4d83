// Tests the end of the log: the copy of a command that took its position counts, and the oldest
// items are dropped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, Event } from '../../core/messages/index.ts';
import type { AssetId, Atoms, CommandNumber, TimeMs, UserId } from '../../core/money/index.ts';
import { LogTail } from './log-tail.ts';

type Outcome = 'accepted' | 'refused' | 'seen' | 'twice';

/** Frames with one credit each; `positions` are the engine's after the frame. */
class Log {
  readonly tail: LogTail;
  readonly positions: number[] = new Array(14).fill(0);
  #sequence = 0;

  constructor(itemsMax?: number) {
    this.tail = new LogTail(itemsMax);
    this.tail.start({ sequence: 0, commandsApplied: 0, channelSequences: this.positions });
  }

  /** twice: a copy out of order, then the accepted one, in one frame. */
  credit(channelSequence: number, outcome: Outcome, channel = 12): void {
    const sequence = ++this.#sequence;
    const terms = { user: 1 as UserId, asset: 1 as AssetId, amountAtoms: 5n as Atoms };
    const command = { kind: 'CreditDeposit', source: 1, number: 1, channel, channelSequence };
    const number = sequence as CommandNumber;
    const credited = { kind: 'DepositCredited', command: number, ...terms, reference: 'r' };
    const refused = { kind: 'CommandRefused', command: number, refusal: 'asset_must_exist' };
    if (outcome !== 'seen') this.positions[channel] = channelSequence;
    const timeMs = sequence as TimeMs;
    const commands = [{ ...command, ...terms, reference: 'r' } as Command];
    const frame = { sequence, epoch: 1, timeMs, previousHash: new Uint8Array(), commands };
    const isCredited = outcome === 'accepted' || outcome === 'twice';
    const events = [(isCredited ? credited : refused) as Event];
    if (outcome === 'twice') {
      commands.push(commands[0]);
      events[0] = { ...credited, command: number + 1 } as Event;
      events.unshift({ ...refused, refusal: 'channel_is_frozen' } as Event);
    }
    this.tail.add(frame, { sequence, timeMs, firstCommand: number, events }, this.positions);
  }
}

test('only the copy that took an outbox channel position is a logged command', () => {
  const log = new Log();
  log.credit(1, 'accepted');
  log.credit(1, 'seen');
  log.credit(3, 'seen');
  log.credit(2, 'refused');
  log.credit(1, 'accepted', 1);
  log.credit(3, 'twice');
  const { items } = log.tail.commandsAfter(0);
  assert.deepEqual(
    items.map(({ command, number, refusal }) => [command.channelSequence, number, refusal]),
    [
      [1, 1, 'none'],
      [2, 4, 'asset_must_exist'],
      [3, 7, 'none'],
    ],
  );
  assert.equal(log.tail.framesBetween(0, 5).items.length, 2, 'rejections have no rows');
});

test('the oldest items are dropped, and a part states where it is complete from', () => {
  const log = new Log(4);
  for (let sequence = 1; sequence <= 5; sequence++) log.credit(sequence, 'accepted');
  const commands = log.tail.commandsAfter(0);
  assert.deepEqual([commands.after, commands.numbersAfter, commands.to], [3, 3, 5]);
  assert.deepEqual(
    commands.items.map(({ number }) => number),
    [4, 5],
  );
  assert.deepEqual([log.tail.framesBetween(0, 9).after, log.tail.framesBetween(4, 4).to], [3, 4]);
});
