// A log of forty frames for tests: its archive, its frames, and EVENTS with some frames in each
// message.

import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { encodeCommandFrame, FrameWriter } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { LISTINGS, Trader, withId } from '../../testing/simulator/trading-commands.ts';
import { folderFor } from '../journal/archive-for-test.ts';
import {
  type EventPart,
  encodeEventBatch,
  hashFrame,
  NO_HASH,
  openArchive,
  SegmentOutput,
} from '../journal/index.ts';
import { MemoryLog } from '../journal/memory-log.ts';
import { faultlessPath } from '../journal/memory-log-path.ts';
import { systemClock } from '../process/index.ts';
import { Replica } from './replica.ts';

export const FRAMES = 40;
const SEGMENT_FRAMES = 7;

export interface ArchivedLog {
  readonly folder: string;
  /** EVENTS. */
  readonly log: MemoryLog;
  readonly frames: readonly Uint8Array[];
  readonly parts: readonly EventPart[];
  readonly stateHash: string;
}

export async function archivedLog(context: TestContext, perMessage = 3): Promise<ArchivedLog> {
  const folder = join(await folderFor(context), 'archive');
  const archive = await openArchive(folder, 'append');
  const trader = new Trader(new Random(7), { user: 1, channel: 1 });
  const replica = Replica.create();
  const frames: Uint8Array[] = [];
  const parts: EventPart[] = [];
  let output = new SegmentOutput();
  let number = 0;
  for (let sequence = 1; sequence <= FRAMES; sequence++) {
    const bodies = sequence === 1 ? LISTINGS : [trader.next(), trader.next()];
    const commands = bodies.map((body) => withId(body, { source: 1, number: ++number }));
    const timeMs = (1_000 * sequence) as TimeMs;
    const { frameHash: previousHash } = replica;
    const frame = { sequence, epoch: 1, timeMs, previousHash, commands };
    const bytes = encodeCommandFrame(new FrameWriter(), frame).slice();
    frames.push(bytes);
    const { encoded } = replica.apply(frame, hashFrame(bytes));
    parts.push(...encoded.parts);
    output.add(encoded.parts);
    if (sequence % SEGMENT_FRAMES > 0 && sequence < FRAMES) continue;
    const checkpoint = { outputHash: output.outputHash(), stateHash: replica.stateHash() };
    await archive.appendSegment({ frames: frames.slice(archive.end.sequence), checkpoint });
    output = new SegmentOutput();
  }
  const log = new MemoryLog(systemClock);
  let hash = NO_HASH;
  for (let at = 0; at < parts.length; at += perMessage) {
    const batch = encodeEventBatch(hash, parts.slice(at, at + perMessage));
    hash = batch.hash;
    log.store(batch.message);
  }
  return { folder, log, frames, parts, stateHash: replica.stateHash() };
}

export function connectTo(log: MemoryLog) {
  // Generous, because a machine under load answers late.
  return log.connect(systemClock, { ...faultlessPath(() => 0.5), timeoutMs: 60_000 });
}
