// Trimmed events come back from the archive: the same parts, the same chain, and numbers that end
// where the log begins, wherever the follower is and wherever the log was cut.

import assert from 'node:assert/strict';
import test from 'node:test';
import { batchAfter, encodeEventBatch, NO_HASH, openEventBatch } from '../journal/index.ts';
import { type ArchivedLog, archivedLog, connectTo, FRAMES } from './archived-log-for-test.ts';
import { EventsTrimmed, startOfEvents } from './recompute-events.ts';
import { openReplaySource } from './replay-archive.ts';

/** The position of a follower that has read this many frames, with this message number. */
function positionAt({ parts }: ArchivedLog, frame: number, message: number) {
  const { hash } = encodeEventBatch(NO_HASH, parts.slice(0, frame));
  return { message, hash, frame, part: 0, isComplete: true };
}

/** Follows from a position to the end and returns the frames that were read. */
async function follow(stage: ArchivedLog, at: ReturnType<typeof positionAt>): Promise<number[]> {
  const { folder, log } = stage;
  const openSource = () => openReplaySource(folder, (problem) => assert.fail(String(problem)));
  const start = await startOfEvents(connectTo(log), at, openSource);
  assert.ok(start !== undefined);
  const frames: number[] = [];
  let { message } = start;
  let hash = at.hash;
  for await (const one of start.missing ?? []) take(one.message, one.batch);
  while (message < log.last) {
    const next = openEventBatch(log.message(message + 1)) ?? assert.fail();
    take(message + 1, batchAfter(next, at));
  }
  return frames;

  function take(number: number, batch: ReturnType<typeof batchAfter>): void {
    assert.equal(number, message + 1, 'messages are numbered without gaps');
    assert.deepEqual(Buffer.from(batch.previousHash), Buffer.from(hash), 'the chain continues');
    for (const part of batch.parts) {
      assert.deepEqual(Buffer.from(part.bytes), Buffer.from(stage.parts[part.sequence - 1].bytes));
      frames.push(part.sequence);
    }
    [message, hash] = [number, batch.hash];
  }
}

function range(first: number): number[] {
  return Array.from({ length: FRAMES - first + 1 }, (_, at) => first + at);
}

test('a follower behind the trim reads every frame once', async (t) => {
  const stage = await archivedLog(t);
  for (const first of [1, 2, 5, 9, 14]) {
    stage.log.trim(first);
    for (const frame of [0, 1, 3, 6, 11, 25, 39, 40]) {
      const own = Math.ceil(frame / 3);
      const at = positionAt(stage, frame, own);
      assert.deepEqual(await follow(stage, at), range(frame + 1), `first ${first}, at ${frame}`);
    }
  }
});

test('a log with other messages for the same events is continued', async (t) => {
  const stage = await archivedLog(t, 5);
  for (const [frame, message] of [
    [4, 2],
    [10, 31],
    [17, 6],
    [40, 14],
  ] as const) {
    const at = positionAt(stage, frame, message);
    assert.deepEqual(await follow(stage, at), range(frame + 1));
  }
});

test('without an archive a trimmed position is a fault that names the setting', async (t) => {
  const stage = await archivedLog(t);
  stage.log.trim(5);
  const at = positionAt(stage, 3, 1);
  await assert.rejects(startOfEvents(connectTo(stage.log), at, undefined), (fault) => {
    assert.ok(fault instanceof EventsTrimmed);
    assert.match(fault.message, /frame 4 were trimmed.*RIALTO_ARCHIVE_FOLDER/s);
    return true;
  });
});

test('an archive from another log is a fault', async (t) => {
  const stage = await archivedLog(t);
  stage.log.trim(5);
  const at = { ...positionAt(stage, 3, 1), hash: new Uint8Array(32).fill(1) };
  await assert.rejects(follow(stage, at), /hash chain differs|the chain continues/);
});

test('a follower that has read more than the log contains is refused', async (t) => {
  const stage = await archivedLog(t);
  const at = positionAt(stage, FRAMES, stage.log.last);
  stage.log.putBack(stage.log.last - 1);
  await assert.rejects(startOfEvents(connectTo(stage.log), at, undefined), {
    name: 'LogRefused',
    message:
      'EVENTS ends before frame 40, which was read: it was lost or is an earlier copy. ' +
      'See docs/operating/log-lost.md.',
  });
});
