// The log writer. First with a scripted log, one call and one answer at a time: its action in each
// state after each outcome. Then with a faulty log and a rival.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import type { AppendOutcome, Extent, LogStream } from './log-port.ts';
import { LogWriter } from './log-writer.ts';
import { MemoryLog } from './memory-log.ts';
import { faultlessPath } from './memory-log-path.ts';

const RETRY_MS = 50;

/** A call of the log and its answer: an outcome, an extent, or the text of a message. */
type Step =
  | readonly [call: `append ${number} ${string}`, AppendOutcome]
  | readonly [call: 'extent', readonly [first: number, last: number] | 'unavailable']
  | readonly [call: `read ${number}`, string]
  | 'waits';

interface Story {
  readonly steps: readonly Step[];
  /** The callbacks of the writer, as text. */
  readonly seen: readonly string[];
}

const THREE = ['a', 'b', 'c'];

const STORIES: Record<string, Story> = {
  'each message is sent when the previous one is stored': {
    steps: [
      ['append 8 a', 'stored'],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    seen: ['stored 8', 'stored 9', 'stored 10'],
  },
  'unknown, and the log has the message: it is stored': {
    steps: [
      ['append 8 a', 'unknown'],
      ['extent', [1, 8]],
      ['read 8', 'a'],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    seen: ['stored 8', 'stored 9', 'stored 10'],
  },
  'unknown, and the log has nothing: it is sent again at the same position': {
    steps: [
      ['append 8 a', 'unknown'],
      ['extent', [1, 7]],
      ['append 8 a', 'stored'],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    seen: ['stored 8', 'stored 9', 'stored 10'],
  },
  'unknown, and the log has another message: fenced': {
    steps: [
      ['append 8 a', 'stored'],
      ['append 9 b', 'unknown'],
      ['extent', [1, 9]],
      ['read 9', 'x'],
    ],
    seen: ['stored 8', 'fenced: another writer stored message 9'],
  },
  'conflict with an earlier copy of the message: it is stored': {
    steps: [
      ['append 8 a', 'unknown'],
      ['extent', [1, 7]],
      ['append 8 a', 'conflict'],
      ['extent', [1, 8]],
      ['read 8', 'a'],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    seen: ['stored 8', 'stored 9', 'stored 10'],
  },
  'conflict with another writer: fenced, and nothing more is sent': {
    steps: [['append 8 a', 'conflict'], ['extent', [1, 12]], ['read 8', 'x'], 'waits'],
    seen: ['fenced: another writer stored message 8'],
  },
  'a message with the same prefix from another writer': {
    steps: [
      ['append 8 a', 'conflict'],
      ['extent', [1, 8]],
      ['read 8', 'ab'],
    ],
    seen: ['fenced: another writer stored message 8'],
  },
  'its message is stored, followed by one of another writer: fenced at the second': {
    steps: [
      ['append 8 a', 'unknown'],
      ['extent', [1, 9]],
      ['read 8', 'a'],
      ['append 9 b', 'conflict'],
      ['extent', [1, 9]],
      ['read 9', 'x'],
    ],
    seen: ['stored 8', 'fenced: another writer stored message 9'],
  },
  'an extent behind the acknowledged position is stale': {
    steps: [
      ['append 8 a', 'stored'],
      ['append 9 b', 'unknown'],
      ['extent', [1, 7]],
      'waits',
      ['extent', [1, 0]],
      'waits',
      ['extent', [1, 8]],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    seen: ['stored 8', 'stored 9', 'stored 10'],
  },
  'a stale extent at the right position only costs a conflict': {
    steps: [
      ['append 8 a', 'unknown'],
      ['extent', [1, 7]],
      ['append 8 a', 'conflict'],
      ['extent', [1, 7]],
      ['append 8 a', 'conflict'],
      ['extent', [1, 8]],
      ['read 8', 'a'],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    seen: ['stored 8', 'stored 9', 'stored 10'],
  },
  'an unavailable log is queried immediately, then after a delay': {
    steps: [
      ['append 8 a', 'unknown'],
      ['extent', [1, 7]],
      ['append 8 a', 'unknown'],
      'waits',
      ['extent', [1, 7]],
      ['append 8 a', 'unknown'],
      'waits',
      ['extent', [1, 7]],
      ['append 8 a', 'stored'],
      ['append 9 b', 'unknown'],
      ['extent', [1, 8]],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    seen: ['stored 8', 'stored 9', 'stored 10'],
  },
  'a log that does not respond is queried again after a delay': {
    steps: [
      ['append 8 a', 'unknown'],
      ['extent', 'unavailable'],
      'waits',
      ['extent', [1, 8]],
      ['read 8', 'unavailable'],
      'waits',
      ['extent', [1, 8]],
      ['read 8', 'a'],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    seen: ['stored 8', 'stored 9', 'stored 10'],
  },
};

/** A log that records calls; the test answers them. */
class ScriptedLog implements LogStream {
  readonly #inFlight: { call: string; answer: (answer: unknown) => void }[] = [];

  append(sequence: number, message: Uint8Array, done: (outcome: AppendOutcome) => void): void {
    this.#note(`append ${sequence} ${text(message)}`, done as (answer: unknown) => void);
  }

  extent(done: (extent: Extent | undefined) => void): void {
    this.#note('extent', done as (answer: unknown) => void);
  }

  read(sequence: number, done: (message: Uint8Array | undefined) => void): void {
    this.#note(`read ${sequence}`, done as (answer: unknown) => void);
  }

  follow(): never {
    return assert.fail('a writer does not follow');
  }

  get calls(): string[] {
    return this.#inFlight.map(({ call }) => call);
  }

  answer(answer: unknown): void {
    this.#inFlight.shift()?.answer(answer);
  }

  #note(call: string, answer: (answer: unknown) => void): void {
    this.#inFlight.push({ call, answer });
  }
}

interface Stage {
  readonly log: ScriptedLog;
  readonly time: VirtualTime;
  readonly writer: LogWriter;
  readonly seen: string[];
}

function open(onStored: (sequence: number) => void = () => {}): Stage {
  const log = new ScriptedLog();
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const seen: string[] = [];
  const writer = new LogWriter({
    log,
    clock: time,
    last: 7,
    retryMs: RETRY_MS,
    onStored(sequence) {
      seen.push(`stored ${sequence}`);
      onStored(sequence);
    },
    onFenced: (reason) => seen.push(`fenced: ${reason}`),
    onLost: (reason) => seen.push(`lost: ${reason}`),
  });
  return { log, time, writer, seen };
}

function play({ log, time }: Stage, steps: readonly Step[]): void {
  for (const step of steps) {
    if (step === 'waits') {
      assert.deepEqual(log.calls, [], 'it is delayed');
      time.runUntil(time.nowMs() + RETRY_MS - 1);
      assert.deepEqual(log.calls, [], 'it does not retry early');
      time.runUntil(time.nowMs() + 1);
      continue;
    }
    const [call, answer] = step;
    // Exactly this call: a second append in flight could be stored alone.
    assert.deepEqual(log.calls, [call]);
    log.answer(answerOf(call, answer));
  }
}

function answerOf(call: string, answer: Step[1]): unknown {
  if (answer === 'unavailable') return undefined;
  if (call.startsWith('read')) return bytes(answer as string);
  return typeof answer === 'string' ? answer : { first: answer[0], last: answer[1] };
}

function bytes(message: string): Uint8Array {
  return new TextEncoder().encode(message);
}

function text(message: Uint8Array): string {
  return new TextDecoder().decode(message);
}

for (const [name, { steps, seen }] of Object.entries(STORIES)) {
  test(name, () => {
    const stage = open();
    for (const message of THREE) stage.writer.append(bytes(message));
    play(stage, steps);
    assert.deepEqual(stage.seen, seen);
    assert.deepEqual(stage.log.calls, [], 'nothing is in flight');
    stage.time.runUntil(stage.time.nowMs() + 10 * RETRY_MS);
    assert.deepEqual(stage.log.calls, [], 'nothing follows later');
    assert.equal(stage.writer.isReconciling, false);
  });
}

test("the writer returns each message's sequence and reports its progress", () => {
  const stage = open();
  const { log, writer } = stage;
  const places = THREE.map((message) => writer.append(bytes(message)));
  assert.deepEqual(places, [8, 9, 10]);
  assert.deepEqual([writer.stored, writer.pending, writer.isReconciling], [7, 3, false]);
  log.answer('stored');
  assert.deepEqual([writer.stored, writer.pending], [8, 2]);
  log.answer('unknown');
  assert.deepEqual([writer.stored, writer.isReconciling, writer.reconciliations], [8, true, 1]);
  assert.equal(writer.append(bytes('d')), 11);
  assert.deepEqual(log.calls, ['extent'], 'later appends are queued');
  play(stage, [
    ['extent', [1, 8]],
    ['append 9 b', 'stored'],
    ['append 10 c', 'stored'],
    ['append 11 d', 'stored'],
  ]);
  assert.deepEqual([writer.stored, writer.pending, writer.isReconciling], [11, 0, false]);
  assert.equal(writer.reconciliations, 1);
});

test('the next message is sent before the callback for the previous one', () => {
  const callsWhenStored: string[][] = [];
  const stage = open(() => callsWhenStored.push(stage.log.calls));
  for (const message of THREE) stage.writer.append(bytes(message));
  for (let count = 0; count < 3; count++) stage.log.answer('stored');
  assert.deepEqual(callsWhenStored, [['append 9 b'], ['append 10 c'], []]);
});

test('a message appended in a callback follows in order', () => {
  const stage = open((sequence) => {
    if (sequence === 8) stage.writer.append(bytes('b'));
  });
  stage.writer.append(bytes('a'));
  play(stage, [
    ['append 8 a', 'stored'],
    ['append 9 b', 'stored'],
  ]);
  assert.deepEqual(stage.seen, ['stored 8', 'stored 9']);
});

test('after stop() nothing is reported or sent, whatever the log responds', () => {
  const moments: Record<string, readonly Step[]> = {
    sending: [],
    asking: [['append 8 a', 'unknown']],
    reading: [
      ['append 8 a', 'unknown'],
      ['extent', [1, 8]],
    ],
    waiting: [
      ['append 8 a', 'unknown'],
      ['extent', 'unavailable'],
    ],
  };
  const lastAnswers = { sending: 'stored', asking: { first: 1, last: 7 }, reading: bytes('x') };
  for (const [moment, steps] of Object.entries(moments)) {
    const stage = open();
    for (const message of THREE) stage.writer.append(bytes(message));
    play(stage, steps);
    stage.writer.stop();
    stage.log.answer(lastAnswers[moment as keyof typeof lastAnswers]);
    stage.writer.append(bytes('d'));
    stage.time.runUntil(10 * RETRY_MS);
    assert.deepEqual([stage.seen, stage.log.calls], [[], []], moment);
  }
});

/** Checks that at most one append is unanswered. */
function oneAtATime(log: LogStream): LogStream {
  let inFlight = 0;
  return {
    append(sequence, message, done) {
      inFlight++;
      assert.equal(inFlight, 1, `append ${sequence} while another is in flight`);
      log.append(sequence, message, (outcome) => {
        inFlight--;
        done(outcome);
      });
    },
    extent: (done) => log.extent(done),
    read: (sequence, done) => log.read(sequence, done),
    follow: (from, receive) => log.follow(from, receive),
  };
}

const FAULTS = {
  append_lost: 0.1,
  append_late: 0.1,
  append_twice: 0.1,
  answer_lost: 0.1,
  answer_late: 0.1,
  connection_reset: 0.1,
  extent_stale: 0.3,
  extent_unavailable: 0.2,
  read_unavailable: 0.2,
};
const MESSAGES = 12;

interface FaultyRun {
  readonly log: MemoryLog;
  readonly seen: string[];
  readonly reconciliations: number;
}

/** Twelve messages over a faulty path; a rival might store its own message soon. */
function runWithFaults(seed: number, rivalAtMs?: number): FaultyRun {
  const numbers = new Random(seed);
  const random = () => numbers.word() / 2 ** 32;
  const time = new VirtualTime({ startMs: 0, random: numbers, latenessMsMax: 1 });
  const log = new MemoryLog(time);
  const process = time.process(0);
  const path = { ...faultlessPath(random), rates: FAULTS };
  const seen: string[] = [];
  const writer = new LogWriter({
    log: oneAtATime(log.connect(process, path)),
    clock: process,
    last: 0,
    retryMs: 20,
    onStored: (sequence) => seen.push(`stored ${sequence}`),
    onFenced: () => seen.push('fenced'),
    onLost: (reason) => seen.push(reason),
  });
  for (let at = 1; at <= MESSAGES; at++) {
    time.after(at * 10, () => void writer.append(bytes(`m${at}`)));
  }
  if (rivalAtMs !== undefined) time.after(rivalAtMs, () => void log.store(bytes('rival')));
  time.runUntil(60_000);
  return { log, seen, reconciliations: writer.reconciliations };
}

function contents(log: MemoryLog): string[] {
  return Array.from({ length: log.last }, (_, at) => text(log.message(at + 1)));
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`);
}

test('over a faulty path every message is stored and reported once, in order', () => {
  let reconciliations = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const run = runWithFaults(seed);
    assert.deepEqual(contents(run.log), numbered('m', MESSAGES), `seed ${seed}`);
    assert.deepEqual(run.seen, numbered('stored ', MESSAGES), `seed ${seed}`);
    reconciliations += run.reconciliations;
  }
  assert.ok(
    reconciliations > 400,
    `only ${reconciliations} reconciliations: the faults did not occur`,
  );
});

test('after a rival message none of ours follows, and reported messages are kept', () => {
  let fenced = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const { log, seen } = runWithFaults(seed, 5 + (seed % 130));
    const found = contents(log);
    const ours = found.indexOf('rival');
    if (ours === MESSAGES) continue; // The rival came after our last message.
    fenced++;
    assert.deepEqual(found, [...numbered('m', ours), 'rival'], `seed ${seed}`);
    assert.deepEqual(seen, [...numbered('stored ', ours), 'fenced'], `seed ${seed}`);
  }
  assert.ok(fenced > 150);
});

test('a log that lost acknowledged messages stops the writer and gets no message', () => {
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const log = new MemoryLog(time);
  const seen: string[] = [];
  const writer = new LogWriter({
    log: log.connect(
      time,
      faultlessPath(() => 0.5),
    ),
    clock: time,
    last: 0,
    retryMs: RETRY_MS,
    onStored: (sequence) => seen.push(`stored ${sequence}`),
    onFenced: (reason) => seen.push(reason),
    onLost: (reason) => seen.push(reason),
  });
  for (const message of ['a', 'b', 'c']) writer.append(bytes(message));
  time.runUntil(1_000);
  log.putBack(1);
  writer.append(bytes('d'));
  time.runUntil(9_000);
  assert.deepEqual(
    seen.splice(0),
    ['stored 1', 'stored 2', 'stored 3'],
    'it might be an old response',
  );
  time.runUntil(60_000);
  assert.deepEqual(seen, ['the log ends at 1, but it had message 3: it was lost or put back']);
  assert.equal(log.last, 1);
});
