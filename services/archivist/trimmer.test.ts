// The trimmer on in-memory logs and two folders: it discards only what both copies contain and can
// read, and a lagging follower finds its messages.

import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { CHECKPOINT, folderFor, framesOf, hexOf } from '../../infra/journal/archive-for-test.ts';
import {
  type Archive,
  encodeEventBatch,
  hashFrame,
  NO_HASH,
  openArchive,
  type SnapshotAnswer,
  sealFrame,
} from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { faultlessPath } from '../../infra/journal/memory-log-path.ts';
import { chunked } from '../../infra/journal/snapshot-for-test.ts';
import { systemClock } from '../../infra/process/index.ts';
import { TRIM_DEFAULTS, Trimmer, type TrimSettings } from './trimmer.ts';

const FRAMES = framesOf(Array.from({ length: 30 }, () => ({})));

interface Stage {
  readonly commands: MemoryLog;
  readonly events: MemoryLog;
  readonly folders: readonly [archive: string, copy: string];
  readonly archive: Archive;
  readonly recorded: string[];
  snapshot: SnapshotAnswer;
  readonly followers: Map<string, number>;
  trim(settings?: Partial<TrimSettings>): Promise<void>;
}

/** Thirty frames in segments of three; each EVENTS message contains two frames. */
async function open(context: TestContext): Promise<Stage> {
  const folder = await folderFor(context);
  const folders = [join(folder, 'one'), join(folder, 'two')] as const;
  const archive = await openArchive(folders[0], 'append');
  const copy = await openArchive(folders[1], 'append');
  const [commands, events] = [new MemoryLog(systemClock), new MemoryLog(systemClock)];
  for (let at = 0; at < FRAMES.length; at += 3) {
    await archive.appendSegment({ frames: FRAMES.slice(at, at + 3), checkpoint: CHECKPOINT });
  }
  let hash = NO_HASH;
  for (const [at, frame] of FRAMES.entries()) {
    commands.store(sealFrame(frame, hashFrame(frame)));
    if (at % 2 === 0) continue;
    const parts = [at, at + 1].map((sequence) => ({
      sequence,
      part: 0,
      isLast: true,
      bytes: Buffer.from(`events of ${sequence}`),
    }));
    const batch = encodeEventBatch(hash, parts);
    hash = batch.hash;
    events.store(batch.message);
  }
  const recorded: string[] = [];
  const stage: Stage = {
    commands,
    events,
    folders,
    archive,
    recorded,
    snapshot: snapshotOf(28),
    followers: new Map([['projector', 30]]),
    async trim(settings) {
      // Generous, because a machine under load responds late.
      const timeoutMs = events.isOut ? 100 : 60_000;
      const trimmer = new Trimmer({
        commands: commands.connect(systemClock, { ...faultlessPath(() => 0.5), timeoutMs }),
        events: events.connect(systemClock, { ...faultlessPath(() => 0.5), timeoutMs }),
        snapshots: { newest: (_, done) => done(stage.snapshot) },
        archive,
        copy,
        followers: () => stage.followers,
        clock: systemClock,
        settings: { ...TRIM_DEFAULTS, marginFrames: 1, ...settings },
        watcher: {
          copied: (frame) => recorded.push(`copied ${frame}`),
          trimmed: (log, frame, first) => recorded.push(`${log} ${frame} ${first}`),
          trimFailed: (fault) => recorded.push(`failed: ${fault}`),
          held: () => {},
        },
      });
      await trimmer.trim();
      await trimmer.stop();
    },
  };
  return stage;
}

function snapshotOf(sequence: number): SnapshotAnswer {
  const info = { sequence, epoch: 1, timeMs: 1, commandsApplied: 1, frameHash: '', stateHash: '' };
  return chunked({ info, bytes: new Uint8Array(0) });
}

test('both logs are trimmed to the last segment behind the snapshot', async (t) => {
  const stage = await open(t);
  await stage.trim();
  // Frame 28 is in the middle of message 14, so message 14 is kept.
  assert.deepEqual(stage.recorded, ['copied 30', 'events 27 14', 'commands 27 28']);
  assert.deepEqual([stage.commands.first, stage.commands.last], [28, 30]);
  assert.deepEqual([stage.events.first, stage.events.last], [14, 15]);
  const [one, two] = await Promise.all(stage.folders.map(filesOf));
  assert.equal(one.length, 10);
  assert.deepEqual(two, one);
  await stage.trim();
  assert.equal(stage.recorded.length, 3, 'a second round finds nothing to discard');
});

test('events and commands have separate age limits', async (t) => {
  const stage = await open(t);
  // The frames are from 1970.
  const sinceFrame9Ms = systemClock.nowMs() - 9_500;
  await stage.trim({ commandsKeptMs: sinceFrame9Ms });
  assert.deepEqual([stage.commands.first, stage.events.first], [10, 14]);
});

test('a follower keeps its events up to its age limit', async (t) => {
  const stage = await open(t);
  stage.followers.set('projector', 13);
  const wait = { followersWaitMs: systemClock.nowMs() };
  await stage.trim(wait);
  assert.deepEqual([stage.commands.first, stage.events.first], [13, 7]);
  await stage.trim();
  assert.deepEqual([stage.commands.first, stage.events.first], [28, 14]);
});

test('without a snapshot, nothing is discarded', async (t) => {
  for (const answer of ['none', 'unavailable'] as const) {
    const stage = await open(t);
    stage.snapshot = answer;
    await stage.trim();
    assert.deepEqual([stage.commands.first, stage.events.first], [1, 1]);
  }
});

test('a damaged or missing segment in either copy prevents trimming', async (t) => {
  for (const copy of [0, 1]) {
    for (const damage of [flip, (file: string) => rm(file)]) {
      const stage = await open(t);
      await stage.trim({ commandsKeptMs: systemClock.nowMs(), eventsKeptMs: systemClock.nowMs() });
      assert.deepEqual(stage.recorded, ['copied 30']);
      const [, file] = await readdir(stage.folders[copy]);
      await damage(join(stage.folders[copy], file));
      await stage.trim();
      assert.match(stage.recorded[1], /^failed: /);
      assert.deepEqual([stage.commands.first, stage.events.first], [1, 1]);
    }
  }
});

test('a segment that does not continue the copy is not copied', async (t) => {
  const stage = await open(t);
  const other = await openArchive(join(await folderFor(t), 'other'), 'append');
  const frames = framesOf([{ commands: 1 }, {}, {}]);
  await other.appendSegment({ frames, checkpoint: CHECKPOINT });
  await assert.rejects(other.copyFrom(stage.archive), /not_continuing/);
  assert.equal(other.end.sequence, 3);
});

test('the last log message is kept, even when everything is archived', async (t) => {
  const stage = await open(t);
  stage.snapshot = snapshotOf(31);
  await stage.trim();
  assert.deepEqual([stage.commands.first, stage.commands.last], [1, 30]);
  assert.deepEqual([stage.events.first, stage.events.last], [15, 15]);
});

test('a log that does not respond is reported', async (t) => {
  const stage = await open(t);
  stage.events.beginOutage();
  await stage.trim();
  assert.match(stage.recorded[1], /^failed: .*does not respond/);
  assert.equal(stage.commands.first, 1);
});

async function filesOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => `${name} ${hexOf(await readFile(join(folder, name)))}`),
  );
}

async function flip(file: string): Promise<void> {
  const bytes = await readFile(file);
  bytes[bytes.length - 20] ^= 1;
  await writeFile(file, bytes);
}
