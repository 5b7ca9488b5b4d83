// Moves an earlier release's COMMANDS and EVENTS, which can never be trimmed, to streams that can.
// The exchange keeps running: its writer is delayed for some seconds, as in a log outage. The new
// streams begin where a trim would have left them, covered by two archive copies and a snapshot.

import type { Nats } from '../../infra/bus/index.ts';
import {
  type Archive,
  type Extent,
  findEvents,
  JetStreamLog,
  journalNames,
  ObjectStoreSnapshots,
  readNewest,
  type SnapshotInfo,
  verifySegment,
} from '../../infra/journal/index.ts';
import { ToolFault } from '../command-line.ts';
import { finishMove, mustMove, startMirror } from './move-stream.ts';

export interface MoveOptions {
  readonly nats: Nats;
  readonly exchange: string;
  readonly replicas: number;
  readonly archive: Archive;
  /** Second archive copy, on another disk. */
  readonly copy: Archive;
  /** Number of frames to keep before the newest snapshot. */
  readonly marginFrames: number;
  print(line: string): void;
}

/** Last messages of the old streams; undefined for a stream that needed no move. */
export interface Moved {
  readonly commands: number | undefined;
  readonly events: number | undefined;
}

export async function moveLog(options: MoveOptions): Promise<Moved> {
  const { exchange, nats, print, replicas } = options;
  const names = journalNames(exchange);
  const commands = { nats, ...names.commands, replicas, print };
  const events = { nats, ...names.events, replicas, print };
  const moves = { commands: await mustMove(commands), events: await mustMove(events) };
  if (moves.commands || moves.events) {
    const from = await firstKept(options);
    if (moves.commands && (await startMirror(commands, from.frame))) {
      print(`kept from frame ${from.frame} on`);
    }
    if (moves.events) await startMirror(events, from.message);
  }
  return {
    events: moves.events ? await finishMove(events) : undefined,
    commands: moves.commands ? await finishMove(commands) : undefined,
  };
}

/** Returns the first frame in the new COMMANDS, and the EVENTS message with its events. */
async function firstKept(options: MoveOptions): Promise<{ frame: number; message: number }> {
  const { exchange, marginFrames, nats } = options;
  const names = journalNames(exchange);
  const commands = new JetStreamLog({ nats, ...names.commands });
  const events = new JetStreamLog({ nats, ...names.events });
  try {
    const extent = await new Promise<Extent | undefined>((done) => commands.extent(done));
    // Stream of an interrupted move.
    if (extent === undefined) return { frame: 1, message: 1 };
    const snapshot = await snapshotFrame(options);
    const archived = Math.min(options.archive.end.sequence, options.copy.end.sequence);
    const limit = Math.min(archived, snapshot - marginFrames, extent.last - 1);
    const frame = Math.max(limit + 1, extent.first);
    await verify(options, extent.first, frame - 1);
    const found = await findEvents(events, frame);
    return { frame, message: typeof found === 'object' ? found.message : 1 };
  } finally {
    commands.stop();
    events.stop();
  }
}

async function snapshotFrame({ exchange, nats, print }: MoveOptions): Promise<number> {
  const { bucket } = journalNames(exchange);
  const onProblem = (problem: unknown) => print(`snapshot: ${problem}`);
  const snapshots = new ObjectStoreSnapshots({ nats, bucket, onProblem });
  const begin = (info: SnapshotInfo) => ({ info, add: () => {} });
  const answer = await new Promise<ReturnType<typeof begin> | 'none' | 'unavailable'>((done) =>
    readNewest({ snapshots, atMost: Number.MAX_SAFE_INTEGER, begin }, done),
  );
  if (answer === 'unavailable') throw new ToolFault('The snapshots cannot be read.');
  return answer === 'none' ? 0 : answer.info.sequence;
}

/** Reads the discarded frames back from both copies, and checks their hash chains. */
async function verify({ archive, copy }: MoveOptions, from: number, to: number): Promise<void> {
  for (const one of [archive, copy]) {
    for (const [index, { firstSequence, lastSequence }] of one.segments().entries()) {
      if (lastSequence < from || firstSequence > to) continue;
      for await (const _ of verifySegment(one, index));
    }
  }
}
