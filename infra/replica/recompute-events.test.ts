// Trimmed events come back from the archive: the same parts, the same chain, and numbers that end
// where the log begins, wherever the follower is and wherever the log was cut.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { encodeCommandFrame, FrameWriter } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { LISTINGS, Trader, withId } from '../../testing/simulator/trading-commands.ts';
import { CHECKPOINT, folderFor } from '../journal/archive-for-test.ts';
import {
  batchAfter,
  type EventPart,
  encodeEventBatch,
  hashFrame,
  NO_HASH,
  openArchive,
  openEventBatch,
} from '../journal/index.ts';
import { MemoryLog } from '../journal/memory-log.ts';
import { faultlessPath } from '../journal/memory-log-path.ts';
import { systemClock } from '../process/index.ts';
import { EventsTrimmed, startOfEvents } from './recompute-events.ts';
import { openReplaySource } from './replay-archive.ts';
import { Replica } from './replica.ts';

const FRAMES = 40;

interface Stage {
  readonly folder: string;
  readonly log: MemoryLog;
  readonly parts: readonly EventPart[];
}

/** An archive of all frames, and EVENTS with three frames in each message. */
async function open(context: TestContext, perMessage = 3): Promise<Stage> {
  const folder = join(await folderFor(context), 'archive');
  const archive = await openArchive(folder, 'append');
  const trader = new Trader(new Random(7), { user: 1, channel: 1 });
  const replica = Replica.create();
  const frames: Uint8Array[] = [];
  const parts: EventPart[] = [];
  let number = 0;
  for (let sequence = 1; sequence <= FRAMES; sequence++) {
    const bodies = sequence === 1 ? LISTINGS : [trader.next(), trader.next()];
    const commands = bodies.map((body) => withId(body, { source: 1, number: ++number }));
    const timeMs = (1_000 * sequence) as TimeMs;
    const { frameHash: previousHash } = replica;
    const frame = { sequence, epoch: 1, timeMs, previousHash, commands };
    const bytes = encodeCommandFrame(new FrameWriter(), frame).slice();
    frames.push(bytes);
    parts.push(...replica.apply(frame, hashFrame(bytes)).encoded.parts);
  }
  for (let at = 0; at < FRAMES; at += 7) {
    await archive.appendSegment({ frames: frames.slice(at, at + 7), checkpoint: CHECKPOINT });
  }
  const log = new MemoryLog(systemClock);
  let hash = NO_HASH;
  for (let at = 0; at < parts.length; at += perMessage) {
    const batch = encodeEventBatch(hash, parts.slice(at, at + perMessage));
    hash = batch.hash;
    log.store(batch.message);
  }
  return { folder, log, parts };
}

function connect(log: MemoryLog) {
  return log.connect(systemClock, { ...faultlessPath(() => 0.5), timeoutMs: 60_000 });
}

/** The position of a follower that has read this many frames, with this message number. */
function positionAt({ parts }: Stage, frame: number, message: number) {
  const { hash } = encodeEventBatch(NO_HASH, parts.slice(0, frame));
  return { message, hash, frame, part: 0, isComplete: true };
}

/** Follows from a position to the end and returns the frames that were read. */
async function follow(stage: Stage, at: ReturnType<typeof positionAt>): Promise<number[]> {
  const { folder, log } = stage;
  const openSource = () => openReplaySource(folder, (problem) => assert.fail(String(problem)));
  const start = await startOfEvents(connect(log), at, openSource);
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
  const stage = await open(t);
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
  const stage = await open(t, 5);
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
  const stage = await open(t);
  stage.log.trim(5);
  const at = positionAt(stage, 3, 1);
  await assert.rejects(startOfEvents(connect(stage.log), at, undefined), (fault) => {
    assert.ok(fault instanceof EventsTrimmed);
    assert.match(fault.message, /frame 4 were trimmed.*RIALTO_ARCHIVE_FOLDER/s);
    return true;
  });
});

test('an archive of another log is a fault', async (t) => {
  const stage = await open(t);
  stage.log.trim(5);
  const at = { ...positionAt(stage, 3, 1), hash: new Uint8Array(32).fill(1) };
  await assert.rejects(follow(stage, at), /hash chain differs|the chain continues/);
});
