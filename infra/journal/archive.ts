// The archive: the command log outside of JetStream, as a chain of segments from frame 1 on. It
// grows by complete segments and never changes. One process writes it; any number can read it.

import type { CommandFrame } from '../../core/messages/index.ts';
import type { LogPosition } from './archive-chain.ts';
import { ArchiveFault } from './archive-fault.ts';
import { type ArchiveFiles, ArchiveFolder } from './archive-folder.ts';
import { checkLength, LABEL_BYTES_MAX, pack } from './archive-pack.ts';
import {
  checkFrames,
  checkLink,
  describeSegment,
  isSegmentName,
  NO_SEGMENT_HASH,
  type OpenedSegment,
  openSegment,
  positionAfter,
  readSegmentInfo,
  type SegmentDraft,
  type SegmentInfo,
} from './archive-segment.ts';
import { exchangeIdOf } from './exchange-id.ts';

/** `append` creates the folder and removes unfinished files; `read` changes nothing. */
export type ArchiveAccess = 'append' | 'read';

/**
 * Performs the cheap checks: names, labels and lengths of files, and that each file starts where
 * the previous one ends. An ArchiveFault names the problem and its place; nothing is skipped.
 */
export async function openArchive(folder: string, access: ArchiveAccess): Promise<Archive> {
  const files = new ArchiveFolder(folder);
  if (access === 'append') {
    await files.make();
    await files.removeUnfinished();
  }
  return Archive.open(files);
}

export class Archive {
  readonly #files: ArchiveFiles;
  readonly #segments: SegmentInfo[];
  /** SHA-256 of the last file, once known. */
  #lastSegmentHash: string | undefined;
  #isAppending = false;

  private constructor(files: ArchiveFiles, segments: SegmentInfo[]) {
    this.#files = files;
    this.#segments = segments;
    if (segments.length === 0) this.#lastSegmentHash = NO_SEGMENT_HASH;
  }

  static async open(files: ArchiveFiles): Promise<Archive> {
    const segments: SegmentInfo[] = [];
    for (const file of await files.list()) {
      if (!isSegmentName(file)) {
        throw new ArchiveFault('foreign_file', 'not the name of a segment', { file });
      }
      const { bytes, fileBytes } = await files.readStart(file, LABEL_BYTES_MAX);
      const { info, label: found } = readSegmentInfo(file, bytes);
      checkLength(found, fileBytes);
      checkLink(segments.at(-1), info);
      segments.push(info);
    }
    return new Archive(files, segments);
  }

  /** All segments, from the first frame on. */
  segments(): readonly SegmentInfo[] {
    return this.#segments;
  }

  get last(): SegmentInfo | undefined {
    return this.#segments.at(-1);
  }

  /** The position of the log after the last archived frame. */
  get end(): LogPosition {
    return positionAfter(this.last);
  }

  /** The exchange whose log it has; undefined if it is empty. */
  async exchangeId(): Promise<string | undefined> {
    if (this.last === undefined) return undefined;
    for await (const frame of this.readFrames(1, 1)) return exchangeIdOf(frame);
    return undefined;
  }

  /** The segment that holds a frame. */
  findSequence(sequence: number): SegmentInfo | undefined {
    const found = this.#lastThat(({ firstSequence }) => firstSequence <= sequence);
    return found !== undefined && sequence <= found.lastSequence ? found : undefined;
  }

  /** The segment that holds a command. */
  findCommand(command: number): SegmentInfo | undefined {
    const found = this.#lastThat(({ firstCommand }) => firstCommand <= command);
    return found !== undefined && command <= positionAfter(found).commands ? found : undefined;
  }

  /** The segment that holds the last frame at or before this engine time. */
  findTime(timeMs: number): SegmentInfo | undefined {
    return this.#lastThat(({ fromMs }) => fromMs <= timeMs);
  }

  /**
   * Writes the frames as the next segment, which is on disk when this resolves. They must continue
   * the last segment. The caller can reuse the bytes as soon as the call returns.
   */
  async appendSegment(draft: SegmentDraft): Promise<SegmentInfo> {
    if (this.#isAppending) throw new Error('Another segment is still being appended.');
    this.#isAppending = true;
    try {
      const description = describeSegment(draft, this.end);
      const content = Buffer.concat(draft.frames);
      const previousSegmentHash = await this.#hashOfLast();
      const { file, frameBytes: _, ...about } = { ...description, previousSegmentHash };
      const { bytes } = await pack('segment', about, content);
      // Parsing the packed bytes proves that the file can be read back.
      const { info, segmentHash } = await openSegment(file, bytes);
      if (!(await this.#files.create(file, bytes))) {
        throw new ArchiveFault('exists', 'another process has archived this segment', { file });
      }
      this.#segments.push(info);
      this.#lastSegmentHash = segmentHash;
      return info;
    } finally {
      this.#isAppending = false;
    }
  }

  /**
   * Copies the segments of another archive that follow the end of this one, each with the same
   * bytes, and returns their count. Every copy is on disk when this resolves.
   */
  async copyFrom(other: Archive): Promise<number> {
    if (this.#isAppending) throw new Error('Another segment is still being appended.');
    this.#isAppending = true;
    try {
      let count = 0;
      for (const { file, firstSequence } of other.segments()) {
        if (firstSequence <= this.end.sequence) continue;
        const bytes = await other.#files.read(file);
        const { info, segmentHash } = await openSegment(file, bytes);
        checkLink(this.last, info);
        if (info.previousSegmentHash !== (await this.#hashOfLast())) {
          const detail = 'names another previous segment than the one of this copy';
          throw new ArchiveFault('not_continuing', detail, { file });
        }
        if (!(await this.#files.create(file, bytes))) {
          throw new ArchiveFault('exists', 'another process has archived this segment', { file });
        }
        this.#segments.push(info);
        this.#lastSegmentHash = segmentHash;
        count++;
      }
      return count;
    } finally {
      this.#isAppending = false;
    }
  }

  /** Reads one file and checks its body against its label. */
  async readSegment({ file }: Pick<SegmentInfo, 'file'>): Promise<OpenedSegment> {
    return openSegment(file, await this.#files.read(file));
  }

  /**
   * The bytes of frames `from` to `to`, or to the end, with one segment in memory at a time. Bodies
   * are checked against their labels; the caller or verifySegment checks the chain.
   */
  async *readFrames(from: number, to = this.end.sequence): AsyncGenerator<Uint8Array, void> {
    if (from > to) return;
    const first = this.findSequence(from);
    if (first === undefined || to > this.end.sequence) {
      const held = `1 to ${this.end.sequence}`;
      throw new ArchiveFault('not_there', `frames ${from} to ${to} are not within ${held}`);
    }
    const start = this.#segments.indexOf(first);
    for (let index = start; this.#segments[index]?.firstSequence <= to; index++) {
      const { info, frames } = await this.readSegment(this.#segments[index]);
      const { firstSequence } = info;
      yield* frames.slice(Math.max(0, from - firstSequence), to - firstSequence + 1);
    }
  }

  /** Binary search: `isBefore` is true up to some segment and false after it. */
  #lastThat(isBefore: (segment: SegmentInfo) => boolean): SegmentInfo | undefined {
    let [low, high] = [0, this.#segments.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#segments[middle])) low = middle + 1;
      else high = middle;
    }
    return this.#segments[low - 1];
  }

  async #hashOfLast(): Promise<string> {
    const { last } = this;
    if (last !== undefined && this.#lastSegmentHash === undefined) {
      this.#lastSegmentHash = (await this.readSegment(last)).segmentHash;
    }
    return this.#lastSegmentHash ?? NO_SEGMENT_HASH;
  }
}

/** An archived frame that was checked against the chain. */
export interface CheckedFrame {
  readonly bytes: Uint8Array;
  readonly frame: CommandFrame;
  /** The position of the log after it. */
  readonly at: LogPosition;
}

/**
 * Yields every frame of segment number `index` (from 0) after checking it, and checks that the next
 * segment names this file. The checks are complete once the last frame has been yielded.
 */
export async function* verifySegment(
  archive: Archive,
  index: number,
): AsyncGenerator<CheckedFrame, void> {
  const [before, segment, next] = [index - 1, index, index + 1].map(
    (place) => archive.segments()[place] as SegmentInfo | undefined,
  );
  if (segment === undefined) throw new ArchiveFault('not_there', `segment ${index} does not exist`);
  const opened = await archive.readSegment(segment);
  yield* checkFrames(opened, before);
  if (next !== undefined && next.previousSegmentHash !== opened.segmentHash) {
    const found = `${segment.file} has hash ${opened.segmentHash}`;
    const detail = `${found}, but this segment names ${next.previousSegmentHash}`;
    throw new ArchiveFault('not_continuing', detail, { file: next.file });
  }
}
