// The log reader. First with a log that the test controls: duplicates, gaps, torn messages, a
// trimmed log, silence. Then over a path with faults: each message once, in order and intact.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import type { Extent, LogStream, LogSubscription } from './log-port.ts';
import { LogReader } from './log-reader.ts';
import { MemoryLog } from './memory-log.ts';
import { faultlessPath, type LogFault } from './memory-log-path.ts';
import { hashFrame, openSealedFrame, sealFrame } from './sealed-frame.ts';

const RETRY_MS = 50;
const WATCH_MS = 500;
const FIRST = 5;
const READS_MAX = 20;

/** Records all calls; the test delivers messages and answers requests. */
class ManualLog implements LogStream {
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

  /** Delivers through the last subscription, or through an earlier one that was stopped. */
  deliver(sequence: number, message: string, following = this.#receivers.length): void {
    this.#receivers[following - 1](sequence, bytes(message));
  }

  /** Answers the oldest request. */
  answer(answer: Extent | string | undefined): void {
    const question = this.#questions.shift();
    assert.ok(question, 'no request is open');
    question.done(typeof answer === 'string' ? bytes(answer) : answer);
  }

  /** Answers every open request, for the extent or for a message. */
  answerAll(extent: Extent, message?: string): void {
    for (const { call, done } of this.#questions.splice(0)) {
      done(call === 'extent' ? extent : message && bytes(message));
    }
  }

  /** The calls since the last time. */
  takeCalls(): string[] {
    return this.calls.splice(0);
  }

  #ask(call: string, done: (answer: unknown) => void): void {
    this.calls.push(call);
    this.#questions.push({ call, done });
  }
}

interface Stage {
  readonly log: ManualLog;
  readonly time: VirtualTime;
  readonly reader: LogReader<string>;
  /** Deliveries, stalls and losses, as text. */
  readonly seen: string[];
  pass(forMs: number): void;
}

function open(onReceived: (sequence: number) => void = () => {}): Stage {
  const log = new ManualLog();
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const seen: string[] = [];
  const reader = new LogReader<string>({
    log,
    clock: time,
    from: FIRST,
    retryMs: RETRY_MS,
    watchMs: WATCH_MS,
    open: (message) => (text(message).startsWith('torn') ? undefined : text(message)),
    receive(opened, sequence) {
      seen.push(`${sequence} ${opened}`);
      onReceived(sequence);
    },
    onStalled: (reason) => seen.push(`stalled: ${reason}`),
    onLost: (reason) => seen.push(`lost: ${reason}`),
  });
  assert.deepEqual(log.takeCalls(), ['follow 5']);
  return { log, time, reader, seen, pass: (forMs) => time.runUntil(time.nowMs() + forMs) };
}

function bytes(message: string): Uint8Array {
  return new TextEncoder().encode(message);
}

function text(message: Uint8Array): string {
  return new TextDecoder().decode(message);
}

const DELIVERIES: Record<string, { deliveries: readonly number[]; seen: readonly string[] }> = {
  'in order': { deliveries: [5, 6, 7], seen: ['5 m5', '6 m6', '7 m7'] },
  'each twice': { deliveries: [5, 5, 6, 6, 7, 7], seen: ['5 m5', '6 m6', '7 m7'] },
  'with an old message between': { deliveries: [5, 4, 6, 5, 7], seen: ['5 m5', '6 m6', '7 m7'] },
  'in the wrong order, then again': { deliveries: [6, 5, 6], seen: ['5 m5', '6 m6'] },
  'from before the start': { deliveries: [3, 4, 5], seen: ['5 m5'] },
  'with a gap': { deliveries: [5, 7, 8], seen: ['5 m5'] },
};

for (const [name, { deliveries, seen }] of Object.entries(DELIVERIES)) {
  test(`deliveries ${name} deliver each message once, in order, without requests`, () => {
    const stage = open();
    for (const sequence of deliveries) stage.log.deliver(sequence, `m${sequence}`);
    assert.deepEqual(stage.seen, seen);
    assert.equal(stage.reader.next, FIRST + seen.length);
    assert.deepEqual(stage.log.takeCalls(), []);
  });
}

test('the next check resubscribes from a missing message', () => {
  const { log, pass, seen } = open();
  log.deliver(5, 'm5');
  pass(WATCH_MS);
  log.deliver(7, 'm7');
  assert.deepEqual(log.takeCalls(), [], 'messages arrived, so there is no request');
  pass(WATCH_MS);
  assert.deepEqual(log.takeCalls(), ['extent']);
  log.answer({ first: 1, last: 7 });
  assert.deepEqual(log.takeCalls(), ['stop', 'follow 6']);
  log.deliver(6, 'm6');
  log.deliver(7, 'm7');
  assert.deepEqual(seen, ['5 m5', '6 m6', '7 m7']);
});

test('deliveries from an earlier subscription are ignored', () => {
  const { log, pass, seen } = open();
  pass(WATCH_MS);
  log.answer({ first: 1, last: 5 });
  assert.deepEqual(log.takeCalls(), ['extent', 'stop', 'follow 5']);
  log.deliver(5, 'm5', 1);
  assert.deepEqual(seen, []);
  log.deliver(5, 'm5', 2);
  assert.deepEqual(seen, ['5 m5']);
});

test('a stalled log is queried again, and the stall is reported', () => {
  const { log, seen, pass } = open();
  for (let look = 1; look <= 40; look++) {
    pass(WATCH_MS);
    log.answer({ first: 1, last: 9 });
    if (look === 19) assert.deepEqual(seen, []);
  }
  const hole = 'stalled: the log ends at 9, but message 5 is not delivered';
  assert.deepEqual(seen, [hole, hole]);
  log.deliver(5, 'm5');
  assert.deepEqual(seen.at(-1), '5 m5');
  pass(WATCH_MS);
  for (let look = 1; look <= 19; look++) {
    pass(WATCH_MS);
    log.answer({ first: 1, last: 9 });
  }
  assert.equal(seen.length, 3, 'a delivery resets the count');
});

test('missing deliveries cause no new subscription while the log has nothing more', () => {
  const { log, pass, seen } = open();
  for (let watch = 0; watch < 3; watch++) {
    pass(WATCH_MS);
    assert.deepEqual(log.takeCalls(), ['extent']);
    log.answer({ first: 1, last: FIRST - 1 });
  }
  pass(WATCH_MS);
  log.answer(undefined);
  assert.deepEqual(log.takeCalls(), ['extent'], 'nor while the log does not respond');
  pass(WATCH_MS);
  assert.deepEqual(log.takeCalls(), ['extent'], 'but it keeps querying');
  assert.deepEqual(seen, []);
});

test('a response is ignored if a message has arrived in the meantime', () => {
  const { log, pass } = open();
  pass(WATCH_MS);
  log.deliver(5, 'm5');
  log.answer({ first: 1, last: 6 });
  assert.deepEqual(log.takeCalls(), ['extent'], 'there is progress, so no new subscription');
});

test('a torn message is read individually, and deliveries continue after it', () => {
  const { log, seen } = open();
  log.deliver(5, 'torn');
  assert.deepEqual(log.takeCalls(), ['stop', 'read 5']);
  log.deliver(5, 'm5');
  log.deliver(6, 'm6');
  assert.deepEqual(seen, [], 'deliveries from the old subscription are ignored');
  log.answer('m5');
  assert.deepEqual(log.takeCalls(), ['stop', 'follow 6']);
  log.deliver(6, 'm6');
  assert.deepEqual(seen, ['5 m5', '6 m6']);
});

test('a read that fails or returns a torn message is retried after a delay', () => {
  const { log, pass, seen } = open();
  log.deliver(5, 'torn');
  for (const answer of [undefined, 'torn', undefined]) {
    assert.deepEqual(log.takeCalls(), ['stop', 'read 5']);
    log.answer(answer);
    pass(RETRY_MS - 1);
    assert.deepEqual(log.takeCalls(), []);
    pass(1);
  }
  log.answer('m5');
  assert.deepEqual(seen, ['5 m5']);
});

test('a message that is damaged in the log is lost after many reads', () => {
  const { log, pass, reader, seen } = open();
  log.deliver(5, 'torn');
  for (let read = 1; read < READS_MAX; read++) {
    log.answerAll({ first: 1, last: 5 }, 'torn');
    assert.deepEqual(seen, [], `after ${read} reads`);
    pass(RETRY_MS);
  }
  log.answerAll({ first: 1, last: 5 }, 'torn');
  assert.deepEqual(seen, ['lost: message 5 is damaged']);
  log.takeCalls();
  log.deliver(5, 'm5');
  pass(10 * WATCH_MS);
  assert.deepEqual([log.takeCalls(), seen.length, reader.next], [[], 1, 5]);
});

test('failed reads do not count as damage', () => {
  const { log, pass, seen } = open();
  log.deliver(5, 'torn');
  for (let read = 0; read < 2 * READS_MAX; read++) {
    log.answerAll({ first: 1, last: 5 });
    pass(RETRY_MS);
  }
  log.answer('torn');
  assert.deepEqual(seen, [], 'one damaged copy is not enough');
  pass(RETRY_MS);
  log.answer('m5');
  assert.deepEqual(seen, ['5 m5']);
});

test('scattered torn messages never add up to a loss', () => {
  const { log, pass, seen } = open();
  for (let sequence = FIRST; sequence < FIRST + 2 * READS_MAX; sequence++) {
    log.deliver(sequence, 'torn');
    log.answer('torn');
    pass(RETRY_MS);
    log.answer(`m${sequence}`);
  }
  assert.equal(seen.at(-1), `${FIRST + 2 * READS_MAX - 1} m${FIRST + 2 * READS_MAX - 1}`);
});

test('a log that starts after the next message has lost it', () => {
  const { log, pass, seen } = open();
  log.deliver(9, 'm9');
  pass(WATCH_MS);
  log.takeCalls();
  log.answer({ first: 6, last: 9 });
  assert.deepEqual(seen, ['lost: the log starts at 6; message 5 no longer exists']);
  assert.deepEqual(log.takeCalls(), ['stop']);
  log.deliver(5, 'm5');
  pass(10 * WATCH_MS);
  assert.deepEqual([log.takeCalls(), seen.length], [[], 1]);
});

test('a log that starts with the next message has lost nothing', () => {
  const { log, pass, seen } = open();
  pass(WATCH_MS);
  log.takeCalls();
  log.answer({ first: 5, last: 9 });
  assert.deepEqual([log.takeCalls(), seen], [['stop', 'follow 5'], []]);
});

test('a torn message that is purged before it can be read is lost', () => {
  const { log, pass, seen } = open();
  log.deliver(5, 'torn');
  for (let passedMs = 0; passedMs <= WATCH_MS; passedMs += RETRY_MS) {
    assert.deepEqual(seen, []);
    log.answerAll({ first: 6, last: 9 });
    pass(RETRY_MS);
  }
  assert.deepEqual(seen, ['lost: the log starts at 6; message 5 no longer exists']);
});

test('a stopped reader requests and delivers nothing, whatever is in flight', () => {
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
    const toldBefore = stage.seen.length;
    assert.ok(stage.log.takeCalls().includes('stop'), moment);
    if (answer !== undefined) stage.log.answer(answer);
    stage.log.deliver(stage.reader.next, 'more');
    stage.pass(10 * WATCH_MS);
    assert.deepEqual([stage.log.takeCalls(), stage.seen.length], [[], toldBefore], moment);
  }
});

test('a receiver can stop the reader during a delivery', () => {
  const following = open((sequence) => sequence === 6 && following.reader.stop());
  for (const sequence of [5, 6, 7]) following.log.deliver(sequence, `m${sequence}`);
  assert.deepEqual(following.seen, ['5 m5', '6 m6']);

  const fetching = open(() => fetching.reader.stop());
  fetching.log.deliver(5, 'torn');
  fetching.log.takeCalls();
  fetching.log.answer('m5');
  fetching.pass(10 * WATCH_MS);
  assert.deepEqual(fetching.seen, ['5 m5']);
  assert.deepEqual(fetching.log.takeCalls(), ['stop'], 'it does not resubscribe');
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

test('over a faulty path each message is delivered once, in order and intact', () => {
  const met = new Set<string>();
  const wanted = Array.from({ length: MESSAGES }, (_, at) => `${at + 1} message ${at + 1}`);
  for (let seed = 1; seed <= 100; seed++) {
    const numbers = new Random(seed);
    const random = () => numbers.word() / 2 ** 32;
    const time = new VirtualTime({ startMs: 0, random: numbers, latenessMsMax: 1 });
    const log = new MemoryLog(time);
    const clock = time.process(0);
    const onFault = (fault: string) => void met.add(fault);
    const path = { ...faultlessPath(random), rates: DELIVERY_FAULTS, onFault };
    const seen: string[] = [];
    new LogReader({
      log: log.connect(clock, path),
      clock,
      from: 1,
      retryMs: 20,
      watchMs: 100,
      open: openSealedFrame,
      receive: ({ frame }, sequence) => seen.push(`${sequence} ${text(frame)}`),
      onLost: (reason) => seen.push(reason),
    });
    for (let at = 1; at <= MESSAGES; at++) {
      time.after(at * 7, () => void log.store(sealed(`message ${at}`)));
    }
    time.runUntil(20_000);
    assert.deepEqual(seen, wanted, `seed ${seed}`);
  }
  assert.deepEqual([...met].sort(), Object.keys(DELIVERY_FAULTS).sort());
});

test('a log that ends before the read messages is lost; an old response is not a loss', () => {
  const { log, pass, reader, seen } = open();
  log.deliver(5, 'a');
  log.deliver(6, 'b');
  seen.length = 0;
  const check = (last: number) => {
    pass(WATCH_MS);
    log.answerAll({ first: 1, last });
  };
  for (let count = 0; count < 15; count++) check(3);
  check(6);
  for (let count = 0; count < 20; count++) check(3);
  assert.deepEqual([seen, reader.next], [[], 7]);
  for (let count = 0; count < 4; count++) check(3);
  assert.deepEqual(seen, [
    'lost: the log ends at 3, but it had message 6: it was lost or put back',
  ]);
});
