// The archivist with in-memory logs and a temporary folder: every frame is archived once, even
// across restarts, and a replica from one of its snapshots equals one that never stopped.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { encodeCommandFrame, FrameWriter } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import {
  type EventPart,
  encodeEventBatch,
  FolderSnapshots,
  hashFrame,
  NO_HASH,
  openArchive,
  openSealedFrame,
  SegmentOutput,
  sealFrame,
  verifySegment,
} from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { faultlessPath } from '../../infra/journal/memory-log-path.ts';
import { wholeOf } from '../../infra/journal/snapshot-for-test.ts';
import { Replica } from '../../infra/replica/index.ts';
import { restored } from '../../infra/replica/restored-for-test.ts';
import { Random } from '../../testing/flows/index.ts';
import { MemorySnapshots } from '../../testing/simulator/memory-snapshots.ts';
import { LISTINGS, Trader, withId } from '../../testing/simulator/trading-commands.ts';
import { type VirtualProcess, VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { ARCHIVIST_DEFAULTS, Archivist, type ArchivistSettings } from './archivist.ts';

/** A step of virtual time; files are written after each step. */
const STEP_MS = 25;
/** A test that needs more steps has failed. */
const STEPS_MAX = 2_000;

class Stage {
  readonly folder: string;
  readonly time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  readonly commands = new MemoryLog(this.time);
  readonly events = new MemoryLog(this.time);
  readonly snapshots = new MemorySnapshots(this.time);
  readonly leader = Replica.create();
  readonly recorded: string[] = [];
  readonly #trader: Trader;
  #eventsHash: Uint8Array = NO_HASH;
  #numbers = 0;
  #process: VirtualProcess | undefined;
  #archivist: Archivist | undefined;

  constructor(folder: string, seed = 3) {
    this.folder = folder;
    this.#trader = new Trader(new Random(seed), { user: 1, channel: 1 });
  }

  /** Adds frames to COMMANDS, and their events to EVENTS unless EVENTS lags. */
  write(count: number, { hasEvents = true } = {}): void {
    for (let index = 0; index < count; index++) {
      const { frameHash: previousHash, sequence } = this.leader;
      const bodies = sequence === 0 ? LISTINGS : [this.#trader.next(), this.#trader.next()];
      const commands = bodies.map((body) => withId(body, { source: 1, number: ++this.#numbers }));
      const timeMs = (1_000 * sequence) as TimeMs;
      const frame = { sequence: sequence + 1, epoch: 1, timeMs, previousHash, commands };
      const bytes = encodeCommandFrame(new FrameWriter(), frame);
      const frameHash = hashFrame(bytes);
      const { encoded } = this.leader.apply(frame, frameHash);
      this.commands.store(sealFrame(bytes, frameHash));
      if (hasEvents) this.storeEvents(encoded.parts);
    }
  }

  storeEvents(parts: readonly EventPart[]): void {
    const { hash, message } = encodeEventBatch(this.#eventsHash, parts);
    this.#eventsHash = hash;
    this.events.store(message);
  }

  /** Starts an archivist on the folder; the previous one must have ended. */
  async start(settings: Partial<ArchivistSettings> = {}): Promise<Archivist> {
    const clock = this.time.process(0);
    this.#process = clock;
    const path = faultlessPath(() => 0.5);
    const calm = { random: () => 0.5, delayMs: { leastMs: 1, mostMs: 1 }, rates: {} };
    const { recorded } = this;
    this.#archivist = new Archivist({
      commands: this.commands.connect(clock, path),
      events: this.events.connect(clock, path),
      snapshots: this.snapshots.connect(clock, { ...calm, onFault: () => {} }),
      archive: await openArchive(join(this.folder, 'archive'), 'append'),
      archivedSnapshots: new FolderSnapshots(join(this.folder, 'snapshots'), fail),
      clock,
      settings: { ...ARCHIVIST_DEFAULTS, snapshotEveryFrames: 1_000, ...settings },
      watcher: {
        started: (sequence) => recorded.push(`starts at ${sequence}`),
        archived: ({ firstSequence, lastSequence }) =>
          recorded.push(`archived ${firstSequence}-${lastSequence}`),
        stalled: () => {},
        snapshotTaken: (sequence) => recorded.push(`took ${sequence}`),
        snapshotFailed: ({ sequence }) => recorded.push(`failed ${sequence}`),
        snapshotVerified: ({ sequence }) => recorded.push(`verified ${sequence}`),
        snapshotInvalid: ({ sequence }) => recorded.push(`invalid ${sequence}`),
      },
      onFault: (reason) => recorded.push(reason),
    });
    return this.#archivist;
  }

  /** Kills the last started process. */
  kill(): void {
    this.#process?.crash();
  }

  /** Virtual time pauses while files are written. */
  async pass(forMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < forMs; passedMs += STEP_MS) {
      this.time.runUntil(this.time.nowMs() + STEP_MS);
      while (this.#archivist?.isIdle === false) await setImmediate();
    }
  }

  /** Advances time until this line was recorded. */
  async until(word: string): Promise<void> {
    for (let step = 0; !this.recorded.includes(word); step++) {
      assert.ok(step < STEPS_MAX, `not recorded: ${word}, only ${this.recorded}`);
      await this.pass(STEP_MS);
    }
  }

  async stop(archivist: Archivist): Promise<void> {
    archivist.stop();
    while (!archivist.isIdle) await setImmediate();
  }

  /**
   * Asserts that the archive contains every frame up to this one exactly once, in valid segments.
   */
  async assertArchived(last: number): Promise<void> {
    const archive = await openArchive(join(this.folder, 'archive'), 'read');
    const replica = Replica.create();
    for (const [index, { checkpoint }] of archive.segments().entries()) {
      const output = new SegmentOutput();
      for await (const { bytes } of verifySegment(archive, index)) {
        const sealed = openSealedFrame(this.commands.message(replica.sequence + 1));
        assert.deepEqual(new Uint8Array(bytes), new Uint8Array(sealed?.frame ?? assert.fail()));
        const { encoded } = replica.follow({ frame: bytes, frameHash: hashFrame(bytes) });
        output.add(encoded.parts);
      }
      assert.equal(checkpoint.outputHash, output.outputHash());
      if (checkpoint.stateHash) assert.equal(checkpoint.stateHash, replica.stateHash());
    }
    assert.equal(replica.sequence, last);
  }
}

function fail(problem: unknown): never {
  return assert.fail(String(problem));
}

async function open(context: TestContext): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-archivist-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return new Stage(folder);
}

test('stop archives every frame that was read', async (t) => {
  const stage = await open(t);
  stage.write(20);
  const archivist = await stage.start();
  await stage.pass(500);
  assert.deepEqual(stage.recorded, ['starts at 0']);
  await stage.stop(archivist);
  assert.deepEqual(stage.recorded, ['starts at 0', 'archived 1-20']);
  stage.write(5);
  await stage.pass(ARCHIVIST_DEFAULTS.segmentEveryMs);
  assert.equal(stage.recorded.length, 2, 'nothing more is read');
  await stage.assertArchived(20);
});

test('a restart continues at the end of the archive without gaps or repeats', async (t) => {
  const stage = await open(t);
  stage.write(10);
  for (const last of [10, 25, 26]) {
    const archivist = await stage.start();
    await stage.pass(500);
    await stage.stop(archivist);
    await stage.assertArchived(last);
    if (last === 10) stage.write(15);
    if (last === 25) stage.write(1);
  }
  const archived = stage.recorded.filter((word) => word.startsWith('archived'));
  assert.deepEqual(archived, ['archived 1-10', 'archived 11-25', 'archived 26-26']);
});

test('after a kill, frames that were not in a segment are read again', async (t) => {
  const stage = await open(t);
  stage.write(10);
  await stage.start({ segmentEveryMs: 1_000 });
  await stage.until('archived 1-10');
  stage.write(5);
  await stage.pass(250);
  stage.kill();
  const again = await stage.start();
  await stage.pass(500);
  await stage.stop(again);
  await stage.assertArchived(15);
});

test('a segment ends when it reaches its maximum age', async (t) => {
  const stage = await open(t);
  stage.write(3);
  const archivist = await stage.start({ segmentEveryMs: 1_000 });
  await stage.until('archived 1-3');
  assert.ok(stage.time.nowMs() >= 1_000);
  stage.write(1);
  await stage.pass(500);
  assert.equal(stage.recorded.length, 2, 'not yet');
  await stage.until('archived 4-4');
  await stage.pass(3_000);
  assert.equal(stage.recorded.length, 3, 'no empty segment');
  await stage.stop(archivist);
  await stage.assertArchived(4);
});

test('a replica from a verified snapshot equals one from the first frame', async (t) => {
  const stage = await open(t);
  stage.write(60);
  const archivist = await stage.start({ snapshotEveryFrames: 50 });
  await stage.until('verified 50');
  await stage.stop(archivist);
  await stage.assertArchived(60);
  const archive = await openArchive(join(stage.folder, 'archive'), 'read');
  assert.equal(typeof archive.segments()[0].checkpoint.stateHash, 'string');
  assert.equal(archive.segments()[0].lastSequence, 50, 'a segment ends at a snapshot');

  const [snapshot] = stage.snapshots.counted();
  const replica = restored(snapshot);
  for (let at = 51; at <= 60; at++) {
    replica.follow(openSealedFrame(stage.commands.message(at)) ?? assert.fail());
  }
  assert.equal(replica.stateHash(), stage.leader.stateHash());
});

test('a snapshot is taken when the last one is old, unless no frame followed it', async (t) => {
  const stage = await open(t);
  stage.write(5);
  const archivist = await stage.start({ snapshotEveryMs: 2_000 });
  await stage.until('verified 5');
  assert.ok(stage.time.nowMs() >= 2_000);
  stage.write(1);
  await stage.pass(1_000);
  assert.ok(!stage.recorded.includes('took 6'), 'not yet');
  await stage.until('verified 6');
  await stage.pass(6_000);
  assert.equal(stage.recorded.filter((word) => word.startsWith('took')).length, 2);
  await stage.stop(archivist);
});

test('a snapshot is not verified before its events are stored', async (t) => {
  const stage = await open(t);
  stage.write(10);
  stage.write(1, { hasEvents: false });
  const archivist = await stage.start({ snapshotEveryFrames: 11 });
  await stage.until('took 11');
  await stage.pass(3_000);
  assert.deepEqual(stage.snapshots.counted(), []);
  const bytes = Uint8Array.of(1);
  stage.storeEvents([{ sequence: 11, part: 0, isLast: true, bytes }]);
  await stage.until('verified 11');
  await stage.stop(archivist);
});

test('a limited number of snapshot copies is kept next to the archive', async (t) => {
  const stage = await open(t);
  stage.write(1);
  const archivist = await stage.start({
    snapshotEveryFrames: 10,
    snapshotsKept: 2,
    archivedSnapshotsKept: 3,
  });
  for (let sequence = 10; sequence <= 50; sequence += 10) {
    stage.write(sequence - stage.commands.last);
    await stage.until(`verified ${sequence}`);
    await stage.pass(200);
  }
  await stage.stop(archivist);
  const kept = stage.snapshots.counted().map(({ info }) => info.sequence);
  assert.deepEqual(kept, [40, 50]);
  const store = new FolderSnapshots(join(stage.folder, 'snapshots'), fail);
  const copied = (await store.list()).map(({ sequence }) => sequence);
  assert.deepEqual(copied, [30, 40, 50]);
});

test('a disk that is slower than the log delays reading without a fault', async (t) => {
  const stage = await open(t);
  stage.write(60);
  // Every frame is a segment, and no file is written while virtual time passes.
  const archivist = await stage.start({ segmentBytes: 1 });
  stage.time.runUntil(stage.time.nowMs() + 2_000);
  assert.equal(archivist.replica?.sequence, 17, 'one is being written and sixteen are queued');
  for (let step = 0; archivist.replica.sequence < 60; step++) {
    assert.ok(step < STEPS_MAX);
    await stage.pass(STEP_MS);
  }
  await stage.stop(archivist);
  assert.ok(!stage.recorded.some((word) => /fault|archive cannot/.test(word)));
  await stage.assertArchived(60);
});

test('an archivist starts from a snapshot that the archive covers, not a later one', async (t) => {
  const stage = await open(t);
  stage.write(10);
  const keep = () => {
    const snapshot = wholeOf(stage.leader.snapshot());
    stage.snapshots.write(snapshot);
    stage.snapshots.confirm(snapshot.info.sequence);
  };
  keep();
  stage.write(10);
  const first = await stage.start();
  await stage.pass(500);
  await stage.stop(first);
  // The archive was empty and ends at frame 20.
  assert.deepEqual(stage.recorded.splice(0), ['starts at 0', 'archived 1-20']);
  stage.write(10);
  keep();
  // The next snapshot is due 25 frames after the one that it starts from.
  const second = await stage.start({ snapshotEveryFrames: 25 });
  await stage.pass(500);
  await stage.stop(second);
  assert.deepEqual(stage.recorded, ['starts at 10', 'archived 21-30']);
  await stage.assertArchived(30);
});

test('without a snapshot, a trimmed log is continued from the archive', async (t) => {
  const stage = await open(t);
  stage.write(20);
  await stage.stop(await stage.start({ segmentEveryMs: 1_000 }));
  const first = await stage.start();
  await stage.pass(500);
  await stage.stop(first);
  stage.write(5);
  // Everything archived is discarded, and the store has no snapshot.
  stage.commands.trim(21);
  assert.deepEqual(stage.snapshots.counted(), []);
  const second = await stage.start();
  while (second.replica === undefined) {
    await stage.pass(STEP_MS);
    await setImmediate();
  }
  await stage.pass(500);
  assert.equal(second.replica.stateHash(), stage.leader.stateHash());
  await stage.stop(second);
  assert.ok(stage.recorded.includes('starts at 20'), String(stage.recorded));
  await stage.assertArchived(25);
});

test('a log that lost unarchived frames is a fault', async (t) => {
  const stage = await open(t);
  stage.write(10);
  stage.commands.trim(4);
  await stage.start();
  await stage.until('the log starts at 4; message 1 no longer exists');
});

test('a different log is a fault, and none of its frames are archived', async (t) => {
  const stage = await open(t);
  stage.write(5);
  const archivist = await stage.start();
  await stage.pass(500);
  await stage.stop(archivist);
  const other = new Stage(stage.folder, 4);
  other.write(6);
  const next = await other.start();
  await other.pass(500);
  await other.stop(next);
  assert.deepEqual(other.recorded, ['starts at 0', 'segment not archived']);
  await stage.assertArchived(5);
});
