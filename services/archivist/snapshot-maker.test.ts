// Snapshot verification: written, read back, restored and compared, covered by the EVENTS log,
// confirmed. Each failed step is retried, and an invalid snapshot is never confirmed.

import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeCommandFrame, FrameWriter } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import {
  encodeEventBatch,
  hashFrame,
  NO_HASH,
  type Snapshot,
  type SnapshotAnswer,
  type SnapshotStore,
} from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { faultlessPath } from '../../infra/journal/memory-log-path.ts';
import { chunked, type WholeSnapshot, wholeOf } from '../../infra/journal/snapshot-for-test.ts';
import { Replica } from '../../infra/replica/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { LISTINGS, withId } from '../../testing/simulator/trading-commands.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { SnapshotMaker } from './snapshot-maker.ts';

const RETRY_MS = 100;
const FRAMES = 3;

/** Returns a snapshot of a small exchange after three frames. */
function snapshotOf(): WholeSnapshot {
  const replica = Replica.create();
  for (let sequence = 1; sequence <= FRAMES; sequence++) {
    const commands = [withId(LISTINGS[sequence - 1], { source: 1, number: sequence })];
    const { frameHash: previousHash } = replica;
    const frame = { sequence, epoch: 1, timeMs: 1 as TimeMs, previousHash, commands };
    replica.apply(frame, hashFrame(encodeCommandFrame(new FrameWriter(), frame)));
  }
  return wholeOf(replica.snapshot());
}

const WHOLE = snapshotOf();
const SNAPSHOT = chunked(WHOLE);

/** Records its calls; each response is the next planned one, or success. */
class PlannedStore implements SnapshotStore {
  readonly calls: string[] = [];
  readonly #clock: VirtualTime;
  readonly #plan: Partial<Record<string, unknown[]>>;
  #draft: SnapshotAnswer = 'none';

  constructor(clock: VirtualTime, plan: Partial<Record<string, unknown[]>>) {
    this.#clock = clock;
    this.#plan = plan;
  }

  newest(): never {
    return assert.fail('it only writes snapshots');
  }

  write(snapshot: Snapshot, done: (isDone: boolean) => void): void {
    this.#draft = snapshot;
    this.#answer('write', true, done);
  }

  readDraft(_sequence: number, done: (answer: SnapshotAnswer) => void): void {
    this.#answer('read', this.#draft, done);
  }

  confirm(sequence: number, done: (isDone: boolean) => void): void {
    assert.equal(sequence, FRAMES);
    this.#answer('confirm', true, done);
  }

  prune(keep: number, done: (isDone: boolean) => void): void {
    assert.equal(keep, 2);
    this.#answer('prune', true, done);
  }

  #answer<Answer>(call: string, good: Answer, done: (answer: Answer) => void): void {
    this.calls.push(call);
    const planned = this.#plan[call]?.shift() as Answer | undefined;
    this.#clock.soon(() => done(planned ?? good));
  }
}

interface Stage {
  readonly maker: SnapshotMaker;
  readonly store: PlannedStore;
  readonly events: MemoryLog;
  readonly recorded: string[];
  pass(forMs: number): void;
  /** Adds this part to the EVENTS log. */
  storeEvents(sequence: number, isLast?: boolean): void;
}

function open(plan: Partial<Record<string, unknown[]>> = {}): Stage {
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const events = new MemoryLog(time);
  const store = new PlannedStore(time, plan);
  const path = faultlessPath(() => 0.5);
  const recorded: string[] = [];
  const maker = new SnapshotMaker({
    events: events.connect(time, path),
    snapshots: store,
    clock: time,
    retryMs: RETRY_MS,
    keep: 2,
    onReleased: () => recorded.push('released'),
    onVerified: ({ info }) => recorded.push(`verified ${info.sequence}`),
    onFailed: ({ sequence }) => recorded.push(`failed ${sequence}`),
    onInvalid: ({ sequence }) => recorded.push(`invalid ${sequence}`),
  });
  return {
    maker,
    store,
    events,
    recorded,
    pass: (forMs) => time.runUntil(time.nowMs() + forMs),
    storeEvents(sequence, isLast = true) {
      const part = { sequence, part: 0, isLast, bytes: Uint8Array.of(1) };
      events.store(encodeEventBatch(NO_HASH, [part]).message);
    },
  };
}

test('a snapshot is verified after it was read back intact and its events are stored', () => {
  const { maker, pass, store, storeEvents, recorded } = open();
  storeEvents(FRAMES);
  assert.equal(maker.isBusy, false);
  maker.make(SNAPSHOT);
  assert.equal(maker.isBusy, true);
  pass(10);
  assert.deepEqual(store.calls, ['write', 'read', 'confirm', 'prune']);
  assert.deepEqual([recorded, maker.isBusy], [['released', 'verified 3'], false]);
});

const RETRIES: Record<string, { plan: Record<string, unknown[]>; calls: string[] }> = {
  'a failed read is retried': {
    plan: { read: ['unavailable', 'unavailable'] },
    calls: ['write', 'read', 'read', 'read', 'confirm', 'prune'],
  },
  'a confirmation with unknown outcome is retried': {
    plan: { confirm: [false] },
    calls: ['write', 'read', 'confirm', 'confirm', 'prune'],
  },
  'a failed pruning is not retried': {
    plan: { prune: [false] },
    calls: ['write', 'read', 'confirm', 'prune'],
  },
};

for (const [name, { plan, calls }] of Object.entries(RETRIES)) {
  test(name, () => {
    const { maker, pass, store, storeEvents, recorded } = open(plan);
    storeEvents(FRAMES);
    maker.make(SNAPSHOT);
    pass(10 * RETRY_MS);
    assert.deepEqual(store.calls, calls);
    assert.deepEqual([recorded, maker.isBusy], [['released', 'verified 3'], false]);
  });
}

function changed(at: number): Snapshot {
  const bytes = new Uint8Array(WHOLE.bytes);
  bytes[at] ^= 1;
  return chunked({ info: WHOLE.info, bytes });
}

function other(change: Partial<Snapshot['info']>): Snapshot {
  return chunked({ ...WHOLE, info: { ...WHOLE.info, ...change } });
}

const INVALID: Record<string, SnapshotAnswer> = {
  'is missing': 'none',
  'is truncated': chunked({ ...WHOLE, bytes: WHOLE.bytes.subarray(0, 100) }),
  'is empty': chunked({ ...WHOLE, bytes: new Uint8Array(0) }),
  'has a damaged chunk': { info: WHOLE.info, chunks: () => ({ next: (done) => done('damaged') }) },
  'has a changed byte in its header': changed(5),
  'has a changed byte in its middle': changed(WHOLE.bytes.length >> 1),
  'claims another state': other({ stateHash: 'another' }),
  'claims another frame': other({ sequence: FRAMES + 1 }),
  'claims another frame hash': other({ frameHash: 'ab'.repeat(32) }),
  'claims another epoch': other({ epoch: 9 }),
};

for (const [name, draft] of Object.entries(INVALID)) {
  test(`a draft that ${name} is dropped, not confirmed`, () => {
    const { maker, pass, store, storeEvents, recorded } = open({ read: [draft] });
    storeEvents(FRAMES);
    maker.make(SNAPSHOT);
    pass(50 * RETRY_MS);
    assert.deepEqual(
      [store.calls, recorded],
      [
        ['write', 'read'],
        ['released', 'invalid 3'],
      ],
    );
    assert.equal(maker.isBusy, false);
    maker.make(SNAPSHOT);
    pass(10);
    assert.equal(recorded.at(-1), 'verified 3');
  });
}

test('a draft that cannot be written is dropped, and the state is released', () => {
  const { maker, pass, store, storeEvents, recorded } = open({ write: [false] });
  storeEvents(FRAMES);
  maker.make(SNAPSHOT);
  pass(50 * RETRY_MS);
  assert.deepEqual([store.calls, recorded], [['write'], ['released', 'failed 3']]);
  assert.equal(maker.isBusy, false);
});

test('verification is delayed until the EVENTS log contains the entire last covered frame', () => {
  const { events, maker, pass, store, storeEvents, recorded } = open();
  maker.make(SNAPSHOT);
  const waits = () => {
    pass(5 * RETRY_MS);
    assert.deepEqual([store.calls, recorded], [['write', 'read'], ['released']]);
  };
  waits();
  storeEvents(FRAMES - 1);
  waits();
  storeEvents(FRAMES, false);
  waits();
  events.beginOutage();
  storeEvents(FRAMES);
  waits();
  events.endOutage();
  pass(5 * RETRY_MS);
  assert.deepEqual(recorded, ['released', 'verified 3']);
});

test('events of a later frame, even incomplete ones, imply all earlier events', () => {
  for (const isLast of [true, false]) {
    const { maker, pass, storeEvents, recorded } = open();
    storeEvents(FRAMES + 1, isLast);
    maker.make(SNAPSHOT);
    pass(10);
    assert.deepEqual(recorded, ['released', 'verified 3']);
  }
});

test('a damaged EVENTS log confirms nothing', () => {
  const { events, maker, pass, storeEvents, recorded } = open();
  storeEvents(FRAMES);
  events.message(1)[10] ^= 1;
  maker.make(SNAPSHOT);
  pass(5 * RETRY_MS);
  assert.deepEqual(recorded, ['released']);
});

test('a stopped snapshot maker neither retries nor reports', () => {
  for (const plan of [{ write: [false] }, { read: ['unavailable'] }, { confirm: [false] }, {}]) {
    const { maker, pass, store, storeEvents, recorded } = open(plan);
    storeEvents(FRAMES);
    maker.make(SNAPSHOT);
    pass(0);
    maker.stop();
    const before = [...recorded];
    pass(10);
    const { length } = store.calls;
    pass(10 * RETRY_MS);
    assert.deepEqual([store.calls.length, recorded], [length, before]);
  }
});
