// The outcome of a position is found in the log, no matter which of its copies counted, what is
// between them, and how events are split into messages. Compared with a second, naive run of the
// engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyFrame, createExchange } from '../../core/engine/index.ts';
import {
  type Command,
  type CommandFrame,
  type Event,
  type EventFrame,
  encodeCommandFrame,
  FrameWriter,
} from '../../core/messages/index.ts';
import type { AssetId, Atoms, CommandNumber, TimeMs, UserId } from '../../core/money/index.ts';
import { hashFrame, NO_HASH, sealFrame } from '../../infra/journal/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import type { OutboxCommand, OutboxRow } from '../../platform/outbox/index.ts';
import { type LookedUp, lookUp } from '../../services/outbox-dispatcher/outcome-lookup.ts';
import { Random } from '../flows/index.ts';
import { memoryEvents } from '../projections/memory-events.ts';
import { messagesOf } from '../projections/recorded-events.ts';
import type { Sendable } from './exchange-for-test.ts';

const CHANNELS = [1, 2];
const POSITIONS = 12;
const FRAMES = 60;

/** Returns the command at a position: a deposit, or a burn that is sometimes too large. */
function commandAt(channel: number, sequence: number): OutboxCommand {
  const amountAtoms = BigInt(sequence * 10) as Atoms;
  const of = { user: 7 as UserId, asset: 1 as AssetId, amountAtoms, reference: `${channel}` };
  return sequence % 3 === 0 ? { kind: 'BurnAsset', ...of } : { kind: 'MintAsset', ...of };
}

class Recording {
  readonly frames: CommandFrame[] = [];
  readonly events: EventFrame[] = [];
  /** By position: the frame, and the outcome of the copy that advanced the channel. */
  readonly counted = new Map<string, { frame: number; refusal: string; command: number }>();
  readonly #exchange = createExchange();
  readonly #ends = new Map<number, number>();
  #numbers = 0;

  /** Returns a copy with a new ID, or with the previous one. */
  copy(channel: number, sequence: number, isRepeat = false): Command {
    if (!isRepeat) this.#numbers++;
    const id = { source: 9, number: this.#numbers, channel, channelSequence: sequence };
    return { ...commandAt(channel, sequence), ...id } as Command;
  }

  other(fields: Sendable): Command {
    return { source: 8, number: ++this.#numbers, ...fields } as Command;
  }

  end(channel: number): number {
    return this.#ends.get(channel) ?? 0;
  }

  isInTurn(command: Command | undefined): boolean {
    if (command === undefined || !('channelSequence' in command)) return false;
    const isNew = this.frames.every((frame) => {
      return frame.commands.every(({ number }) => number !== command.number);
    });
    return isNew && command.channelSequence === this.end(command.channel) + 1;
  }

  apply(commands: readonly Command[], poisoned: readonly number[] = []): EventFrame {
    const sequence = this.frames.length + 1;
    const frame = {
      sequence,
      epoch: 1,
      timeMs: sequence as TimeMs,
      previousHash: NO_HASH,
      commands,
      ...(poisoned.length > 0 ? { poisoned } : {}),
    };
    const seen = applyFrame(this.#exchange, frame);
    const events = { ...seen, events: [...seen.events] };
    this.frames.push(frame);
    this.events.push(events);
    for (const [index, command] of commands.entries()) {
      this.#count(command, events.firstCommand + index, events);
    }
    return events;
  }

  #count(command: Command, number: number, { events, sequence }: EventFrame): void {
    if (!('channelSequence' in command)) return;
    const { channel, channelSequence } = command;
    const refusal = refusalOf(events, number);
    const isNext = channelSequence === this.end(channel) + 1;
    if (refusal === 'repeated' || refusal === 'channel_is_frozen' || !isNext) return;
    this.#ends.set(channel, channelSequence);
    const name = `${channel}.${channelSequence}`;
    this.counted.set(name, { frame: sequence, refusal, command: number });
  }
}

function refusalOf(events: readonly Event[], number: number): string {
  for (const event of events) {
    if (event.command !== number) continue;
    if (event.kind === 'CommandRefused') return event.refusal;
    if (event.kind === 'CommandPoisoned') return 'command_is_poisoned';
    if (event.kind === 'CommandRepeated') return 'repeated';
  }
  return 'none';
}

function record(random: Random): Recording {
  const recording = new Recording();
  const cap = { scale: 8, issuanceCapAtoms: 1_000_000n as Atoms };
  recording.apply([recording.other({ kind: 'ListAsset', symbol: 'btc', ...cap })]);
  for (let frame = 0; frame < FRAMES; frame++) {
    const commands: Command[] = [];
    for (let count = random.below(5); count > 0; count--) {
      const channel = random.pick(CHANNELS);
      const near = recording.end(channel) + random.between(-2, 3);
      const sequence = Math.min(Math.max(near, 1), POSITIONS);
      commands.push(recording.copy(channel, sequence, random.chance(10)));
    }
    const first = 1 + recording.frames.reduce((sum, one) => sum + one.commands.length, 0);
    // The engine can only fail on a command whose sequence is next.
    const isPoison = recording.isInTurn(commands[0]) && random.chance(20);
    recording.apply(commands, isPoison ? [first] : []);
    if (isPoison) {
      recording.apply([recording.other({ kind: 'VoidCommand', command: first as CommandNumber })]);
    }
  }
  return recording;
}

function lookUpIn(
  recording: Recording,
  { random, rows, seed }: { random: Random; rows: readonly OutboxRow[]; seed: number },
): Promise<LookedUp[]> {
  const writer = new FrameWriter();
  const sealed = recording.frames.map((frame) => {
    const bytes = new Uint8Array(encodeCommandFrame(writer, frame));
    return sealFrame(bytes, hashFrame(bytes));
  });
  const commands = memoryEvents(sealed, seed).log;
  const events = memoryEvents(messagesOf(recording.events, random), seed).log;
  const options = { commands, events, clock: systemClock, retryMs: 5, watchMs: 20 };
  return lookUp(options, rows, recording.frames.length);
}

test('the counted copy is found with its outcome', async () => {
  const outcomes = new Set<string>();
  for (let seed = 1; seed <= 25; seed++) {
    const random = new Random(seed);
    const recording = record(random);
    const rows = [...recording.counted].map(([name, { frame }]) => {
      const [channel, sequence] = name.split('.').map(Number);
      const sentAfterFrame = random.below(frame);
      return { channel, sequence, command: commandAt(channel, sequence), sentAfterFrame };
    });
    for (const { found, row } of await lookUpIn(recording, { random, rows, seed })) {
      const name = `${row.channel}.${row.sequence}`;
      const { command, refusal } = recording.counted.get(name) ?? assert.fail(name);
      assert.deepEqual(found, { kind: 'outcome', refusal, command }, `seed ${seed}: ${name}`);
      outcomes.add(refusal);
    }
  }
  assert.deepEqual(
    [...outcomes].sort(),
    ['available_balance_too_small', 'command_is_poisoned', 'none'],
    'the flow has every kind of outcome',
  );
});

test('another command at the position is reported as foreign, no command as missing', async () => {
  const random = new Random(1);
  const recording = record(random);
  const { frame } = recording.counted.get('1.1') ?? assert.fail();
  const of = { channel: 1, sequence: 1, sentAfterFrame: 0 };
  const changed = { ...commandAt(1, 1), amountAtoms: 11n as Atoms } as OutboxCommand;
  const kindOf = async (row: OutboxRow) =>
    (await lookUpIn(recording, { random, rows: [row], seed: 1 }))[0].found.kind;
  assert.equal(await kindOf({ ...of, command: changed }), 'foreign');
  const late = { ...of, sentAfterFrame: frame };
  assert.equal(await kindOf({ ...late, command: commandAt(1, 1) }), 'missing');
});
