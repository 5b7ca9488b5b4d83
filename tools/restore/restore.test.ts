// A restore writes both logs exactly as they were, also after an interruption, and never mixes two
// logs.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { decodeEventBatch, openArchive, openSealedFrame } from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { systemClock } from '../../infra/process/index.ts';
import {
  type ArchivedLog,
  archivedLog,
  connectTo,
  FRAMES,
} from '../../infra/replica/archived-log-for-test.ts';
import { restoreJournal } from './restore.ts';

function emptyLogs() {
  return { commands: new MemoryLog(systemClock), events: new MemoryLog(systemClock) };
}

async function restore({ folder }: ArchivedLog, logs: ReturnType<typeof emptyLogs>) {
  return restoreJournal({
    archive: await openArchive(folder, 'read'),
    commands: connectTo(logs.commands),
    events: connectTo(logs.events),
    print: () => {},
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

test('a log with other frames is never continued', async (t) => {
  const stage = await archivedLog(t);
  const logs = emptyLogs();
  logs.commands.store(Buffer.from('a frame of another log'));
  await assert.rejects(restore(stage, logs), /another frame 1 than the archive/);
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
