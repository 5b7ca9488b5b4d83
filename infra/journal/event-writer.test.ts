// The writer of the EVENTS log: batches what waits, goes on behind whatever the log holds, whoever
// wrote it, and stops when the log holds something else than it made.

import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeEventFrame, FrameWriter } from '../../core/messages/index.ts';
import type { CommandNumber, TimeMs } from '../../core/money/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import {
  decodeEventBatch,
  EVENT_BATCH_BYTES_MAX,
  type EventPart,
  encodeEventBatch,
} from './event-batch.ts';
import { type EventsEnd, EventWriter, findEventsEnd, NO_EVENTS } from './event-writer.ts';
import type { AppendOutcome, Extent, LogStream } from './log-port.ts';
import { MemoryLog } from './memory-log.ts';
import { soundPath } from './memory-log-path.ts';
import { equalBytes, NO_HASH } from './sealed-frame.ts';

const RETRY_MS = 50;

/** A part whose bytes are an event frame; another time makes other bytes. */
function part(sequence: number, number = 0, isLast = true, timeMs = 1_000): EventPart {
  const header = { sequence, timeMs: timeMs as TimeMs, firstCommand: 1 as CommandNumber };
  const bytes = new Uint8Array(encodeEventFrame(new FrameWriter(), { ...header, events: [] }));
  return { sequence, part: number, isLast, bytes };
}

function large(sequence: number, byteCount: number): EventPart {
  const bytes = new Uint8Array(byteCount);
  bytes.set(part(sequence).bytes);
  return { sequence, part: 0, isLast: true, bytes };
}

/** `7` for a frame of one part; `7.0+` for a part that is not the last. */
function nameOf({ sequence, part, isLast }: EventPart): string {
  return `${sequence}${part > 0 || !isLast ? `.${part}` : ''}${isLast ? '' : '+'}`;
}

/** Appends wait for the test; questions are answered as the log stands. */
class HandLog implements LogStream {
  readonly messages: Uint8Array[] = [];
  readonly #clock: VirtualTime;
  readonly #underWay: {
    sequence: number;
    message: Uint8Array;
    done: (outcome: AppendOutcome) => void;
  }[] = [];
  isSilent = false;
  /** So many messages are not known to who answers. */
  staleBy = 0;

  constructor(clock: VirtualTime) {
    this.#clock = clock;
  }

  append(sequence: number, message: Uint8Array, done: (outcome: AppendOutcome) => void): void {
    assert.equal(this.#underWay.length, 0, 'only one batch is under way');
    this.#underWay.push({ sequence, message, done });
  }

  extent(done: (extent: Extent | undefined) => void): void {
    const extent = { first: 1, last: this.messages.length - this.staleBy };
    this.#clock.soon(() => done(this.isSilent ? undefined : extent));
  }

  read(sequence: number, done: (message: Uint8Array | undefined) => void): void {
    this.#clock.soon(() => done(this.isSilent ? undefined : this.messages[sequence - 1]));
  }

  follow(): never {
    return assert.fail('a writer does not follow');
  }

  get underWay(): string {
    return this.#underWay.map(({ message }) => namesIn(message)).join(' | ');
  }

  settle(outcome: AppendOutcome, isStored = outcome === 'stored'): void {
    const [{ done, message, sequence }] = this.#underWay.splice(0);
    if (isStored) assert.equal(this.messages.push(message), sequence);
    done(outcome);
    this.#clock.runUntil(this.#clock.nowMs());
  }

  /** Another writer's batch. */
  store(parts: readonly EventPart[]): void {
    const last = this.messages.at(-1);
    const previous = last === undefined ? NO_HASH : decodeEventBatch(last).hash;
    this.messages.push(encodeEventBatch(previous, parts).message);
  }

  get contents(): string {
    return this.messages.map(namesIn).join(' | ');
  }
}

function namesIn(message: Uint8Array): string {
  return decodeEventBatch(message).parts.map(nameOf).join(' ');
}

interface Stage {
  readonly log: HandLog;
  readonly time: VirtualTime;
  readonly writer: EventWriter;
  readonly told: (string | number)[];
}

function open(end: EventsEnd = NO_EVENTS): Stage {
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const log = new HandLog(time);
  const told: (string | number)[] = [];
  const writer = new EventWriter({
    log,
    clock: time,
    retryMs: RETRY_MS,
    end,
    onStored: (sequence) => told.push(sequence),
    onFault: (reason) => told.push(reason),
  });
  return { log, time, writer, told };
}

test('one batch is under way, and what comes meanwhile waits for the next', () => {
  const { log, told, writer } = open();
  writer.push([part(1)]);
  for (const sequence of [2, 3, 4]) writer.push([part(sequence)]);
  assert.equal(log.underWay, '1');
  log.settle('stored');
  assert.equal(log.underWay, '2 3 4');
  assert.deepEqual(told, [1]);
  writer.push([part(5)]);
  log.settle('stored');
  log.settle('stored');
  assert.equal(log.contents, '1 | 2 3 4 | 5');
  assert.deepEqual(told, [1, 2, 3, 4, 5]);
});

test('it says what waits and up to where all is stored', () => {
  const { log, writer } = open();
  const bytes = part(1).bytes.length;
  assert.deepEqual([writer.waitingBytes, writer.isIdle, writer.storedSequence], [0, true, 0]);
  writer.push([part(1), part(2, 0, false)]);
  writer.push([part(2, 1)]);
  assert.deepEqual([writer.waitingBytes, writer.isIdle], [3 * bytes, false]);
  log.settle('stored');
  // The second frame is stored in part: it does not count yet.
  assert.deepEqual([writer.waitingBytes, writer.isIdle, writer.storedSequence], [bytes, false, 1]);
  log.settle('stored');
  assert.deepEqual([writer.waitingBytes, writer.isIdle, writer.storedSequence], [0, true, 2]);
});

test('a frame counts as stored with its last part, once', () => {
  const { log, told, writer } = open();
  writer.push([part(1, 0, false), part(1, 1, false), part(1, 2)]);
  assert.equal(log.underWay, '1.0+ 1.1+ 1.2');
  log.settle('stored');
  assert.deepEqual(told, [1]);
});

test('batches are cut before they pass their bound', () => {
  const half = EVENT_BATCH_BYTES_MAX / 2;
  const { log, writer } = open();
  writer.push([part(1)]);
  writer.push([large(2, half), large(3, half), part(4)]);
  writer.push([large(5, 2 * half + 1), large(6, half), large(7, half + 1)]);
  const batches: string[] = [];
  while (log.underWay !== '') {
    batches.push(log.underWay);
    log.settle('stored');
  }
  // Exactly the bound fits; a part beyond the bound by itself has a batch of its own.
  assert.deepEqual(batches, ['1', '2 3', '4', '5', '6', '7']);
});

const AFTER: Record<string, { outcome: AppendOutcome; isStored: boolean; rival?: EventPart[] }> = {
  'unknown, and it is stored': { outcome: 'unknown', isStored: true },
  'unknown, and it is not': { outcome: 'unknown', isStored: false },
  'conflict with the same events in one batch': {
    outcome: 'conflict',
    isStored: false,
    rival: [part(2), part(3)],
  },
  'conflict with some of the same events': {
    outcome: 'conflict',
    isStored: false,
    rival: [part(2)],
  },
};

for (const [name, { outcome, isStored, rival }] of Object.entries(AFTER)) {
  test(`${name}: the log is asked, and the rest follows without gap or repeat`, () => {
    const { log, told, writer } = open();
    writer.push([part(1)]);
    log.settle('stored');
    writer.push([part(2), part(3)]);
    writer.push([part(4)]);
    if (rival) log.store(rival);
    log.settle(outcome, isStored);
    while (log.underWay !== '') log.settle('stored');
    assert.deepEqual(log.contents.split(/ \| | /), ['1', '2', '3', '4']);
    assert.deepEqual(told, [1, 2, 3, 4]);
    assertChain(log.messages);
  });
}

test('a late copy of a batch that was sent again with more costs a conflict and no more', () => {
  const { log, told, writer } = open();
  writer.push([part(1)]);
  writer.push([part(2)]);
  log.settle('unknown', false);
  assert.equal(log.underWay, '1 2');
  log.store([part(1)]);
  log.settle('conflict');
  assert.equal(log.underWay, '2');
  log.settle('stored');
  assert.equal(log.contents, '1 | 2');
  assert.deepEqual(told, [1, 2]);
});

test('a frame that another writer stored in part is gone on with', () => {
  const { log, told, writer } = open();
  writer.push([part(1, 0, false), part(1, 1, false), part(1, 2)]);
  log.store([part(1, 0, false)]);
  log.settle('conflict');
  assert.deepEqual([log.underWay, writer.storedSequence, told], ['1.1+ 1.2', 0, []]);
  log.settle('stored');
  assert.deepEqual([log.contents, told], ['1.0+ | 1.1+ 1.2', [1]]);
});

test('where another writer is ahead, what comes is known to be stored', () => {
  const { log, told, writer } = open();
  writer.push([part(1)]);
  log.store([part(1), part(2), part(3, 0, false)]);
  log.settle('conflict');
  assert.deepEqual([writer.storedSequence, writer.isIdle, told], [2, true, [1, 2]]);
  writer.push([part(2)]);
  assert.equal(log.underWay, '');
  writer.push([part(3, 0, false), part(3, 1)]);
  assert.equal(log.underWay, '3.1');
  log.settle('stored');
  assert.deepEqual([log.contents, told], ['1 2 3.0+ | 3.1', [1, 2, 3]]);
});

test('an answer that is behind what was acknowledged is an old one', () => {
  const { log, time, told, writer } = open();
  writer.push([part(1)]);
  log.settle('stored');
  writer.push([part(2)]);
  log.staleBy = 1;
  log.settle('unknown', false);
  time.runUntil(3 * RETRY_MS);
  assert.deepEqual([log.underWay, told], ['', [1]]);
  log.staleBy = 0;
  time.runUntil(4 * RETRY_MS);
  assert.equal(log.underWay, '2');
});

test('a log that takes nothing is asked at once, and then after a while, until it moves', () => {
  const { log, time, writer } = open();
  const asksAtOnce = (outcome: AppendOutcome, isStored = false) => {
    log.settle(outcome, isStored);
    const isAtOnce = log.underWay !== '';
    time.runUntil(time.nowMs() + RETRY_MS);
    assert.notEqual(log.underWay, '', 'it goes on after a while');
    return isAtOnce;
  };
  writer.push([part(1)]);
  writer.push([part(2)]);
  writer.push([part(3)]);
  assert.deepEqual([asksAtOnce('unknown'), asksAtOnce('unknown')], [true, false]);
  assert.equal(asksAtOnce('conflict'), true, 'a conflict is an answer');
  assert.equal(asksAtOnce('unknown'), false, 'but the log has not moved');
  log.store([part(1)]);
  assert.equal(asksAtOnce('unknown'), false);
  assert.equal(asksAtOnce('unknown'), true, 'it has moved');
});

test('a log that can not answer is asked again after a while', () => {
  const { log, time, writer } = open();
  writer.push([part(1)]);
  log.isSilent = true;
  log.settle('unknown', true);
  time.runUntil(5 * RETRY_MS);
  log.isSilent = false;
  assert.deepEqual([log.underWay, writer.isIdle], ['', false]);
  time.runUntil(6 * RETRY_MS);
  assert.deepEqual([log.underWay, writer.isIdle], ['', true]);
});

const FAULTS: Record<string, { spoil: (log: HandLog) => void; fault: string }> = {
  'other events in the log': {
    spoil: (log) => log.store([part(1, 0, true, 2_000)]),
    fault: 'the EVENTS log has different events for frame 1',
  },
  'a frame of the log that ended early': {
    spoil: (log) => log.store([part(1, 0, false)]),
    fault: 'part 0 of frame 2 does not follow the EVENTS log',
  },
  'a damaged last batch': {
    spoil: (log) => {
      log.store([part(1)]);
      log.messages[0][100] ^= 1;
    },
    fault: 'the last batch of the EVENTS log is damaged',
  },
};

for (const [name, { spoil, fault }] of Object.entries(FAULTS)) {
  test(`${name} is a fault, after which nothing is written`, () => {
    const { log, time, told, writer } = open();
    writer.push([part(1), part(2)]);
    spoil(log);
    log.settle('conflict');
    assert.deepEqual(told, [fault]);
    writer.push([part(3)]);
    time.runUntil(10 * RETRY_MS);
    assert.deepEqual([log.underWay, told.length], ['', 1]);
  });
}

test('events that another schema wrote have other bytes and are no fault', () => {
  const { log, told, writer } = open();
  writer.push([part(1)]);
  const older = part(1, 0, true, 2_000);
  new DataView(older.bytes.buffer).setUint16(4, 1, true);
  log.store([older]);
  log.settle('conflict');
  assert.deepEqual(told, [1]);
});

const GAPS: Record<string, { end: EventsEnd; push: EventPart; follows: boolean }> = {
  'the next frame': { end: endAfter(part(7)), push: part(8), follows: true },
  'a later frame': { end: endAfter(part(7)), push: part(9), follows: false },
  'the second part of the next frame': { end: endAfter(part(7)), push: part(8, 1), follows: false },
  'the next part': { end: endAfter(part(7, 0, false)), push: part(7, 1), follows: true },
  'a part further': { end: endAfter(part(7, 0, false)), push: part(7, 2), follows: false },
  'a frame when a part lacks': { end: endAfter(part(7, 0, false)), push: part(8), follows: false },
};

function endAfter({ sequence, part: number, isLast, bytes }: EventPart): EventsEnd {
  return { last: 4, sequence, part: number, isComplete: isLast, bytes, hash: NO_HASH };
}

for (const [name, { end, push, follows }] of Object.entries(GAPS)) {
  test(`${name} ${follows ? 'is appended' : 'would leave a gap, and is a fault'}`, () => {
    const { log, told, writer } = open(end);
    writer.push([push]);
    const fault = `part ${push.part} of frame ${push.sequence} does not follow the EVENTS log`;
    assert.deepEqual([log.underWay, told], follows ? [nameOf(push), []] : ['', [fault]]);
  });
}

test('once stopped it tells nothing and writes nothing', () => {
  for (const outcome of ['stored', 'unknown'] as const) {
    const { log, time, told, writer } = open();
    writer.push([part(1)]);
    writer.push([part(2)]);
    writer.stop();
    log.settle(outcome, true);
    writer.push([part(3)]);
    time.runUntil(10 * RETRY_MS);
    assert.deepEqual([log.underWay, told], ['', []], outcome);
  }
  const { log, time, told, writer } = open();
  writer.push([part(1)]);
  log.isSilent = true;
  log.settle('unknown', false);
  writer.stop();
  log.isSilent = false;
  time.runUntil(10 * RETRY_MS);
  assert.deepEqual([log.underWay, told], ['', []], 'while it asks');
});

/** What findEventsEnd says of a log. */
function endOf(prepare: (log: HandLog) => void): EventsEnd | 'damaged' | undefined | 'nothing' {
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const log = new HandLog(time);
  prepare(log);
  let found: ReturnType<typeof endOf> = 'nothing';
  findEventsEnd(log, (end) => {
    found = end;
  });
  time.runUntil(1);
  return found;
}

test('the end of the log is its last part, none, or not to be told now', () => {
  assert.equal(
    endOf((log) => {
      log.isSilent = true;
    }),
    undefined,
  );
  assert.deepEqual(
    endOf(() => {}),
    NO_EVENTS,
  );
  const empty = (log: HandLog) => log.store([]);
  assert.equal(endOf(empty), 'damaged', 'a batch of nothing is no end');
  assert.equal(
    endOf((log) => {
      log.store([part(1)]);
      log.messages[0][0] ^= 1;
    }),
    'damaged',
  );
  const end = endOf((log) => {
    log.store([part(1), part(2)]);
    log.store([part(3), part(4, 0, false)]);
  });
  const last = part(4, 0, false);
  assert.deepEqual(end, {
    last: 2,
    sequence: 4,
    part: 0,
    isComplete: false,
    bytes: last.bytes,
    hash: encodeEventBatch(NO_HASH, [part(1), part(2), part(3), last]).hash,
  });
});

test('a message that is not to be had leaves the end unknown', () => {
  const end = endOf((log) => {
    log.store([part(1)]);
    log.read = (_, done) => done(undefined);
  });
  assert.equal(end, undefined);
});

function assertChain(messages: readonly Uint8Array[]): void {
  let hash: Uint8Array = NO_HASH;
  for (const message of messages) {
    const batch = decodeEventBatch(message);
    assert.ok(equalBytes(batch.previousHash, hash), 'the chain is broken');
    hash = batch.hash;
  }
}

const PATH_FAULTS = {
  append_lost: 0.1,
  append_late: 0.1,
  append_twice: 0.1,
  answer_lost: 0.1,
  answer_late: 0.1,
  extent_stale: 0.2,
  extent_unavailable: 0.2,
  read_unavailable: 0.2,
};

test('two writers of the same events over bad paths leave each part once, in one chain', () => {
  const parts = Array.from({ length: 20 }, (_, at) => [part(at + 1)]);
  parts[6] = [part(7, 0, false), part(7, 1, false), part(7, 2)];
  const wanted = parts.flat().map(nameOf);
  for (let seed = 1; seed <= 100; seed++) {
    const numbers = new Random(seed);
    const random = () => numbers.word() / 2 ** 32;
    const time = new VirtualTime({ startMs: 0, random: numbers, latenessMsMax: 1 });
    const log = new MemoryLog(time);
    const told: (string | number)[][] = [[], []];
    const writers = told.map((told) => {
      const clock = time.process(0);
      const path = { ...soundPath(random), rates: PATH_FAULTS };
      return new EventWriter({
        log: log.connect(clock, path),
        clock,
        retryMs: 20,
        end: NO_EVENTS,
        onStored: (sequence) => told.push(sequence),
        onFault: (reason) => told.push(reason),
      });
    });
    for (const [at, some] of parts.entries()) {
      time.after(at * 10, () => writers[0].push(some));
      time.after(at * 12 + 30, () => writers[1].push(some));
    }
    time.runUntil(30_000);
    const messages = Array.from({ length: log.last }, (_, at) => log.message(at + 1));
    assert.deepEqual(messages.map(namesIn).join(' ').split(' '), wanted, `seed ${seed}`);
    assertChain(messages);
    for (const one of told)
      assert.deepEqual(
        one,
        Array.from(parts, (_, at) => at + 1),
      );
  }
});
