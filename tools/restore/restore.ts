// Writes COMMANDS and EVENTS again from an archive, on servers that have lost them. It replays all
// frames, checks the archive's hashes on the way, and can be interrupted and repeated.

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
  print(line: string): void;
}

export interface Restored {
  readonly frames: number;
  readonly commands: number;
  readonly stateHash: string;
}

/** Frames in flight. There is no other writer, so the fence needs no gaps between them. */
const IN_FLIGHT_MAX = 64;
const EVENT_BYTES_MAX = 16 * 1024 * 1024;
const RETRY_MS = 100;

export async function restoreJournal(options: RestoreOptions): Promise<Restored> {
  const { archive, commands, events, print } = options;
  const frames = new FrameAppends(commands, await storedFrames(options));
  const writer = await openEvents(events);
  const replica = Replica.create();
  for (const [index, segment] of archive.segments().entries()) {
    const output = new SegmentOutput();
    for await (const { bytes: frame } of verifySegment(archive, index)) {
      const frameHash = hashFrame(frame);
      const { encoded } = replica.follow({ frame, frameHash });
      output.add(encoded.parts);
      await frames.append(replica.sequence, sealFrame(frame, frameHash));
      writer.push(encoded.parts);
    }
    if (output.outputHash() !== segment.checkpoint.outputHash) {
      throw new ToolFault(`${segment.file}: the replay gives other events than the archive had.`);
    }
    await writer.drained(EVENT_BYTES_MAX);
    print(`restored up to frame ${segment.lastSequence}`);
  }
  await frames.end();
  await writer.drained(0);
  const stateHash = replica.stateHash();
  const archived = archive.last?.checkpoint.stateHash;
  if (archived !== undefined && archived !== stateHash) {
    throw new ToolFault('The replay gives another state than the archive had.');
  }
  return { frames: replica.sequence, commands: replica.exchange.commandsApplied, stateHash };
}

/** The frames of an earlier attempt: all must be those of the archive. */
async function storedFrames({ archive, commands }: RestoreOptions): Promise<number> {
  const extent = await new Promise<Extent | undefined>((done) => commands.extent(done));
  if (extent === undefined) throw new ToolFault('COMMANDS does not answer.');
  const { first, last } = extent;
  if (last === 0) return 0;
  const isArchived = last <= archive.end.sequence;
  if (first !== 1 || !isArchived) {
    throw new ToolFault(
      `COMMANDS holds frames ${first} to ${last} (expected an empty log). Restore to new servers.`,
    );
  }
  const message = await new Promise<Uint8Array | undefined>((done) => commands.read(last, done));
  for await (const frame of archive.readFrames(last, last)) {
    const expected = sealFrame(frame, hashFrame(frame));
    if (message === undefined || !equalBytes(message, expected)) {
      throw new ToolFault(`COMMANDS has another frame ${last} than the archive.`);
    }
  }
  return last;
}

class FrameAppends {
  readonly #log: LogStream;
  readonly #stored: number;
  #inFlight: Promise<void>[] = [];

  constructor(log: LogStream, stored: number) {
    this.#log = log;
    this.#stored = stored;
  }

  async append(sequence: number, message: Uint8Array): Promise<void> {
    if (sequence <= this.#stored) return;
    this.#inFlight.push(this.#append(sequence, message));
    if (this.#inFlight.length >= IN_FLIGHT_MAX) await this.end();
  }

  async end(): Promise<void> {
    await Promise.all(this.#inFlight);
    this.#inFlight = [];
  }

  async #append(sequence: number, message: Uint8Array): Promise<void> {
    const outcome = await new Promise<AppendOutcome>((done) =>
      this.#log.append(sequence, message, done),
    );
    if (outcome !== 'stored') {
      throw new ToolFault(
        `Frame ${sequence} was not stored (${outcome}). Stop all sequencers and repeat.`,
      );
    }
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
    end,
    onStored: () => wake(),
    onFault(reason) {
      fault = new ToolFault(`EVENTS: ${reason}.`);
      wake();
    },
  });
  return {
    push: (parts: Parameters<EventWriter['push']>[0]) => writer.push(parts),
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
