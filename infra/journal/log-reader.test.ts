// The checking reader. First against a log in the test's hands: duplicates, gaps, torn messages, a
// trimmed log, silence. Then over a path with faults: each message once, in order, whole.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import type { Extent, LogStream, LogSubscription } from './log-port.ts';
import { LogReader } from './log-reader.ts';
import { MemoryLog } from './memory-log.ts';
import { type LogFault, soundPath } from './memory-log-path.ts';
import { hashFrame, openSealedFrame, sealFrame } from './sealed-frame.ts';

const RETRY_MS = 50;
const WATCH_MS = 500;
const FIRST = 5;
const READS_MAX = 20;

/** Notes what it is asked; the test delivers and answers. A following that ended says so. */
class HandLog implements LogStream {
  readonly calls: string[] = [];
  readonly #receivers: ((sequence: number, message: Uint8Array) => void)[] = [];
  readonly #questions: { call: string; done: (answer: unknown) => void }[] = [];

  append(): never {
    return assert.fail('a reader does not append');
  }

  extent(done: (extent: Extent | undefined) => void): void {
    this.#ask('extent', done as (answer: unknown) => void);
  }

  read(sequence: number, done: (message: Uint8Array | undefined) => void): void {
    this.#ask(`read ${sequence}`, done as (answer: unknown) => void);
  }

  follow(from: number, receive: (sequence: number, message: Uint8Array) => void): LogSubscription {
    this.calls.push(`follow ${from}`);
    this.#receivers.push(receive);
    return { stop: () => this.calls.push('stop') };
  }

  /** By the last following, or by an earlier one that does not know that it was stopped. */
  deliver(sequence: number, message: string, following = this.#receivers.length): void {
    this.#receivers[following - 1](sequence, bytes(message));
  }

  /** The oldest question. */
  answer(answer: Extent | string | undefined): void {
    const question = this.#questions.shift();
    assert.ok(question, 'nothing was asked');
    question.done(typeof answer === 'string' ? bytes(answer) : answer);
  }

  /** Every open question, those of the watch and those for a message. */
  answerAll(extent: Extent, message?: string): void {
    for (const { call, done } of this.#questions.splice(0)) {
      done(call === 'extent' ? extent : message && bytes(message));
    }
  }

  /** What was asked since the last look. */
  took(): string[] {
    return this.calls.splice(0);
  }

  #ask(call: string, done: (answer: unknown) => void): void {
    this.calls.push(call);
    this.#questions.push({ call, done });
  }
}

interface Stage {
  readonly log: HandLog;
  readonly time: VirtualTime;
  readonly reader: LogReader<string>;
  /** What was delivered, and a loss. */
  readonly told: string[];
  pass(forMs: number): void;
}

function open(onReceived: (sequence: number) => void = () => {}): Stage {
  const log = new HandLog();
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const told: string[] = [];
  const reader = new LogReader<string>({
    log,
    clock: time,
    from: FIRST,
    retryMs: RETRY_MS,
    watchMs: WATCH_MS,
    open: (message) => (text(message).startsWith('torn') ? undefined : text(message)),
    receive(opened, sequence) {
      told.push(`${sequence} ${opened}`);
      onReceived(sequence);
    },
    onStuck: (reason) => told.push(`stuck: ${reason}`),
    onLost: (reason) => told.push(`lost: ${reason}`),
  });
  assert.deepEqual(log.took(), ['follow 5']);
  return { log, time, reader, told, pass: (forMs) => time.runUntil(time.nowMs() + forMs) };
}

function bytes(message: string): Uint8Array {
  return new TextEncoder().encode(message);
}

function text(message: Uint8Array): string {
  return new TextDecoder().decode(message);
}

const DELIVERIES: Record<string, { deliveries: readonly number[]; told: readonly string[] }> = {
  'in order': { deliveries: [5, 6, 7], told: ['5 m5', '6 m6', '7 m7'] },
  'each twice': { deliveries: [5, 5, 6, 6, 7, 7], told: ['5 m5', '6 m6', '7 m7'] },
  'an old one between': { deliveries: [5, 4, 6, 5, 7], told: ['5 m5', '6 m6', '7 m7'] },
  'two in the wrong order, the first again': { deliveries: [6, 5, 6], told: ['5 m5', '6 m6'] },
  'from before the first wanted': { deliveries: [3, 4, 5], told: ['5 m5'] },
  'one left out': { deliveries: [5, 7, 8], told: ['5 m5'] },
};

for (const [name, { deliveries, told }] of Object.entries(DELIVERIES)) {
  test(`deliveries ${name} give each message once, in order, and ask for nothing yet`, () => {
    const stage = open();
    for (const sequence of deliveries) stage.log.deliver(sequence, `m${sequence}`);
    assert.deepEqual(stage.told, told);
    assert.equal(stage.reader.next, FIRST + told.length);
    assert.deepEqual(stage.log.took(), []);
  });
}

test('a gap is followed up by the watch, from the message that is missing', () => {
  const { log, pass, told } = open();
  log.deliver(5, 'm5');
  pass(WATCH_MS);
  log.deliver(7, 'm7');
  assert.deepEqual(log.took(), [], 'messages came: no reason to ask');
  pass(WATCH_MS);
  assert.deepEqual(log.took(), ['extent']);
  log.answer({ first: 1, last: 7 });
  assert.deepEqual(log.took(), ['stop', 'follow 6']);
  log.deliver(6, 'm6');
  log.deliver(7, 'm7');
  assert.deepEqual(told, ['5 m5', '6 m6', '7 m7']);
});

test('deliveries of an earlier following mean nothing any more', () => {
  const { log, pass, told } = open();
  pass(WATCH_MS);
  log.answer({ first: 1, last: 5 });
  assert.deepEqual(log.took(), ['extent', 'stop', 'follow 5']);
  log.deliver(5, 'm5', 1);
  assert.deepEqual(told, []);
  log.deliver(5, 'm5', 2);
  assert.deepEqual(told, ['5 m5']);
});

test('a log that does not give what it says it has is asked on, and somebody is told', () => {
  const { log, told, pass } = open();
  for (let look = 1; look <= 40; look++) {
    pass(WATCH_MS);
    log.answer({ first: 1, last: 9 });
    if (look === 19) assert.deepEqual(told, []);
  }
  const hole = 'stuck: the log ends at 9, but message 5 does not come';
  assert.deepEqual(told, [hole, hole]);
  log.deliver(5, 'm5');
  assert.deepEqual(told.at(-1), '5 m5');
  pass(WATCH_MS);
  for (let look = 1; look <= 19; look++) {
    pass(WATCH_MS);
    log.answer({ first: 1, last: 9 });
  }
  assert.equal(told.length, 3, 'after a message it is counted anew');
});

test('silence is no reason to follow again while the log has nothing more', () => {
  const { log, pass, told } = open();
  for (let watch = 0; watch < 3; watch++) {
    pass(WATCH_MS);
    assert.deepEqual(log.took(), ['extent']);
    log.answer({ first: 1, last: FIRST - 1 });
  }
  pass(WATCH_MS);
  log.answer(undefined);
  assert.deepEqual(log.took(), ['extent'], 'nor while the log can not answer');
  pass(WATCH_MS);
  assert.deepEqual(log.took(), ['extent'], 'but it goes on asking');
  assert.deepEqual(told, []);
});

test('a message that comes while the log is asked makes the answer void', () => {
  const { log, pass } = open();
  pass(WATCH_MS);
  log.deliver(5, 'm5');
  log.answer({ first: 1, last: 6 });
  assert.deepEqual(log.took(), ['extent'], 'it moves: no new following');
});

test('a torn message is read by itself at once, and the following goes on behind it', () => {
  const { log, told } = open();
  log.deliver(5, 'torn');
  assert.deepEqual(log.took(), ['stop', 'read 5']);
  log.deliver(5, 'm5');
  log.deliver(6, 'm6');
  assert.deepEqual(told, [], 'what the old following still brings is not taken');
  log.answer('m5');
  assert.deepEqual(log.took(), ['stop', 'follow 6']);
  log.deliver(6, 'm6');
  assert.deepEqual(told, ['5 m5', '6 m6']);
});

test('a read that brings nothing, or a torn message, is tried again after a while', () => {
  const { log, pass, told } = open();
  log.deliver(5, 'torn');
  for (const answer of [undefined, 'torn', undefined]) {
    assert.deepEqual(log.took(), ['stop', 'read 5']);
    log.answer(answer);
    pass(RETRY_MS - 1);
    assert.deepEqual(log.took(), []);
    pass(1);
  }
  log.answer('m5');
  assert.deepEqual(told, ['5 m5']);
});

test('a message that the log itself holds damaged is lost, after many reads and for good', () => {
  const { log, pass, reader, told } = open();
  log.deliver(5, 'torn');
  for (let read = 1; read < READS_MAX; read++) {
    log.answerAll({ first: 1, last: 5 }, 'torn');
    assert.deepEqual(told, [], `after ${read} reads`);
    pass(RETRY_MS);
  }
  log.answerAll({ first: 1, last: 5 }, 'torn');
  assert.deepEqual(told, ['lost: message 5 is damaged']);
  log.took();
  log.deliver(5, 'm5');
  pass(10 * WATCH_MS);
  assert.deepEqual([log.took(), told.length, reader.next], [[], 1, 5]);
});

test('reads that bring nothing say nothing of damage', () => {
  const { log, pass, told } = open();
  log.deliver(5, 'torn');
  for (let read = 0; read < 2 * READS_MAX; read++) {
    log.answerAll({ first: 1, last: 5 });
    pass(RETRY_MS);
  }
  log.answer('torn');
  assert.deepEqual(told, [], 'one damaged copy is not many');
  pass(RETRY_MS);
  log.answer('m5');
  assert.deepEqual(told, ['5 m5']);
});

test('a few torn messages here and there never add up to a loss', () => {
  const { log, pass, told } = open();
  for (let sequence = FIRST; sequence < FIRST + 2 * READS_MAX; sequence++) {
    log.deliver(sequence, 'torn');
    log.answer('torn');
    pass(RETRY_MS);
    log.answer(`m${sequence}`);
  }
  assert.equal(told.at(-1), `${FIRST + 2 * READS_MAX - 1} m${FIRST + 2 * READS_MAX - 1}`);
});

test('a log that begins after the next message has lost it', () => {
  const { log, pass, told } = open();
  log.deliver(9, 'm9');
  pass(WATCH_MS);
  log.took();
  log.answer({ first: 6, last: 9 });
  assert.deepEqual(told, ['lost: the log begins at 6, message 5 is gone']);
  assert.deepEqual(log.took(), ['stop']);
  log.deliver(5, 'm5');
  pass(10 * WATCH_MS);
  assert.deepEqual([log.took(), told.length], [[], 1]);
});

test('a log that begins with the next message has lost nothing', () => {
  const { log, pass, told } = open();
  pass(WATCH_MS);
  log.took();
  log.answer({ first: 5, last: 9 });
  assert.deepEqual([log.took(), told], [['stop', 'follow 5'], []]);
});

test('a torn message that is gone from the log before it can be read is lost', () => {
  const { log, pass, told } = open();
  log.deliver(5, 'torn');
  for (let passedMs = 0; passedMs <= WATCH_MS; passedMs += RETRY_MS) {
    assert.deepEqual(told, []);
    log.answerAll({ first: 6, last: 9 });
    pass(RETRY_MS);
  }
  assert.deepEqual(told, ['lost: the log begins at 6, message 5 is gone']);
});

test('a reader that is stopped asks nothing and delivers nothing, whatever is under way', () => {
  const moments: Record<string, { before: (stage: Stage) => void; answer?: Extent | string }> = {
    following: { before: ({ log }) => log.deliver(5, 'm5') },
    fetching: { before: ({ log }) => log.deliver(5, 'torn'), answer: 'm5' },
    waiting: {
      before: ({ log }) => {
        log.deliver(5, 'torn');
        log.answer(undefined);
      },
    },
    watching: { before: ({ pass }) => pass(WATCH_MS), answer: { first: 1, last: 9 } },
    losing: { before: ({ pass }) => pass(WATCH_MS), answer: { first: 9, last: 9 } },
  };
  for (const [moment, { before, answer }] of Object.entries(moments)) {
    const stage = open();
    before(stage);
    stage.reader.stop();
    const toldBefore = stage.told.length;
    assert.ok(stage.log.took().includes('stop'), moment);
    if (answer !== undefined) stage.log.answer(answer);
    stage.log.deliver(stage.reader.next, 'more');
    stage.pass(10 * WATCH_MS);
    assert.deepEqual([stage.log.took(), stage.told.length], [[], toldBefore], moment);
  }
});

test('a receiver may stop the reader from within a delivery', () => {
  const following = open((sequence) => sequence === 6 && following.reader.stop());
  for (const sequence of [5, 6, 7]) following.log.deliver(sequence, `m${sequence}`);
  assert.deepEqual(following.told, ['5 m5', '6 m6']);

  const fetching = open(() => fetching.reader.stop());
  fetching.log.deliver(5, 'torn');
  fetching.log.took();
  fetching.log.answer('m5');
  fetching.pass(10 * WATCH_MS);
  assert.deepEqual(fetching.told, ['5 m5']);
  assert.deepEqual(fetching.log.took(), ['stop'], 'it follows no more');
});

const DELIVERY_FAULTS: Partial<Record<LogFault, number>> = {
  delivery_lost: 0.1,
  delivery_late: 0.1,
  delivery_twice: 0.1,
  delivery_torn: 0.1,
  delivery_stalled: 0.1,
  extent_stale: 0.2,
  extent_unavailable: 0.2,
  read_unavailable: 0.2,
};
const MESSAGES = 40;

function sealed(message: string): Uint8Array {
  return sealFrame(bytes(message), hashFrame(bytes(message)));
}

test('over a bad path each message is delivered once, in order and whole', () => {
  const met = new Set<string>();
  const wanted = Array.from({ length: MESSAGES }, (_, at) => `${at + 1} message ${at + 1}`);
  for (let seed = 1; seed <= 100; seed++) {
    const numbers = new Random(seed);
    const random = () => numbers.word() / 2 ** 32;
    const time = new VirtualTime({ startMs: 0, random: numbers, latenessMsMax: 1 });
    const log = new MemoryLog(time);
    const clock = time.process(0);
    const onFault = (fault: string) => void met.add(fault);
    const path = { ...soundPath(random), rates: DELIVERY_FAULTS, onFault };
    const told: string[] = [];
    new LogReader({
      log: log.connect(clock, path),
      clock,
      from: 1,
      retryMs: 20,
      watchMs: 100,
      open: openSealedFrame,
      receive: ({ frame }, sequence) => told.push(`${sequence} ${text(frame)}`),
      onLost: (reason) => told.push(reason),
    });
    for (let at = 1; at <= MESSAGES; at++) {
      time.after(at * 7, () => void log.store(sealed(`message ${at}`)));
    }
    time.runUntil(20_000);
    assert.deepEqual(told, wanted, `seed ${seed}`);
  }
  assert.deepEqual([...met].sort(), Object.keys(DELIVERY_FAULTS).sort());
});
