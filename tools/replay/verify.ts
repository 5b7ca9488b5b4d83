// `verify`: the archive alone rebuilds the exchange. Checks every file, link and frame, replays
// them through the engine, and compares the result with the checkpoint of each segment.

import {
  type Archive,
  ArchiveFault,
  type SegmentInfo,
  SegmentOutput,
  verifySegment,
} from '../../infra/journal/index.ts';
import {
  ChainFault,
  PoisonFault,
  type ReplaySource,
  type Replica,
  startReplica,
} from '../../infra/replica/index.ts';
import { counted, countText } from '../text-table.ts';
import { timeText } from './moments.ts';
import { openSource, type SourceOptions } from './source.ts';

/** First location at which the archive is wrong. */
export interface Difference {
  readonly file: string | null;
  readonly sequence: number | null;
  readonly detail: string;
}

export interface Verification {
  readonly isSound: boolean;
  readonly difference: Difference | null;
  readonly segments: number;
  /** Frames checked; if the archive is valid, all of them. */
  readonly frames: number;
  readonly commands: number;
  readonly lastEpoch: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Frame after which the replay began. */
  readonly replayedFrom: number;
  readonly outputHashesEqual: number;
  readonly stateHashesEqual: number;
  readonly frameHash: string;
  readonly stateHash: string;
  readonly elapsedMs: number;
}

/** Counts valid items so far. */
interface Progress {
  segments: number;
  frames: number;
  commands: number;
  lastEpoch: number;
  toMs: number;
  frameHash: string;
  outputHashesEqual: number;
  stateHashesEqual: number;
}

export type VerifyOptions = SourceOptions & {
  /** Called with the number of valid frames and the total. */
  readonly onProgress?: (frames: number, of: number) => void;
};

export async function verify(options: VerifyOptions): Promise<Verification> {
  const startedMs = performance.now();
  const progress: Progress = {
    segments: 0,
    frames: 0,
    commands: 0,
    lastEpoch: 0,
    toMs: 0,
    frameHash: '',
    outputHashesEqual: 0,
    stateHashesEqual: 0,
  };
  let source: ReplaySource | undefined;
  let replica: Replica | undefined;
  let replayedFrom = 0;
  let difference: Difference | null = null;
  try {
    source = await openSource(options);
    const { archive } = source;
    if (archive.last === undefined) {
      throw new ArchiveFault('not_there', 'there is no segment in this folder');
    }
    replica = await startReplica(source, archive.end.sequence);
    replayedFrom = replica.sequence;
    for (const index of archive.segments().keys()) {
      await verifyOne(archive, index, replica, progress);
      options.onProgress?.(progress.frames, archive.end.sequence);
    }
  } catch (fault) {
    difference = differenceOf(fault, progress, source?.archive);
  }
  return {
    isSound: difference === null,
    difference,
    fromMs: source?.archive.segments()[0]?.fromMs ?? 0,
    replayedFrom,
    ...progress,
    stateHash: replica === undefined || replica.exchange.torn ? '' : replica.stateHash(),
    elapsedMs: Math.round(performance.now() - startedMs),
  };
}

async function verifyOne(
  archive: Archive,
  index: number,
  replica: Replica,
  progress: Progress,
): Promise<void> {
  const segment = archive.segments()[index];
  // After a snapshot inside a segment, the output of the segment's first frames is unknown.
  const output = replica.sequence < segment.firstSequence ? new SegmentOutput() : undefined;
  for await (const { frame, at } of verifySegment(archive, index)) {
    if (at.sequence > replica.sequence) {
      const { encoded } = replica.apply(frame, Buffer.from(at.frameHash, 'hex'));
      output?.add(encoded.parts);
    } else if (at.sequence === replica.sequence) {
      const place = { file: segment.file, sequence: at.sequence };
      const snapshotHash = Buffer.from(replica.frameHash).toString('hex');
      refuseOther('the snapshot follows another frame', at.frameHash, snapshotHash, place);
    }
    progress.frames = at.sequence;
    progress.commands = at.commands;
    progress.lastEpoch = at.epoch;
    progress.toMs = at.timeMs;
    progress.frameHash = at.frameHash;
  }
  if (replica.sequence === segment.lastSequence) compare(segment, replica, output, progress);
  progress.segments++;
}

function compare(
  { checkpoint, file, lastSequence: sequence }: SegmentInfo,
  replica: Replica,
  output: SegmentOutput | undefined,
  progress: Progress,
): void {
  const { outputHash, stateHash } = checkpoint;
  const place = { file, sequence };
  if (output !== undefined) {
    refuseOther('the events have another hash', outputHash, output.outputHash(), place);
    progress.outputHashesEqual++;
  }
  if (stateHash !== undefined) {
    refuseOther('the state has another hash', stateHash, replica.stateHash(), place);
    progress.stateHashesEqual++;
  }
}

function refuseOther(
  what: string,
  archived: string,
  found: string,
  place: { file: string; sequence: number },
): void {
  if (found === archived) return;
  const detail = `${what}: the archive says ${archived}, the replay gives ${found}`;
  throw new ArchiveFault('damaged', detail, place);
}

/** Handles the known faults of an archive; rethrows all other errors. */
function differenceOf(fault: unknown, { frames }: Progress, archive?: Archive): Difference {
  if (fault instanceof ArchiveFault) {
    return { file: fault.file ?? null, sequence: fault.sequence ?? null, detail: fault.detail };
  }
  if (fault instanceof ChainFault) return { file: null, sequence: null, detail: fault.message };
  if (!(fault instanceof PoisonFault)) throw fault;
  const sequence = frames + 1;
  const file = archive?.findSequence(sequence)?.file ?? null;
  return { file, sequence, detail: `the engine fails: ${fault.message}` };
}

export function verificationText(folder: string, found: Verification): string {
  const { difference } = found;
  const checked = found.frames === 0 ? [] : checkedLines(found);
  const lines = [`archive     ${folder}`, ...checked, ''];
  if (difference === null) return [...lines, 'SOUND'].join('\n');
  const { detail, file, sequence } = difference;
  const frame = sequence === null ? [] : [`frame ${sequence}`];
  const places = [...(file === null ? [] : [file]), ...frame];
  const where = places.length === 0 ? 'the archive' : places.join(', ');
  return [...lines, 'NOT SOUND', `at          ${where}`, `because     ${detail}`].join('\n');
}

function checkedLines(found: Verification): string[] {
  const { frames, commands, replayedFrom, segments } = found;
  const range = `${counted(frames, 'frame')}, ${counted(commands, 'command')}`;
  const start = replayedFrom === 0 ? 'frame 1' : `the snapshot of frame ${replayedFrom}`;
  const outputs = counted(found.outputHashesEqual, 'output hash', 'output hashes');
  const states = counted(found.stateHashesEqual, 'state hash', 'state hashes');
  const seconds = Math.max(found.elapsedMs, 1) / 1_000;
  const speed = [frames, commands].map((count) => countText(Math.round(count / seconds)));
  return [
    `checked     ${counted(segments, 'whole segment')}, ${range}, up to epoch ${found.lastEpoch}`,
    `time        ${timeText(found.fromMs)} to ${timeText(found.toMs)}`,
    `replayed    from ${start}: ${outputs} and ${states} equal`,
    `frame hash  ${found.frameHash}`,
    `state hash  ${found.stateHash}`,
    `took        ${seconds.toFixed(1)} s: ${speed[0]} frames/s, ${speed[1]} commands/s`,
  ];
}
