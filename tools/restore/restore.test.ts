// A restore writes both logs exactly as they were, even after an interruption, and never mixes two
// logs.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  type AppendOutcome,
  decodeEventBatch,
  type Extent,
  openArchive,
  openSealedFrame,
} from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { systemClock } from '../../infra/process/index.ts';
import {
  type ArchivedLog,
  archivedLog,
  connectTo,
  FRAMES,
} from '../../infra/replica/archived-log-for-test.ts';
import { Replica, replayTo } from '../../infra/replica/index.ts';
import { restoreJournal } from './restore.ts';

function emptyLogs() {
  return { commands: new MemoryLog(systemClock), events: new MemoryLog(systemClock) };
}

async function restore(
  { folder }: ArchivedLog,
  logs: ReturnType<typeof emptyLogs>,
  change: Partial<Parameters<typeof restoreJournal>[0]> = {},
) {
  return restoreJournal({
    ...change,
    archive: await openArchive(folder, 'read'),
    commands: connectTo(logs.commands),
    events: connectTo(logs.events),
    onFrames: () => {},
  });
}

function assertComplete(stage: ArchivedLog, { commands, events }: ReturnType<typeof emptyLogs>) {
  assert.deepEqual([commands.first, commands.last], [1, FRAMES]);
  for (const [at, frame] of stage.frames.entries()) {
    const sealed = openSealedFrame(commands.message(at + 1));
    assert.deepEqual(Buffer.from(sealed?.frame ?? []), Buffer.from(frame));
  }
  const batches = Array.from({ length: events.last }, (_, at) =>
    decodeEventBatch(events.message(at + 1)),
  );
  const last = decodeEventBatch(stage.log.message(stage.log.last));
  assert.deepEqual(Buffer.from(batches.at(-1)?.hash ?? []), Buffer.from(last.hash));
  const parts = batches.flatMap((batch) => batch.parts);
  assert.equal(parts.length, stage.parts.length);
}

test('both logs are rebuilt with the same frames, events and state', async (t) => {
  const stage = await archivedLog(t);
  const logs = emptyLogs();
  const restored = await restore(stage, logs);
  assert.equal(restored.frames, FRAMES);
  assert.equal(restored.stateHash, stage.stateHash);
  assertComplete(stage, logs);
});

test('an interrupted restore is continued', async (t) => {
  const stage = await archivedLog(t);
  const whole = emptyLogs();
  await restore(stage, whole);
  const logs = emptyLogs();
  for (let at = 1; at <= 17; at++) logs.commands.store(whole.commands.message(at));
  logs.events.store(whole.events.message(1));
  await restore(stage, logs);
  assertComplete(stage, logs);
});

test('late or lost responses change nothing', async (t) => {
  const stage = await archivedLog(t);
  const logs = emptyLogs();
  const commands = connectTo(logs.commands);
  let appends = 0;
  const lossy: typeof commands = Object.assign(Object.create(commands), {
    append(sequence: number, message: Uint8Array, done: (outcome: AppendOutcome) => void) {
      appends++;
      if (appends % 5 === 0) done('unknown');
      else if (appends % 7 === 0) commands.append(sequence, message, () => done('unknown'));
      else commands.append(sequence, message, done);
    },
    extent: (done: (extent: Extent | undefined) => void) => commands.extent(done),
    read: (at: number, done: (message: Uint8Array | undefined) => void) => commands.read(at, done),
  });
  const restored = await restoreJournal({
    archive: await openArchive(stage.folder, 'read'),
    commands: lossy,
    events: connectTo(logs.events),
    onFrames: () => {},
  });
  assert.equal(restored.stateHash, stage.stateHash);
  assertComplete(stage, logs);
});

test('a restore up to a position has its state and nothing after it', async (t) => {
  const stage = await archivedLog(t);
  const at = 17;
  const replica = Replica.create();
  await replayTo(await openArchive(stage.folder, 'read'), replica, at);
  const logs = emptyLogs();
  const restored = await restore(stage, logs, { at });
  assert.deepEqual([restored.frames, restored.stateHash], [at, replica.stateHash()]);
  assert.equal(logs.commands.last, at);
  const last = decodeEventBatch(logs.events.message(logs.events.last)).parts.at(-1);
  assert.ok(last?.sequence === at && last.isLast);
  await assert.rejects(restore(stage, emptyLogs(), { at: FRAMES + 1 }), /archive ends at frame 40/);
  await assert.rejects(restore(stage, logs, { at: at - 1 }), /expected an empty log/);
  await restore(stage, logs);
  assertComplete(stage, logs);
});

test('the state must match the snapshot', async (t) => {
  const stage = await archivedLog(t);
  const snapshot = { sequence: FRAMES, stateHash: stage.stateHash };
  await restore(stage, emptyLogs(), { snapshot });
  const wrong = { sequence: 9, stateHash: stage.stateHash };
  await assert.rejects(
    restore(stage, emptyLogs(), { snapshot: wrong }),
    /state differs from the snapshot of frame 9/,
  );
});

test('a log with different frames is never continued', async (t) => {
  const stage = await archivedLog(t);
  const logs = emptyLogs();
  logs.commands.store(Buffer.from('a frame of another log'));
  await assert.rejects(restore(stage, logs), /Frame 1 in COMMANDS differs from the archive/);
  const whole = emptyLogs();
  await restore(stage, whole);
  whole.commands.trim(5);
  await assert.rejects(restore(stage, whole), /expected an empty log/);
});

test('a damaged archive restores nothing after the damage', async (t) => {
  const stage = await archivedLog(t);
  const [, file] = (await readdir(stage.folder)).filter((name) => name.endsWith('.segment'));
  const path = join(stage.folder, file);
  const bytes = await readFile(path);
  bytes[bytes.length - 9] ^= 4;
  await writeFile(path, bytes);
  const logs = emptyLogs();
  await assert.rejects(restore(stage, logs), /expected body hash/);
  assert.ok(logs.commands.last <= 7);
});
