// A segment: consecutive frames of the command log in one packed file, with the data to find it, to
// link it to its neighbors, and to compare a replay with a checkpoint at its end.

import { createHash, hash } from 'node:crypto';
import {
  afterVersion,
  CodecFault,
  type CommandFrame,
  outlineFrame,
} from '../../core/messages/index.ts';
import { FrameChain, LOG_START, type LogPosition } from './archive-chain.ts';
import { ArchiveFault } from './archive-fault.ts';
import { type Label, readLabel, unpack } from './archive-pack.ts';
import type { EventPart } from './event-batch.ts';

export const SEGMENT_FRAMES_MAX = 4_096;
/** Before compression. A reader holds one segment in memory at a time. */
export const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;

/** The results of a replica for a segment, to compare with a later replay. */
export interface Checkpoint {
  /** Hash of all events of the segment; see SegmentOutput. */
  readonly outputHash: string;
  /** The hash by hashExchange. Taking it pauses the archivist, so not every segment has one. */
  readonly stateHash?: string;
}

export interface SegmentInfo {
  readonly file: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly firstEpoch: number;
  readonly lastEpoch: number;
  /** Number of the first command, or of the next command if the segment has none. */
  readonly firstCommand: number;
  readonly commands: number;
  /** Engine time at the first and the last frame. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Hash of the frame before the first, and of the last frame. */
  readonly previousFrameHash: string;
  readonly lastFrameHash: string;
  /** SHA-256 of the previous segment's file; zeros for the first segment. */
  readonly previousSegmentHash: string;
  readonly checkpoint: Checkpoint;
  /** All frames together, before compression. */
  readonly frameBytes: number;
}

export interface OpenedSegment {
  readonly info: SegmentInfo;
  /** SHA-256 of the file, which the next segment names. */
  readonly segmentHash: string;
  readonly frames: readonly Uint8Array[];
}

// Sixteen digits hold every possible sequence, so names sort like sequences.
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

/** The previous segment's hash in the first segment. */
export const NO_SEGMENT_HASH = '0'.repeat(64);

/** Reads the label at the start of a file and checks it against the file's name. */
export function readSegmentInfo(
  file: string,
  start: Uint8Array,
): { info: SegmentInfo; label: Label } {
  const label = readLabel('segment', file, start);
  const { about, contentBytes } = label;
  if (!isSegmentLabel(about) || contentBytes > SEGMENT_BYTES_MAX) {
    throw new ArchiveFault('damaged', 'the label does not describe a segment', { file });
  }
  const info: SegmentInfo = { ...about, file, frameBytes: contentBytes };
  if (file !== segmentName(info.firstSequence)) {
    const detail = `the file starts with frame ${info.firstSequence}, which its name contradicts`;
    throw new ArchiveFault('damaged', detail, { file });
  }
  return { info, label };
}

type SegmentLabel = Omit<SegmentInfo, 'file' | 'frameBytes'>;

function isSegmentLabel(about: Label['about']): about is Label['about'] & SegmentLabel {
  const checkpoint = about.checkpoint as Checkpoint | undefined;
  return (
    NUMBERS.every((name) => Number.isSafeInteger(about[name])) &&
    HASHES.every((name) => SHA256.test(String(about[name]))) &&
    SHA256.test(String(checkpoint?.outputHash))
  );
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
  if (frames.length === 0)
    throw new ArchiveFault('wrong_size', 'a segment needs at least one frame');
  if (frames.length > SEGMENT_FRAMES_MAX || frameBytes > SEGMENT_BYTES_MAX) {
    const detail = `${frames.length} frames of ${frameBytes} bytes exceed the limits of a segment`;
    throw new ArchiveFault('wrong_size', detail);
  }
  if (!SHA256.test(checkpoint.outputHash)) {
    throw new ArchiveFault('damaged', 'the checkpoint has no valid output hash');
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

/** The position of the log after a segment, which is the position before the next. */
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

/** Checks that two neighboring labels fit together, without reading frames. */
export function checkLink(before: SegmentInfo | undefined, segment: SegmentInfo): void {
  const { file } = segment;
  const at = positionAfter(before);
  if (segment.firstSequence !== at.sequence + 1) {
    const missing = `frame ${at.sequence + 1} is missing`;
    const detail = `starts with frame ${segment.firstSequence}, but ${missing}`;
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

/** Reads a complete file: checks the body against the label and splits it into frames. */
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
      // A length of 0 would loop without end; decoding reports the invalid frame later.
      frames.push(content.subarray(at, at + Math.max(1, frameBytes)));
      at += Math.max(1, frameBytes);
    }
  } catch (cause) {
    if (!(cause instanceof CodecFault)) throw cause;
    const place = { file, sequence: firstSequence + frames.length, cause };
    throw new ArchiveFault('damaged', `expected a frame: ${cause.message}`, place);
  }
  if (frames.length !== lastSequence - firstSequence + 1) {
    const detail = `holds ${frames.length} frames, expected ${firstSequence} to ${lastSequence}`;
    throw new ArchiveFault('damaged', detail, { file });
  }
  return frames;
}

/** Yields each frame, decoded and checked against the chain; then checks the label itself. */
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
  const isCorrect = (Object.keys(claimed) as (keyof LogPosition)[]).every(
    (name) => claimed[name] === chain.at[name],
  );
  if (!isCorrect) refuseSelf(info, info.lastSequence);
}

function refuseSelf({ file }: SegmentInfo, sequence: number): never {
  const detail = 'the label of the segment does not match this frame';
  throw new ArchiveFault('damaged', detail, { file, sequence });
}

/**
 * One hash over all events of a segment, so a replay can prove that it computes the same. Each
 * segment starts a new hash: a replica that starts at any segment can compute it.
 */
export class SegmentOutput {
  readonly #hash = createHash('sha256');

  /** Adds the events of the next frame, as parts. */
  add(parts: readonly Pick<EventPart, 'bytes'>[]): void {
    for (const { bytes } of parts) this.#hash.update(afterVersion(bytes));
  }

  /** SHA-256 of all bytes so far without the schema versions, hexadecimal. */
  outputHash(): string {
    return this.#hash.copy().digest('hex');
  }
}
