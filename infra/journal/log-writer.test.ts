// The mending writer. First against a log that follows a script, one call and one answer at a time:
// what it does in each state after each outcome. Then against a log with faults and a rival.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import type { AppendOutcome, Extent, LogStream } from './log-port.ts';
import { LogWriter } from './log-writer.ts';
import { MemoryLog } from './memory-log.ts';
import { soundPath } from './memory-log-path.ts';

const RETRY_MS = 50;

/** What the log is asked, and the answer: an outcome, an extent, or the text of a message. */
type Step =
  | readonly [call: `append ${number} ${string}`, AppendOutcome]
  | readonly [call: 'extent', readonly [first: number, last: number] | 'unavailable']
  | readonly [call: `read ${number}`, string]
  | 'waits';

interface Story {
  readonly steps: readonly Step[];
  /** What the writer's owner is told. */
  readonly told: readonly string[];
}

const THREE = ['a', 'b', 'c'];

const STORIES: Record<string, Story> = {
  'each message is sent when the one before is stored': {
    steps: [
      ['append 8 a', 'stored'],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    told: ['stored 8', 'stored 9', 'stored 10'],
  },
  'unknown, and the log has it: it is stored': {
    steps: [
      ['append 8 a', 'unknown'],
      ['extent', [1, 8]],
      ['read 8', 'a'],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    told: ['stored 8', 'stored 9', 'stored 10'],
  },
  'unknown, and the log has nothing: it is sent again at the same place': {
    steps: [
      ['append 8 a', 'unknown'],
      ['extent', [1, 7]],
      ['append 8 a', 'stored'],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    told: ['stored 8', 'stored 9', 'stored 10'],
  },
  'unknown, and the log has another: fenced': {
    steps: [
      ['append 8 a', 'stored'],
      ['append 9 b', 'unknown'],
      ['extent', [1, 9]],
      ['read 9', 'x'],
    ],
    told: ['stored 8', 'fenced: another writer stored message 9'],
  },
  'conflict with its own earlier copy: it is stored': {
    steps: [
      ['append 8 a', 'unknown'],
      ['extent', [1, 7]],
      ['append 8 a', 'conflict'],
      ['extent', [1, 8]],
      ['read 8', 'a'],
      ['append 9 b', 'stored'],
      ['append 10 c', 'stored'],
    ],
    told: ['stored 8', 'stored 9', 'stored 10'],
  },
  'conflict with another writer: fenced, and nothing is sent after that': {
    steps: [['append 8 a', 'conflict'], ['extent', [1, 12]], ['read 8', 'x'], 'waits'],
    told: ['fenced: another writer stored message 8'],
  },
  'a message with the same prefix from another writer': {
    steps: [
      ['append 8 a', 'conflict'],
      ['extent', [1, 8]],
      ['read 8', 'ab'],
    ],
    told: ['fenced: another writer stored message 8'],
  },
  "its own is stored, and behind it another's: told of the first, fenced at the second": {
    steps: [
      ['append 8 a', 'unknown'],
      ['extent', [1, 9]],
      ['read 8', 'a'],
      ['append 9 b', 'conflict'],
      ['extent', [1, 9]],
      ['read 9', 'x'],
    ],
    told: ['stored 8', 'fenced: another writer stored message 9'],
  },
  'an extent that is behind what was acknowledged is an old one': {
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
    told: ['stored 8', 'stored 9', 'stored 10'],
  },
  'a stale extent at the right place costs a conflict and no more': {
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
    told: ['stored 8', 'stored 9', 'stored 10'],
  },
  'a log that takes nothing is asked at once, and then after a while': {
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
    told: ['stored 8', 'stored 9', 'stored 10'],
  },
  'a log that can not answer is asked again after a while': {
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
    told: ['stored 8', 'stored 9', 'stored 10'],
  },
};

/** A log that only records what it is asked; the test answers. */
class ScriptedLog implements LogStream {
  readonly #underWay: { call: string; answer: (answer: unknown) => void }[] = [];

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
    return this.#underWay.map(({ call }) => call);
  }

  answer(answer: unknown): void {
    this.#underWay.shift()?.answer(answer);
  }

  #note(call: string, answer: (answer: unknown) => void): void {
    this.#underWay.push({ call, answer });
  }
}

interface Stage {
  readonly log: ScriptedLog;
  readonly time: VirtualTime;
  readonly writer: LogWriter;
  readonly told: string[];
}

function open(onStored: (sequence: number) => void = () => {}): Stage {
  const log = new ScriptedLog();
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const told: string[] = [];
  const writer = new LogWriter({
    log,
    clock: time,
    last: 7,
    retryMs: RETRY_MS,
    onStored(sequence) {
      told.push(`stored ${sequence}`);
      onStored(sequence);
    },
    onFenced: (reason) => told.push(`fenced: ${reason}`),
  });
  return { log, time, writer, told };
}

function play({ log, time }: Stage, steps: readonly Step[]): void {
  for (const step of steps) {
    if (step === 'waits') {
      assert.deepEqual(log.calls, [], 'it waits');
      time.runUntil(time.nowMs() + RETRY_MS - 1);
      assert.deepEqual(log.calls, [], 'and does not hurry');
      time.runUntil(time.nowMs() + 1);
      continue;
    }
    const [call, answer] = step;
    // Exactly this and nothing else: a second append under way could be stored alone.
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

for (const [name, { steps, told }] of Object.entries(STORIES)) {
  test(name, () => {
    const stage = open();
    for (const message of THREE) stage.writer.append(bytes(message));
    play(stage, steps);
    assert.deepEqual(stage.told, told);
    assert.deepEqual(stage.log.calls, [], 'nothing is left under way');
    stage.time.runUntil(stage.time.nowMs() + 10 * RETRY_MS);
    assert.deepEqual(stage.log.calls, [], 'nothing comes later');
    assert.equal(stage.writer.isReconciling, false);
  });
}

test('it says at which place each message will be, and how far it is', () => {
  const stage = open();
  const { log, writer } = stage;
  const places = THREE.map((message) => writer.append(bytes(message)));
  assert.deepEqual(places, [8, 9, 10]);
  assert.deepEqual([writer.stored, writer.pending, writer.isReconciling], [7, 3, false]);
  log.answer('stored');
  assert.deepEqual([writer.stored, writer.pending], [8, 2]);
  log.answer('unknown');
  assert.deepEqual([writer.stored, writer.isReconciling, writer.mendings], [8, true, 1]);
  assert.equal(writer.append(bytes('d')), 11);
  assert.deepEqual(log.calls, ['extent'], 'what is appended meanwhile waits');
  play(stage, [
    ['extent', [1, 8]],
    ['append 9 b', 'stored'],
    ['append 10 c', 'stored'],
    ['append 11 d', 'stored'],
  ]);
  assert.deepEqual([writer.stored, writer.pending, writer.isReconciling], [11, 0, false]);
  assert.equal(writer.mendings, 1);
});

test('the next message is under way before anyone is told of the one before', () => {
  const callsWhenTold: string[][] = [];
  const stage = open(() => callsWhenTold.push(stage.log.calls));
  for (const message of THREE) stage.writer.append(bytes(message));
  for (let count = 0; count < 3; count++) stage.log.answer('stored');
  assert.deepEqual(callsWhenTold, [['append 9 b'], ['append 10 c'], []]);
});

test('what is appended from within the telling follows in its turn', () => {
  const stage = open((sequence) => {
    if (sequence === 8) stage.writer.append(bytes('b'));
  });
  stage.writer.append(bytes('a'));
  play(stage, [
    ['append 8 a', 'stored'],
    ['append 9 b', 'stored'],
  ]);
  assert.deepEqual(stage.told, ['stored 8', 'stored 9']);
});

test('once stopped it tells nothing and sends nothing, whatever the log still answers', () => {
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
    assert.deepEqual([stage.told, stage.log.calls], [[], []], moment);
  }
});

/** Counts the appends that have not been answered: never more than one. */
function oneAtATime(log: LogStream): LogStream {
  let underWay = 0;
  return {
    append(sequence, message, done) {
      underWay++;
      assert.equal(underWay, 1, `append ${sequence} while another is under way`);
      log.append(sequence, message, (outcome) => {
        underWay--;
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
  readonly told: string[];
  readonly mendings: number;
}

/** Twelve messages over a bad path; a rival may store one of its own before long. */
function runWithFaults(seed: number, rivalAtMs?: number): FaultyRun {
  const numbers = new Random(seed);
  const random = () => numbers.word() / 2 ** 32;
  const time = new VirtualTime({ startMs: 0, random: numbers, latenessMsMax: 1 });
  const log = new MemoryLog(time);
  const process = time.process(0);
  const path = { ...soundPath(random), rates: FAULTS };
  const told: string[] = [];
  const writer = new LogWriter({
    log: oneAtATime(log.connect(process, path)),
    clock: process,
    last: 0,
    retryMs: 20,
    onStored: (sequence) => told.push(`stored ${sequence}`),
    onFenced: () => told.push('fenced'),
  });
  for (let at = 1; at <= MESSAGES; at++) {
    time.after(at * 10, () => void writer.append(bytes(`m${at}`)));
  }
  if (rivalAtMs !== undefined) time.after(rivalAtMs, () => void log.store(bytes('rival')));
  time.runUntil(60_000);
  return { log, told, mendings: writer.mendings };
}

function contents(log: MemoryLog): string[] {
  return Array.from({ length: log.last }, (_, at) => text(log.message(at + 1)));
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`);
}

test('over a bad path every message is stored once, in order, and told once, in order', () => {
  let mendings = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const run = runWithFaults(seed);
    assert.deepEqual(contents(run.log), numbered('m', MESSAGES), `seed ${seed}`);
    assert.deepEqual(run.told, numbered('stored ', MESSAGES), `seed ${seed}`);
    mendings += run.mendings;
  }
  assert.ok(mendings > 400, `only ${mendings} mendings: the faults were not met`);
});

test('once a rival has stored, nothing of ours follows, and what was told stands', () => {
  let fenced = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const { log, told } = runWithFaults(seed, 5 + (seed % 130));
    const found = contents(log);
    const ours = found.indexOf('rival');
    if (ours === MESSAGES) continue; // It came after the last of ours.
    fenced++;
    assert.deepEqual(found, [...numbered('m', ours), 'rival'], `seed ${seed}`);
    assert.deepEqual(told, [...numbered('stored ', ours), 'fenced'], `seed ${seed}`);
  }
  assert.ok(fenced > 150);
});
