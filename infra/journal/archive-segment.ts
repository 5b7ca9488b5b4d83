// A segment: consecutive frames of the command log in one packed file, with what is needed to find
// it, to link it to its neighbours, and to compare a replay with a checkpoint at its end.

import { hash } from 'node:crypto';
import { CodecFault, type CommandFrame, outlineFrame } from '../../core/messages/index.ts';
import { FrameChain, LOG_START, type LogPosition } from './archive-chain.ts';
import { ArchiveFault } from './archive-fault.ts';
import { type Label, readLabel, unpack } from './archive-pack.ts';

export const SEGMENT_FRAMES_MAX = 4_096;
/** Before compression. A reader holds one segment at a time. */
export const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;

/** What a replica made of a segment, for a later replay to be compared with. */
export interface Checkpoint {
  /** Of all that the segment's frames gave; see SegmentOutput. */
  readonly outputHash: string;
  /** What hashExchange says. Taking it costs a pause, so not every segment has one. */
  readonly stateHash?: string;
}

export interface SegmentInfo {
  readonly file: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly firstEpoch: number;
  readonly lastEpoch: number;
  /** Number of the first command; of the next one to come when there are none. */
  readonly firstCommand: number;
  readonly commands: number;
  /** Engine time at the first and at the last frame. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Hash of the frame before the first one, and of the last one. */
  readonly previousFrameHash: string;
  readonly lastFrameHash: string;
  /** SHA-256 of the whole file before this one; zeros for the first. */
  readonly previousSegmentHash: string;
  readonly checkpoint: Checkpoint;
  /** All frames together, before compression. */
  readonly frameBytes: number;
}

export interface OpenedSegment {
  readonly info: SegmentInfo;
  /** SHA-256 of the whole file: what the next segment names as its previous. */
  readonly segmentHash: string;
  readonly frames: readonly Uint8Array[];
}

// Sixteen digits hold every sequence there can be, so names sort as sequences do.
const NAME = /^commands-([0-9]{16})\.segment$/;

export function segmentName(firstSequence: number): string {
  return `commands-${String(firstSequence).padStart(16, '0')}.segment`;
}

export function isSegmentName(name: string): boolean {
  return NAME.test(name);
}

const NUMBERS = [
  'firstSequence',
  'lastSequence',
  'firstEpoch',
  'lastEpoch',
  'firstCommand',
  'commands',
  'fromMs',
  'toMs',
] as const;
const HASHES = ['previousFrameHash', 'lastFrameHash', 'previousSegmentHash'] as const;
const SHA256 = /^[0-9a-f]{64}$/;

/** What the first segment names as the one before it. */
export const NO_SEGMENT_HASH = '0'.repeat(64);

/** What the start of the file says. Its name must be the one that it was written under. */
export function readSegmentInfo(
  file: string,
  start: Uint8Array,
): { info: SegmentInfo; label: Label } {
  const label = readLabel('segment', file, start);
  const { about, contentBytes } = label;
  const checkpoint = about.checkpoint as Checkpoint | undefined;
  const isSound =
    NUMBERS.every((name) => Number.isSafeInteger(about[name])) &&
    HASHES.every((name) => SHA256.test(String(about[name]))) &&
    SHA256.test(String(checkpoint?.outputHash)) &&
    contentBytes <= SEGMENT_BYTES_MAX;
  if (!isSound) throw new ArchiveFault('damaged', 'this is not what a segment says', { file });
  const info = { ...about, file, frameBytes: contentBytes } as unknown as SegmentInfo;
  if (file !== segmentName(info.firstSequence)) {
    const detail = `the file begins with frame ${info.firstSequence}, but its name says otherwise`;
    throw new ArchiveFault('damaged', detail, { file });
  }
  return { info, label };
}

export interface SegmentDraft {
  readonly frames: readonly Uint8Array[];
  readonly checkpoint: Checkpoint;
}

/** Checks that the frames continue the log after `before`, and describes them. */
export function describeSegment(
  { frames, checkpoint }: SegmentDraft,
  before: LogPosition,
): Omit<SegmentInfo, 'previousSegmentHash'> {
  const frameBytes = frames.reduce((sum, bytes) => sum + bytes.length, 0);
  if (frames.length === 0) throw new ArchiveFault('wrong_size', 'a segment has at least one frame');
  if (frames.length > SEGMENT_FRAMES_MAX || frameBytes > SEGMENT_BYTES_MAX) {
    const detail = `${frames.length} frames of ${frameBytes} bytes are too much for one segment`;
    throw new ArchiveFault('wrong_size', detail);
  }
  if (!SHA256.test(checkpoint.outputHash)) {
    throw new ArchiveFault('damaged', 'a checkpoint has an output hash');
  }
  const chain = new FrameChain(before);
  chain.next(frames[0]);
  const first = chain.at;
  for (const bytes of frames.slice(1)) chain.next(bytes);
  const last = chain.at;
  return {
    file: segmentName(first.sequence),
    firstSequence: first.sequence,
    lastSequence: last.sequence,
    firstEpoch: first.epoch,
    lastEpoch: last.epoch,
    firstCommand: before.commands + 1,
    commands: last.commands - before.commands,
    fromMs: first.timeMs,
    toMs: last.timeMs,
    previousFrameHash: before.frameHash,
    lastFrameHash: last.frameHash,
    checkpoint,
    frameBytes,
  };
}

/** Where the log stands after a segment, and so before the next one. */
export function positionAfter(segment: SegmentInfo | undefined): LogPosition {
  if (segment === undefined) return LOG_START;
  return {
    sequence: segment.lastSequence,
    epoch: segment.lastEpoch,
    timeMs: segment.toMs,
    commands: segment.firstCommand - 1 + segment.commands,
    frameHash: segment.lastFrameHash,
  };
}

/** What two neighbours say of each other, without reading a frame. */
export function checkLink(before: SegmentInfo | undefined, segment: SegmentInfo): void {
  const { file } = segment;
  const at = positionAfter(before);
  if (segment.firstSequence !== at.sequence + 1) {
    const missing = `frame ${at.sequence + 1} is missing`;
    const detail = `begins with frame ${segment.firstSequence}, but ${missing}`;
    throw new ArchiveFault('not_continuing', detail, { file });
  }
  const isContinuing =
    segment.previousFrameHash === at.frameHash &&
    segment.firstCommand === at.commands + 1 &&
    segment.firstEpoch >= at.epoch &&
    segment.fromMs >= at.timeMs &&
    (before !== undefined || segment.previousSegmentHash === NO_SEGMENT_HASH);
  if (isContinuing) return;
  const neighbour = before === undefined ? 'the start of the log' : before.file;
  throw new ArchiveFault('not_continuing', `does not continue ${neighbour}`, { file });
}

/** Reads a whole file: the body is the one that was written, and falls into frames. */
export async function openSegment(file: string, bytes: Uint8Array): Promise<OpenedSegment> {
  const { info, label } = readSegmentInfo(file, bytes);
  const content = await unpack(label, bytes);
  return { info, segmentHash: hash('sha256', bytes, 'hex'), frames: cutFrames(info, content) };
}

function cutFrames(info: SegmentInfo, content: Uint8Array): Uint8Array[] {
  const { file, firstSequence, lastSequence } = info;
  const frames: Uint8Array[] = [];
  try {
    for (let at = 0; at < content.length; ) {
      const { frameBytes } = outlineFrame(content.subarray(at));
      // A length of 0 would be read for ever; decoding says what is wrong with the frame.
      frames.push(content.subarray(at, at + Math.max(1, frameBytes)));
      at += Math.max(1, frameBytes);
    }
  } catch (cause) {
    if (!(cause instanceof CodecFault)) throw cause;
    const place = { file, sequence: firstSequence + frames.length, cause };
    throw new ArchiveFault('damaged', `no frame begins here: ${cause.message}`, place);
  }
  if (frames.length !== lastSequence - firstSequence + 1) {
    const detail = `holds ${frames.length} frames, not ${firstSequence} to ${lastSequence}`;
    throw new ArchiveFault('damaged', detail, { file });
  }
  return frames;
}

/** Each frame, decoded and found to continue the one before; the segment is what it says it is. */
export function* checkFrames(
  { info, frames }: OpenedSegment,
  before: SegmentInfo | undefined,
): Generator<{ bytes: Uint8Array; frame: CommandFrame; at: LogPosition }, void> {
  checkLink(before, info);
  const chain = new FrameChain(positionAfter(before), info.file);
  let isFirst = true;
  for (const bytes of frames) {
    const frame = chain.next(bytes);
    if (isFirst && (chain.at.epoch !== info.firstEpoch || chain.at.timeMs !== info.fromMs)) {
      refuseSelf(info, info.firstSequence);
    }
    isFirst = false;
    yield { bytes, frame, at: chain.at };
  }
  const claimed = positionAfter(info);
  const isTrue = (Object.keys(claimed) as (keyof LogPosition)[]).every(
    (name) => claimed[name] === chain.at[name],
  );
  if (!isTrue) refuseSelf(info, info.lastSequence);
}

function refuseSelf({ file }: SegmentInfo, sequence: number): never {
  const detail = 'the segment says something else of this frame than the frame does';
  throw new ArchiveFault('damaged', detail, { file, sequence });
}
