// Final checks of the drill: compares everything with a replay of the COMMANDS log from JetStream:
// the clients' answers, the EVENTS log, snapshots, the archive and the leaders' own reports.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import {
  FolderSnapshots,
  journalNames,
  ObjectStoreSnapshots,
  readNewest,
  type SnapshotInfo,
} from '../../../infra/journal/index.ts';
import { EXCHANGE } from '../harness/log-stage.ts';
import { readLog } from '../harness/read-log.ts';
import { recordsFile } from './clients/client-messages.ts';
import { OutcomeRecords } from './clients/outcome-records.ts';
import { differenceOfCopy } from './copies.ts';
import { EventsJudge } from './judge-events.ts';
import { judgeOutcomes, type OutcomesVerdict } from './judge-outcomes.ts';
import type { Stage } from './stage.ts';
import { StraightReplay } from './straight-replay.ts';

const REPLAY_PROGRAM = fileURLToPath(new URL('../../../tools/replay/main.ts', import.meta.url));

export interface Verdict {
  readonly outcomes: OutcomesVerdict;
  /** All other differences from the log, one sentence each. */
  readonly mismatches: readonly string[];
  readonly frames: number;
  readonly commands: number;
  readonly eventBatches: number;
  readonly snapshotsChecked: number;
  readonly digestsChecked: number;
  readonly stateHashesChecked: number;
  readonly archivedFrames: number;
  /** How each checked node's replica differs from the log. */
  readonly damagedCopies: readonly string[];
}

/** Requires that the clients and services have exited and only the servers run. */
export async function judge(
  stage: Stage,
  { readsCopies }: { readonly readsCopies: boolean },
): Promise<Verdict> {
  const { archiveFolder, link, nats } = stage;
  const { bucket, commands, events } = journalNames(EXCHANGE);
  const archive = verifyArchive(archiveFolder);
  const snapshots = [
    ...(await storedSnapshots(stage, bucket)),
    ...(await new FolderSnapshots(join(archiveFolder, 'snapshots'), () => {}).list()),
  ];
  const replay = new StraightReplay(new Set(snapshots.map(({ sequence }) => sequence)));
  await readLog(nats, commands, (message) => replay.apply(message));
  const eventsJudge = new EventsJudge(replay.parts);
  const eventBatches = await readLog(nats, events, (message) => eventsJudge.read(message));
  eventsJudge.end();
  const outcomes = judgeOutcomes(readRecords(stage), replay);
  const archived = await archive;
  return {
    outcomes,
    mismatches: [
      ...stage.halts,
      ...link.contradictions,
      ...eventsJudge.faults,
      ...replay.audit(),
      ...judgeSnapshots(replay, snapshots),
      ...judgeSaid('digest', link.outputDigests, (at) => replay.outputDigests.get(at)),
      ...judgeSaid('state', link.stateHashes, (at) => replay.stateSamples.get(at)),
      ...judgeArchive(replay, archived),
      ...Array.from(
        { length: outcomes.otherEvents },
        () => 'a client was answered with other events',
      ),
    ],
    frames: replay.last,
    commands: replay.commands,
    eventBatches,
    snapshotsChecked: snapshots.length,
    digestsChecked: link.outputDigests.size,
    stateHashesChecked: link.stateHashes.size,
    archivedFrames: archived.frames,
    damagedCopies: readsCopies ? await judgeCopies(stage, replay) : [],
  };
}

async function judgeCopies(stage: Stage, { messageHashes }: StraightReplay): Promise<string[]> {
  const differences: string[] = [];
  for (const { name } of stage.nodes) {
    const difference = await differenceOfCopy(stage, name, messageHashes);
    if (difference !== undefined) differences.push(difference);
  }
  return differences;
}

function readRecords({ clients }: Stage): Map<number, OutcomeRecords> {
  const { clients: count, folder } = clients.plan;
  const sources = Array.from({ length: count }, (_, index) => index + 1);
  return new Map(
    sources.map((source) => [source, OutcomeRecords.read(recordsFile(folder, source))]),
  );
}

async function storedSnapshots({ halts, nats }: Stage, bucket: string): Promise<SnapshotInfo[]> {
  const onProblem = (problem: unknown) => halts.push(`the snapshot store failed: ${problem}`);
  const store = new ObjectStoreSnapshots({ nats, bucket, onProblem });
  const found: SnapshotInfo[] = [];
  for (let atMost = Number.MAX_SAFE_INTEGER; atMost > 0; ) {
    const begin = (info: SnapshotInfo) => ({ info, add: () => {} });
    const answer = await new Promise<ReturnType<typeof begin> | string>((done) =>
      readNewest({ snapshots: store, atMost, begin }, done),
    );
    if (typeof answer === 'string') break;
    found.push(answer.info);
    atMost = answer.info.sequence - 1;
  }
  return found;
}

function judgeSnapshots(replay: StraightReplay, snapshots: readonly SnapshotInfo[]): string[] {
  return snapshots
    .filter(({ frameHash, sequence, stateHash }) => {
      const milestone = replay.milestones.get(sequence);
      return milestone?.frameHash !== frameHash || milestone.stateHash !== stateHash;
    })
    .map(({ sequence }) => `snapshot ${sequence} does not hold the state at its frame`);
}

function judgeSaid<Said>(
  what: string,
  said: ReadonlyMap<number, Said>,
  truth: (sequence: number) => Said | undefined,
): string[] {
  return [...said]
    .filter(([sequence, word]) => truth(sequence) !== word)
    .map(([sequence]) => `a leader published a wrong ${what} at frame ${sequence}`);
}

interface ArchiveVerdict {
  readonly isSound: boolean;
  readonly frames: number;
  readonly frameHash: string;
  readonly difference: unknown;
}

/** Runs the replay tool in its own process, like an operator, in parallel. */
async function verifyArchive(folder: string): Promise<ArchiveVerdict> {
  const args = [REPLAY_PROGRAM, 'verify', '--archive', folder, '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(output) as ArchiveVerdict;
}

function judgeArchive(
  replay: StraightReplay,
  { difference, frames, isSound }: ArchiveVerdict,
): string[] {
  const faults: string[] = [];
  if (!isSound) faults.push(`the archive is damaged: ${JSON.stringify(difference)}`);
  if (frames !== replay.last) faults.push(`the archive ends at ${frames} of ${replay.last}`);
  return faults;
}
