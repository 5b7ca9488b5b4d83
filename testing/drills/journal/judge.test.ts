// The journal drill's checks detect every fault: each test breaks one thing in a small valid log,
// or in a client's answers.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { encodeCommandFrame, FrameWriter, type Refusal } from '../../../core/messages/index.ts';
import type { TimeMs } from '../../../core/money/index.ts';
import {
  type EventPart,
  encodeEventBatch,
  hashFrame,
  NO_HASH,
  sealFrame,
} from '../../../infra/journal/index.ts';
import { Replica } from '../../../infra/replica/index.ts';
import type { CommandWithoutId } from '../../reference-models/index.ts';
import { withId } from '../../simulator/trading-commands.ts';
import { type OutcomeRecord, OutcomeRecords } from './clients/outcome-records.ts';
import { LISTINGS } from './clients/traffic.ts';
import { EventsJudge } from './judge-events.ts';
import { judgeOutcomes } from './judge-outcomes.ts';
import { StraightReplay } from './straight-replay.ts';

const SOURCE = 1;

const deposit: CommandWithoutId = {
  kind: 'CreditDeposit',
  channel: 1,
  channelSequence: 1,
  user: 1,
  asset: 1,
  amountAtoms: 1_000n,
  reference: '',
};
const switchOff: CommandWithoutId = { kind: 'SetDeadManSwitch', user: 1, key: 0, timeoutMs: 0 };

/** Returns command frames as stored in the log, each with one command per number. */
function logOf(frames: readonly (readonly [CommandWithoutId, number][])[]): Uint8Array[] {
  let previousHash = NO_HASH;
  return frames.map((bodies, index) => {
    const commands = bodies.map(([body, number]) => withId(body, { source: SOURCE, number }));
    const header = { sequence: index + 1, epoch: 1, timeMs: 1_000 as TimeMs, previousHash };
    const bytes = new Uint8Array(encodeCommandFrame(new FrameWriter(), { ...header, commands }));
    previousHash = hashFrame(bytes);
    return sealFrame(bytes, previousHash);
  });
}

function replayOf(log: readonly Uint8Array[]): StraightReplay {
  const replay = new StraightReplay(new Set());
  for (const message of log) replay.apply(message);
  return replay;
}

/** Two assets listed, a deposit, and the same deposit by another command. */
const soundLog = logOf([
  [
    [LISTINGS[0], 1],
    [LISTINGS[1], 2],
  ],
  [[deposit, 3]],
  [[deposit, 4]],
]);

let records: OutcomeRecords;

function answer(number: number, change: Partial<OutcomeRecord> = {}): void {
  const refusal: Refusal = number === 4 ? 'channel_sequence_already_seen' : 'none';
  const sequence = Math.max(1, number - 1);
  const record = { kind: 'answered', command: number, sequence, refusal, isRepeat: false } as const;
  records.open(number, 7);
  records.set(number, { ...record, eventsCrc: undefined, ...change });
}

beforeEach(() => {
  records = new OutcomeRecords();
  for (const number of [1, 2, 3, 4]) answer(number);
});

function verdict(log: readonly Uint8Array[] = soundLog) {
  const {
    examples: _,
    failedByRound,
    ...counts
  } = judgeOutcomes(new Map([[SOURCE, records]]), replayOf(log));
  return { ...counts, failedByRound: [...failedByRound] };
}

const nothingWrong = {
  acked: 4,
  lost: 0,
  doubled: 0,
  falselyRefused: 0,
  notTaken: 0,
  unknown: 0,
  unknownApplied: 0,
  otherEvents: 0,
  failedByRound: [] as [number, number][],
};

test('a valid log and correct answers produce no faults', () => {
  assert.deepEqual(verdict(), nothingWrong);
  assert.deepEqual(replayOf(soundLog).audit(), []);
});

const wrongAnswers: [title: string, change: Partial<OutcomeRecord>][] = [
  ['another number', { command: 2 }],
  ['another refusal', { refusal: 'asset_must_exist' }],
  ['another frame', { sequence: 3 }],
];
for (const [title, change] of wrongAnswers) {
  test(`an answer with ${title} counts as lost`, () => {
    answer(3, change);
    assert.deepEqual(verdict(), { ...nothingWrong, lost: 1 });
  });
}

test('an answered command that is not in the log is lost', () => {
  answer(5);
  assert.deepEqual(verdict(), { ...nothingWrong, acked: 5, lost: 1 });
});

test('a command reported as not taken, but in the log, counts as falsely refused', () => {
  answer(3, { kind: 'not_taken' });
  const failedByRound: [number, number][] = [[7, 1]];
  const wrong = { acked: 3, falselyRefused: 1, notTaken: 1, failedByRound };
  assert.deepEqual(verdict(), { ...nothingWrong, ...wrong });
});

test('an unknown outcome is correct whether the log has the command or not', () => {
  answer(3, { kind: 'unknown' });
  answer(5, { kind: 'unknown' });
  const failedByRound: [number, number][] = [[7, 2]];
  const counts = { acked: 3, unknown: 2, unknownApplied: 1, failedByRound };
  assert.deepEqual(verdict(), { ...nothingWrong, ...counts });
});

test('wrong events in an answer are detected', () => {
  answer(3, { eventsCrc: 1 });
  assert.deepEqual(verdict(), { ...nothingWrong, otherEvents: 1 });
  const { eventsCrc } = replayOf(soundLog).histories.get(SOURCE)!.get(3)!;
  answer(3, { eventsCrc });
  assert.deepEqual(verdict(), nothingWrong);
});

test('a copy within the window is answered as a repeat and is not duplicated', () => {
  const log = logOf([[[LISTINGS[0], 1]], [[deposit, 3]], [[deposit, 3]]]);
  records = new OutcomeRecords();
  answer(1);
  answer(3, { command: 2, sequence: 3, isRepeat: true });
  assert.deepEqual(verdict(log), {
    ...nothingWrong,
    acked: 2,
    unknown: 1,
    failedByRound: [[0, 1]],
  });
});

test('a copy that the engine has forgotten is applied twice and counts as duplicated', () => {
  // A new exchange remembers 1,024 command IDs.
  const others = Array.from({ length: 1_100 }, (_, index) => [switchOff, 100 + index] as const);
  const log = logOf([
    [[switchOff, 1]],
    others.map(([body, number]) => [body, number]),
    [[switchOff, 1]],
  ]);
  records = new OutcomeRecords();
  answer(1);
  assert.deepEqual(verdict(log), { ...nothingWrong, acked: 1, doubled: 1 });
});

test('a log with a missing frame is rejected', () => {
  assert.throws(() => replayOf([soundLog[0], soundLog[2]]), /expected frame 2, found frame 3/);
});

test('a torn message is detected', () => {
  const torn = new Uint8Array(soundLog[1]);
  torn[60] ^= 1;
  assert.throws(() => replayOf([soundLog[0], torn]), /message 2 is torn/);
});

function partsOf(log: readonly Uint8Array[]): EventPart[] {
  const replica = Replica.create();
  return log.flatMap((message) => {
    const frame = message.subarray(0, -32);
    return [...replica.follow({ frame, frameHash: hashFrame(frame) }).encoded.parts];
  });
}

/** Returns the faults found in an EVENTS log of these parts, one in each batch. */
function eventFaults(parts: readonly EventPart[]): readonly string[] {
  const judge = new EventsJudge(replayOf(soundLog).parts);
  let previousHash = NO_HASH;
  for (const part of parts) {
    const { hash, message } = encodeEventBatch(previousHash, [part]);
    previousHash = hash;
    judge.read(message);
  }
  judge.end();
  return judge.faults;
}

const [first, second, third] = partsOf(soundLog);

const eventLogs: [title: string, parts: EventPart[], faults: RegExp[]][] = [
  ['without faults is accepted', [first, second, third], []],
  ['with a gap', [first, third], [/has frame 3.0, expected 2.0/]],
  ['with a repeat', [first, second, second, third], [/has frame 2.0, expected 3.0/]],
  ['that ends too early', [first, second], [/ends 1 parts too early/]],
  ['with other bytes', [first, { ...second, bytes: first.bytes }, third], [/frame 2.0 are wrong/]],
];
for (const [title, parts, faults] of eventLogs) {
  test(`an EVENTS log ${title}${faults.length > 0 ? ' is detected' : ''}`, () => {
    const found = eventFaults(parts);
    assert.equal(found.length, faults.length);
    for (const [index, fault] of faults.entries()) assert.match(found[index], fault);
  });
}

test('an event batch that does not continue the previous one is detected', () => {
  const judge = new EventsJudge(replayOf(soundLog).parts);
  judge.read(encodeEventBatch(NO_HASH, [first]).message);
  judge.read(encodeEventBatch(NO_HASH, [second, third]).message);
  judge.end();
  assert.deepEqual(judge.faults, ['event batch 2 does not continue the previous one']);
});
