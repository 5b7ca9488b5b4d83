// The writer of the EVENTS log: it batches waiting events, continues after whatever the log holds,
// and stops if the log holds different events.

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
import { faultlessPath } from './memory-log-path.ts';
import { equalBytes, NO_HASH } from './sealed-frame.ts';

const RETRY_MS = 50;

/** A part whose bytes are an event frame; another time gives different bytes. */
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

/** The test settles appends; requests are answered from the log's contents. */
class ManualLog implements LogStream {
  readonly messages: Uint8Array[] = [];
  readonly #clock: VirtualTime;
  readonly #inFlight: {
    sequence: number;
    message: Uint8Array;
    done: (outcome: AppendOutcome) => void;
  }[] = [];
  isSilent = false;
  /** The number of latest messages that the answering node does not know. */
  staleBy = 0;

  constructor(clock: VirtualTime) {
    this.#clock = clock;
  }

  append(sequence: number, message: Uint8Array, done: (outcome: AppendOutcome) => void): void {
    assert.equal(this.#inFlight.length, 0, 'only one batch is in flight');
    this.#inFlight.push({ sequence, message, done });
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

  get inFlight(): string {
    return this.#inFlight.map(({ message }) => namesIn(message)).join(' | ');
  }

  settle(outcome: AppendOutcome, isStored = outcome === 'stored'): void {
    const [{ done, message, sequence }] = this.#inFlight.splice(0);
    if (isStored) assert.equal(this.messages.push(message), sequence);
    done(outcome);
    this.#clock.runUntil(this.#clock.nowMs());
  }

  /** Stores a batch of another writer. */
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
  readonly log: ManualLog;
  readonly time: VirtualTime;
  readonly writer: EventWriter;
  readonly stored: (string | number)[];
}

function open(end: EventsEnd = NO_EVENTS, gapMs = 0): Stage {
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const log = new ManualLog(time);
  const stored: (string | number)[] = [];
  const writer = new EventWriter({
    log,
    clock: time,
    retryMs: RETRY_MS,
    gapMs,
    end,
    onStored: (sequence) => stored.push(sequence),
    onFault: (reason) => stored.push(reason),
  });
  return { log, time, writer, stored };
}

test('small batches keep the gap, and the first one after a pause is sent immediately', () => {
  const { log, stored, time, writer } = open(NO_EVENTS, 5);
  writer.push([part(1)]);
  log.settle('stored');
  writer.push([part(2)]);
  time.runUntil(4);
  writer.push([part(3)]);
  assert.equal(log.inFlight, '', 'the gap is not over');
  time.runUntil(5);
  assert.equal(log.inFlight, '2 3');
  log.settle('stored');
  time.runUntil(20);
  writer.push([part(4)]);
  assert.equal(log.inFlight, '4', 'nothing was sent for longer than the gap');
  log.settle('stored');
  assert.deepEqual(stored, [1, 2, 3, 4]);
  assert.ok(writer.isIdle);
});

test('a large batch does not wait for the gap, and a stopped writer sends nothing after it', () => {
  const { log, time, writer } = open(NO_EVENTS, 5);
  writer.push([part(1)]);
  log.settle('stored');
  writer.push([part(2), large(3, 65_536)]);
  assert.equal(log.inFlight, '2 3');
  log.settle('stored');
  writer.push([part(4)]);
  writer.stop();
  time.runUntil(1_000);
  assert.equal(log.inFlight, '');
});

test('one batch is in flight, and later events are queued for the next', () => {
  const { log, stored, writer } = open();
  writer.push([part(1)]);
  for (const sequence of [2, 3, 4]) writer.push([part(sequence)]);
  assert.equal(log.inFlight, '1');
  log.settle('stored');
  assert.equal(log.inFlight, '2 3 4');
  assert.deepEqual(stored, [1]);
  writer.push([part(5)]);
  log.settle('stored');
  log.settle('stored');
  assert.equal(log.contents, '1 | 2 3 4 | 5');
  assert.deepEqual(stored, [1, 2, 3, 4, 5]);
});

test('the writer reports the pending bytes and the last stored frame', () => {
  const { log, writer } = open();
  const bytes = part(1).bytes.length;
  assert.deepEqual([writer.waitingBytes, writer.isIdle, writer.storedSequence], [0, true, 0]);
  writer.push([part(1), part(2, 0, false)]);
  writer.push([part(2, 1)]);
  assert.deepEqual([writer.waitingBytes, writer.isIdle], [3 * bytes, false]);
  log.settle('stored');
  // The second frame is stored partly: it does not count yet.
  assert.deepEqual([writer.waitingBytes, writer.isIdle, writer.storedSequence], [bytes, false, 1]);
  log.settle('stored');
  assert.deepEqual([writer.waitingBytes, writer.isIdle, writer.storedSequence], [0, true, 2]);
});

test('a frame counts as stored with its last part, once', () => {
  const { log, stored, writer } = open();
  writer.push([part(1, 0, false), part(1, 1, false), part(1, 2)]);
  assert.equal(log.inFlight, '1.0+ 1.1+ 1.2');
  log.settle('stored');
  assert.deepEqual(stored, [1]);
});

test('batches are split before they exceed their limit', () => {
  const half = EVENT_BATCH_BYTES_MAX / 2;
  const { log, writer } = open();
  writer.push([part(1)]);
  writer.push([large(2, half), large(3, half), part(4)]);
  writer.push([large(5, 2 * half + 1), large(6, half), large(7, half + 1)]);
  const batches: string[] = [];
  while (log.inFlight !== '') {
    batches.push(log.inFlight);
    log.settle('stored');
  }
  // Exactly the bound fits; a part larger than the bound gets its own batch.
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
  test(`${name}: the writer queries the log and continues without gaps or repeats`, () => {
    const { log, stored, writer } = open();
    writer.push([part(1)]);
    log.settle('stored');
    writer.push([part(2), part(3)]);
    writer.push([part(4)]);
    if (rival) log.store(rival);
    log.settle(outcome, isStored);
    while (log.inFlight !== '') log.settle('stored');
    assert.deepEqual(log.contents.split(/ \| | /), ['1', '2', '3', '4']);
    assert.deepEqual(stored, [1, 2, 3, 4]);
    assertChain(log.messages);
  });
}

test('a late copy of a resent batch only costs a conflict', () => {
  const { log, stored, writer } = open();
  writer.push([part(1)]);
  writer.push([part(2)]);
  log.settle('unknown', false);
  assert.equal(log.inFlight, '1 2');
  log.store([part(1)]);
  log.settle('conflict');
  assert.equal(log.inFlight, '2');
  log.settle('stored');
  assert.equal(log.contents, '1 | 2');
  assert.deepEqual(stored, [1, 2]);
});

test('a frame that another writer stored in part is continued', () => {
  const { log, stored, writer } = open();
  writer.push([part(1, 0, false), part(1, 1, false), part(1, 2)]);
  log.store([part(1, 0, false)]);
  log.settle('conflict');
  assert.deepEqual([log.inFlight, writer.storedSequence, stored], ['1.1+ 1.2', 0, []]);
  log.settle('stored');
  assert.deepEqual([log.contents, stored], ['1.0+ | 1.1+ 1.2', [1]]);
});

test('events that another writer stored ahead are not written again', () => {
  const { log, stored, writer } = open();
  writer.push([part(1)]);
  log.store([part(1), part(2), part(3, 0, false)]);
  log.settle('conflict');
  assert.deepEqual([writer.storedSequence, writer.isIdle, stored], [2, true, [1, 2]]);
  writer.push([part(2)]);
  assert.equal(log.inFlight, '');
  writer.push([part(3, 0, false), part(3, 1)]);
  assert.equal(log.inFlight, '3.1');
  log.settle('stored');
  assert.deepEqual([log.contents, stored], ['1 2 3.0+ | 3.1', [1, 2, 3]]);
});

test('a response behind the acknowledged end is stale', () => {
  const { log, time, stored, writer } = open();
  writer.push([part(1)]);
  log.settle('stored');
  writer.push([part(2)]);
  log.staleBy = 1;
  log.settle('unknown', false);
  time.runUntil(3 * RETRY_MS);
  assert.deepEqual([log.inFlight, stored], ['', [1]]);
  log.staleBy = 0;
  time.runUntil(4 * RETRY_MS);
  assert.equal(log.inFlight, '2');
});

test('a log that has lost acknowledged batches stops the writer', () => {
  const { log, stored, time, writer } = open();
  writer.push([part(1)]);
  log.settle('stored');
  writer.push([part(2)]);
  log.staleBy = 1;
  log.settle('unknown', false);
  time.runUntil(9_000);
  assert.deepEqual(stored, [1]);
  time.runUntil(60_000);
  const reason = 'EVENTS: the log ends at 0, but it had message 1: it was lost or put back';
  assert.deepEqual([stored, log.inFlight], [[1, reason], '']);
});

test('an unavailable log is queried immediately, then with delays, until it moves', () => {
  const { log, time, writer } = open();
  const asksAtOnce = (outcome: AppendOutcome, isStored = false) => {
    log.settle(outcome, isStored);
    const isAtOnce = log.inFlight !== '';
    time.runUntil(time.nowMs() + RETRY_MS);
    assert.notEqual(log.inFlight, '', 'it continues after the delay');
    return isAtOnce;
  };
  writer.push([part(1)]);
  writer.push([part(2)]);
  writer.push([part(3)]);
  assert.deepEqual([asksAtOnce('unknown'), asksAtOnce('unknown')], [true, false]);
  assert.equal(asksAtOnce('conflict'), true, 'a conflict is a response');
  assert.equal(asksAtOnce('unknown'), false, 'the log has not moved');
  log.store([part(1)]);
  assert.equal(asksAtOnce('unknown'), false);
  assert.equal(asksAtOnce('unknown'), true, 'the log has moved');
});

test('a log that does not respond is queried again after a delay', () => {
  const { log, time, writer } = open();
  writer.push([part(1)]);
  log.isSilent = true;
  log.settle('unknown', true);
  time.runUntil(5 * RETRY_MS);
  log.isSilent = false;
  assert.deepEqual([log.inFlight, writer.isIdle], ['', false]);
  time.runUntil(6 * RETRY_MS);
  assert.deepEqual([log.inFlight, writer.isIdle], ['', true]);
});

const FAULTS: Record<string, { spoil: (log: ManualLog) => void; fault: string }> = {
  'different events in the log': {
    spoil: (log) => log.store([part(1, 0, true, 2_000)]),
    fault: 'the EVENTS log has different events for frame 1',
  },
  'an incomplete frame in the log': {
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
  test(`${name} is a fault that ends all writing`, () => {
    const { log, time, stored, writer } = open();
    writer.push([part(1), part(2)]);
    spoil(log);
    log.settle('conflict');
    assert.deepEqual(stored, [fault]);
    writer.push([part(3)]);
    time.runUntil(10 * RETRY_MS);
    assert.deepEqual([log.inFlight, stored.length], ['', 1]);
  });
}

test('events with another schema have other bytes and cause no fault', () => {
  const { log, stored, writer } = open();
  writer.push([part(1)]);
  const older = part(1, 0, true, 2_000);
  new DataView(older.bytes.buffer).setUint16(4, 1, true);
  log.store([older]);
  log.settle('conflict');
  assert.deepEqual(stored, [1]);
});

const GAPS: Record<string, { end: EventsEnd; push: EventPart; follows: boolean }> = {
  'the next frame': { end: endAfter(part(7)), push: part(8), follows: true },
  'a later frame': { end: endAfter(part(7)), push: part(9), follows: false },
  'the second part of the next frame': { end: endAfter(part(7)), push: part(8, 1), follows: false },
  'the next part': { end: endAfter(part(7, 0, false)), push: part(7, 1), follows: true },
  'a part after a gap': { end: endAfter(part(7, 0, false)), push: part(7, 2), follows: false },
  'a frame when a part is missing': {
    end: endAfter(part(7, 0, false)),
    push: part(8),
    follows: false,
  },
};

function endAfter({ sequence, part: number, isLast, bytes }: EventPart): EventsEnd {
  return { last: 4, sequence, part: number, isComplete: isLast, bytes, hash: NO_HASH };
}

for (const [name, { end, push, follows }] of Object.entries(GAPS)) {
  test(`${name} ${follows ? 'is appended' : 'would leave a gap and is a fault'}`, () => {
    const { log, stored, writer } = open(end);
    writer.push([push]);
    const fault = `part ${push.part} of frame ${push.sequence} does not follow the EVENTS log`;
    assert.deepEqual([log.inFlight, stored], follows ? [nameOf(push), []] : ['', [fault]]);
  });
}

test('after stop() nothing is reported or written', () => {
  for (const outcome of ['stored', 'unknown'] as const) {
    const { log, time, stored, writer } = open();
    writer.push([part(1)]);
    writer.push([part(2)]);
    writer.stop();
    log.settle(outcome, true);
    writer.push([part(3)]);
    time.runUntil(10 * RETRY_MS);
    assert.deepEqual([log.inFlight, stored], ['', []], outcome);
  }
  const { log, time, stored, writer } = open();
  writer.push([part(1)]);
  log.isSilent = true;
  log.settle('unknown', false);
  writer.stop();
  log.isSilent = false;
  time.runUntil(10 * RETRY_MS);
  assert.deepEqual([log.inFlight, stored], ['', []], 'while it queries the log');
});

/** The result of findEventsEnd for a log. */
function endOf(prepare: (log: ManualLog) => void): EventsEnd | 'damaged' | undefined | 'nothing' {
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const log = new ManualLog(time);
  prepare(log);
  let found: ReturnType<typeof endOf> = 'nothing';
  findEventsEnd(log, (end) => {
    found = end;
  });
  time.runUntil(1);
  return found;
}

test('the end of the log is its last part, none, or unknown', () => {
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
  const empty = (log: ManualLog) => log.store([]);
  assert.equal(endOf(empty), 'damaged', 'a batch without parts is damaged');
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

test('an unavailable message leaves the end unknown', () => {
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

test('two writers over faulty paths store each part once, in one chain', () => {
  const parts = Array.from({ length: 20 }, (_, at) => [part(at + 1)]);
  parts[6] = [part(7, 0, false), part(7, 1, false), part(7, 2)];
  const wanted = parts.flat().map(nameOf);
  for (let seed = 1; seed <= 100; seed++) {
    const numbers = new Random(seed);
    const random = () => numbers.word() / 2 ** 32;
    const time = new VirtualTime({ startMs: 0, random: numbers, latenessMsMax: 1 });
    const log = new MemoryLog(time);
    const stored: (string | number)[][] = [[], []];
    const writers = stored.map((stored) => {
      const clock = time.process(0);
      const path = { ...faultlessPath(random), rates: PATH_FAULTS };
      return new EventWriter({
        log: log.connect(clock, path),
        clock,
        retryMs: 20,
        gapMs: 7,
        end: NO_EVENTS,
        onStored: (sequence) => stored.push(sequence),
        onFault: (reason) => stored.push(reason),
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
    for (const one of stored)
      assert.deepEqual(
        one,
        Array.from(parts, (_, at) => at + 1),
      );
  }
});
