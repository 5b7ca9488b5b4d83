// Rewrites COMMANDS and EVENTS from an archive, on servers that have lost them. Replays all frames,
// or those up to a position, verifies the archive's hashes, and can be interrupted and repeated.

import {
  type AppendOutcome,
  type Archive,
  type EventsEnd,
  EventWriter,
  type Extent,
  equalBytes,
  findEventsEnd,
  hashFrame,
  type LogStream,
  SegmentOutput,
  sealFrame,
  verifySegment,
} from '../../infra/journal/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { Replica } from '../../infra/replica/index.ts';
import { ToolFault } from '../command-line.ts';

export interface RestoreOptions {
  readonly archive: Archive;
  readonly commands: LogStream;
  readonly events: LogStream;
  /** Last frame to write; by default, the end of the archive. */
  readonly at?: number | undefined;
  /** A verified snapshot; the replay must have the same state at its frame. */
  readonly snapshot?: { readonly sequence: number; readonly stateHash: string } | undefined;
  onFrames(done: number, of: number): void;
}

export interface Restored {
  readonly frames: number;
  readonly commands: number;
  readonly stateHash: string;
}

/** Appends in flight. There is no other writer, so the fence needs no gaps between frames. */
const IN_FLIGHT_MAX = 64;
const IN_FLIGHT_BYTES_MAX = 2 * 1024 * 1024;
const EVENT_BYTES_MAX = 16 * 1024 * 1024;
const RETRY_MS = 100;

export async function restoreJournal(options: RestoreOptions): Promise<Restored> {
  const { archive, commands, events, onFrames, snapshot } = options;
  const end = lastFrame(options);
  const frames = new FrameAppends(commands, await storedFrames(options, end));
  const writer = await openEvents(events);
  const replica = Replica.create();
  try {
    for (const [index, segment] of archive.segments().entries()) {
      if (segment.firstSequence > end) break;
      const output = new SegmentOutput();
      for await (const { bytes: frame } of verifySegment(archive, index)) {
        if (replica.sequence === end) continue;
        const frameHash = hashFrame(frame);
        const { encoded } = replica.follow({ frame, frameHash });
        output.add(encoded.parts);
        await frames.append(replica.sequence, sealFrame(frame, frameHash));
        writer.push(encoded.parts);
        if (snapshot?.sequence === replica.sequence) checkState(replica, snapshot);
      }
      const isWhole = segment.lastSequence <= end;
      if (isWhole && output.outputHash() !== segment.checkpoint.outputHash) {
        throw new ToolFault(`${segment.file}: replayed events differ from the archive.`);
      }
      await writer.drained(EVENT_BYTES_MAX);
      onFrames(replica.sequence, end);
    }
    await frames.end();
    await writer.drained(0);
  } finally {
    // After a fault, it would retry permanently and keep the process alive.
    writer.stop();
  }
  const stateHash = replica.stateHash();
  const archived = archive.last?.checkpoint.stateHash;
  if (end === archive.end.sequence && archived !== undefined && archived !== stateHash) {
    throw new ToolFault('The replayed state differs from the archive.');
  }
  return { frames: replica.sequence, commands: replica.exchange.commandsApplied, stateHash };
}

function lastFrame({ archive, at = archive.end.sequence }: RestoreOptions): number {
  if (at <= archive.end.sequence) return at;
  throw new ToolFault(`The archive ends at frame ${archive.end.sequence} (expected ${at}).`);
}

function checkState(
  replica: Replica,
  { sequence, stateHash }: { sequence: number; stateHash: string },
) {
  if (replica.stateHash() === stateHash) return;
  throw new ToolFault(`The replayed state differs from the snapshot of frame ${sequence}.`);
}

/** Checks that all frames of an earlier attempt match the archive. */
async function storedFrames({ archive, commands }: RestoreOptions, end: number): Promise<number> {
  const extent = await new Promise<Extent | undefined>((done) => commands.extent(done));
  if (extent === undefined) throw new ToolFault('COMMANDS is not responding.');
  const { first, last } = extent;
  if (last === 0) return 0;
  const isArchived = last <= end;
  if (first !== 1 || !isArchived) {
    throw new ToolFault(
      `COMMANDS holds frames ${first} to ${last} (expected an empty log). Restore to new servers.`,
    );
  }
  const message = await new Promise<Uint8Array | undefined>((done) => commands.read(last, done));
  for await (const frame of archive.readFrames(last, last)) {
    const expected = sealFrame(frame, hashFrame(frame));
    if (message === undefined || !equalBytes(message, expected)) {
      throw new ToolFault(`Frame ${last} in COMMANDS differs from the archive.`);
    }
  }
  return last;
}

class FrameAppends {
  readonly #log: LogStream;
  readonly #stored: number;
  #inFlight: Promise<void>[] = [];
  #inFlightBytes = 0;

  constructor(log: LogStream, stored: number) {
    this.#log = log;
    this.#stored = stored;
  }

  async append(sequence: number, message: Uint8Array): Promise<void> {
    if (sequence <= this.#stored) return;
    const appending = this.#append(sequence, message);
    // Awaited by end().
    appending.catch(() => {});
    this.#inFlight.push(appending);
    this.#inFlightBytes += message.length;
    const isFull =
      this.#inFlight.length >= IN_FLIGHT_MAX || this.#inFlightBytes >= IN_FLIGHT_BYTES_MAX;
    if (isFull) await this.end();
  }

  async end(): Promise<void> {
    const inFlight = this.#inFlight;
    this.#inFlight = [];
    this.#inFlightBytes = 0;
    await Promise.all(inFlight);
  }

  /** If a busy disk responds late, checks whether the log has the frame, and appends it if not. */
  async #append(sequence: number, message: Uint8Array): Promise<void> {
    const log = this.#log;
    for (;;) {
      const outcome = await new Promise<AppendOutcome>((done) =>
        log.append(sequence, message, done),
      );
      if (outcome === 'stored' || (await this.#isStored(sequence, message))) return;
      await new Promise<void>((done) => void systemClock.after(RETRY_MS, done));
    }
  }

  async #isStored(sequence: number, message: Uint8Array): Promise<boolean> {
    const log = this.#log;
    const extent = await new Promise<Extent | undefined>((done) => log.extent(done));
    if (extent === undefined || extent.last < sequence) return false;
    const found = await new Promise<Uint8Array | undefined>((done) => log.read(sequence, done));
    if (found === undefined) return false;
    if (equalBytes(found, message)) return true;
    throw new ToolFault(
      `COMMANDS has another frame ${sequence} than the archive. Stop all sequencers, and restore ` +
        'to new servers.',
    );
  }
}

async function openEvents(log: LogStream) {
  const end = await new Promise<EventsEnd | 'damaged' | undefined>((done) =>
    findEventsEnd(log, done),
  );
  if (typeof end !== 'object') throw new ToolFault('EVENTS cannot be read.');
  let fault: ToolFault | undefined;
  let wake: () => void = () => {};
  const writer = new EventWriter({
    log,
    clock: systemClock,
    retryMs: RETRY_MS,
    gapMs: 0,
    end,
    onStored: () => wake(),
    onFault(reason) {
      fault = new ToolFault(`EVENTS: ${reason}.`);
      wake();
    },
  });
  return {
    push: (parts: Parameters<EventWriter['push']>[0]) => writer.push(parts),
    stop: () => writer.stop(),
    async drained(bytesMax: number): Promise<void> {
      while (fault === undefined && writer.waitingBytes > bytesMax) {
        await new Promise<void>((woken) => {
          wake = woken;
        });
      }
      if (fault !== undefined) throw fault;
    },
  };
}
