// The events that EVENTS no longer holds, computed again from the archive. Followers whose position
// was trimmed read them like messages of the log, and continue with its first message. The hash
// chain proves that they are the same events.

import { setTimeout as delay } from 'node:timers/promises';
import {
  batchAfter,
  type EventBatch,
  type EventsPosition,
  type Extent,
  encodeEventBatch,
  equalBytes,
  type FoundEvents,
  findEvents,
  LogRefused,
  type LogStream,
  readEvents,
} from '../journal/index.ts';
import { type ReplaySource, replay, startReplica } from './replay-archive.ts';

const ATTEMPTS_MAX = 4;
const RETRY_AFTER_MS = 1_000;

/** How far a follower has read. */
export interface FollowedTo extends EventsPosition {
  /** The last message of EVENTS; 0 before the first. */
  readonly message: number;
  /** The chain's hash after the last part. */
  readonly hash: Uint8Array;
}

export interface NumberedBatch {
  readonly message: number;
  readonly batch: EventBatch;
}

export interface EventsStart {
  /**
   * The last message that the follower has read. It differs from its own number when the log has
   * other messages with the same events, or when it continues with recomputed ones.
   */
  readonly message: number;
  /** The trimmed events after the position; they end before the log's first message. */
  readonly missing: AsyncIterable<NumberedBatch> | undefined;
}

export class EventsTrimmed extends Error {
  override readonly name = 'EventsTrimmed';
}

/** Opens the archive; undefined if the process has no copy of it. */
export type OpenSource = (() => Promise<ReplaySource>) | undefined;

/**
 * Undefined while the log does not answer. Throws EventsTrimmed if there is no archive, and
 * LogRefused if the log ends before the position.
 */
export async function startOfEvents(
  log: LogStream,
  at: FollowedTo,
  openSource: OpenSource,
  attempt = 1,
): Promise<EventsStart | undefined> {
  const extent = await new Promise<Extent | undefined>((done) => log.extent(done));
  if (extent === undefined) return undefined;
  if (at.message === 0 && extent.first === 1) return { message: 0, missing: undefined };
  if (at.message > 0) {
    const last = await readEvents(log, at.message);
    const isSame = typeof last === 'object' && equalBytes(last.hash, at.hash);
    if (isSame) return { message: at.message, missing: undefined };
  }
  const next = at.isComplete ? { frame: at.frame + 1, part: 0 } : { ...at, part: at.part + 1 };
  const found = await findEvents(log, next.frame);
  if (found === undefined) return undefined;
  if (found === 'damaged') throw new Error('a message of EVENTS is damaged');
  if (isBehind(found, at)) {
    // A former leader of the stream may answer with an earlier end, but not for long.
    if (attempt === ATTEMPTS_MAX) throw new LogRefused('older', behindText(at));
    await delay(RETRY_AFTER_MS);
    return startOfEvents(log, at, openSource, attempt + 1);
  }
  if (found === 'none') return { message: at.message, missing: undefined };
  const begin = found.batch.parts[0];
  const isHeld =
    begin.sequence < next.frame || (begin.sequence === next.frame && begin.part <= next.part);
  if (isHeld) return { message: found.message - 1, missing: undefined };
  if (openSource === undefined) {
    throw new EventsTrimmed(
      `EVENTS begins with frame ${begin.sequence}; events of frame ${next.frame} were trimmed. ` +
        'Set RIALTO_ARCHIVE_FOLDER to a copy of the archive: see docs/operating/retention.md',
    );
  }
  const end = { message: found.message - 1, begin, hash: found.batch.previousHash };
  const count = Math.min(end.message, lastFrame(end) - next.frame + 1);
  const message = end.message - count;
  return { message, missing: recompute(await openSource(), { ...at, message }, end) };
}

function behindText({ frame }: FollowedTo): string {
  return `EVENTS ends before frame ${frame}, which was read: it was lost or is an earlier copy.`;
}

/** The batch in which the next events begin must reach the last ones that were read. */
function isBehind(found: FoundEvents | 'none', { frame, part }: FollowedTo): boolean {
  const end = found === 'none' ? undefined : found.batch.parts.at(-1);
  if (end === undefined) return frame > 0;
  return end.sequence < frame || (end.sequence === frame && end.part < part);
}

interface TrimmedEnd {
  /** The last message that the log no longer holds. */
  readonly message: number;
  /** The first part that it still holds, and the chain's hash before it. */
  readonly begin: { readonly sequence: number; readonly part: number };
  readonly hash: Uint8Array;
}

function lastFrame({ begin }: TrimmedEnd): number {
  return begin.part > 0 ? begin.sequence : begin.sequence - 1;
}

/** Frames are distributed evenly over the numbers of the trimmed messages. */
async function* recompute(
  source: ReplaySource,
  at: FollowedTo,
  end: TrimmedEnd,
): AsyncGenerator<NumberedBatch, void> {
  const first = at.isComplete ? at.frame + 1 : at.frame;
  const [frames, messages] = [lastFrame(end) - first + 1, end.message - at.message];
  const replica = await startReplica(source, first - 1);
  let hash = at.hash;
  let waiting: EventBatch['parts'] = [];
  for await (const { encoded } of replay(source.archive, replica, lastFrame(end))) {
    const frame = replica.sequence;
    if (frame < first) continue;
    const whole = { previousHash: hash, hash, parts: encoded.parts };
    const isBefore = ({ part, sequence }: (typeof encoded.parts)[number]) =>
      sequence < end.begin.sequence || part < end.begin.part;
    waiting = [...waiting, ...batchAfter(whole, at).parts.filter(isBefore)];
    const number = (index: number) => Math.ceil((index * messages) / frames);
    const index = frame - first + 1;
    if (number(index) === number(index + 1) && index < frames) continue;
    const batch = encodeEventBatch(hash, waiting);
    yield {
      message: at.message + number(index),
      batch: { previousHash: hash, hash: batch.hash, parts: waiting },
    };
    hash = batch.hash;
    waiting = [];
  }
  if (!equalBytes(hash, end.hash)) {
    throw new Error('the archive gives other events than EVENTS had: its hash chain differs');
  }
}
