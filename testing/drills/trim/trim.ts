// The trim drill: the log is trimmed twice while clients trade, a projector that starts from zero
// reads the missing part from the archive, and then all log servers are lost. A restore from the
// second archive copy must produce the same state, and the tables continue.

import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  JetStreamLog,
  journalNames,
  ObjectStoreSnapshots,
  openArchive,
} from '../../../infra/journal/index.ts';
import { systemClock } from '../../../infra/process/index.ts';
import { FollowingReplica } from '../../../infra/replica/index.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { chosenSeed } from '../../flows/index.ts';
import { EXCHANGE } from '../harness/log-stage.ts';
import { readLog } from '../harness/read-log.ts';
import { recordsFile } from '../journal/clients/client-messages.ts';
import { OutcomeRecords } from '../journal/clients/outcome-records.ts';
import { EventsJudge } from '../journal/judge-events.ts';
import { judgeOutcomes } from '../journal/judge-outcomes.ts';
import { StraightReplay } from '../journal/straight-replay.ts';
import { TrimStage } from './trim-stage.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const TRIMS = 2;
const WITHIN_MS = 7_200_000;

// A rate that two shared cores can handle; above it the projector lags, and the log has to wait for
// it.
const QUICK = {
  nodes: 1,
  commands: 30_000,
  commandsPerSecond: 2_000,
  archivist: {
    RIALTO_SEGMENT_EVERY_MS: '1000',
    RIALTO_SNAPSHOT_EVERY_MS: '2000',
    RIALTO_TRIM_EVERY_MS: '2000',
    RIALTO_COMMANDS_KEPT_MS: '3000',
    RIALTO_EVENTS_KEPT_MS: '1000',
    RIALTO_TRIM_MARGIN_FRAMES: '10',
  },
} as const;

const FULL = {
  ...QUICK,
  nodes: 3,
  commands: 10_000_000,
  commandsPerSecond: 8_000,
  archivist: {
    ...QUICK.archivist,
    RIALTO_SNAPSHOT_EVERY_MS: '30000',
    RIALTO_TRIM_EVERY_MS: '60000',
    RIALTO_COMMANDS_KEPT_MS: '60000',
    RIALTO_EVENTS_KEPT_MS: '20000',
  },
} as const;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const seed = chosenSeed();
  console.log(`seed ${seed}`);
  const stage = new TrimStage({ ...(quick ? QUICK : FULL), seed, ...commandsAsked() });
  try {
    await stage.open();
    const trims = await tradeAndTrim(stage);
    const before = await settle(stage);
    await stage.addSchema('zero');
    const fromZero = await projectFromZero(stage);
    await stage.log.stop();
    await stage.log.loseServers();
    const after = await restore(stage);
    const judged = await judge(stage);
    const tables = await continueTables(stage);
    const found = [
      ...stage.log.halts,
      ...judged.faults,
      ...(before.stateHash === after.stateHash ? [] : ['the restored state differs']),
      ...(before.tables === fromZero ? [] : ['tables from zero on the trimmed log differ']),
      ...(tables.continued === tables.fromZero ? [] : ['continued tables differ']),
    ];
    if (found.length > 0) throw new Error(`The trim drill failed:\n${found.join('\n')}`);
    const { commands } = judged;
    const perCommand = (bytes: number) => Math.round((10 * bytes) / commands) / 10;
    return {
      seed,
      commands,
      trims,
      trimmedFrames: before.firstFrame - 1,
      frames: judged.frames,
      lost: judged.lost,
      doubled: judged.doubled,
      stateHash: after.stateHash,
      tablesEqual: true,
      restoreSeconds: after.seconds,
      bytesPerCommand: {
        logged: perCommand(after.loggedBytes),
        onDiskUntrimmed: perCommand(after.storeBytes),
        onDiskTrimmed: perCommand(before.storeBytes),
        archive: perCommand(before.archiveBytes),
      },
    };
  } catch (fault) {
    console.log(stage.log.halts.join('\n'));
    throw fault;
  } finally {
    await stage.close();
  }
}

/** `RIALTO_DRILL_COMMANDS=COUNT` or `COUNT,RATE` overrides the size of the run. */
function commandsAsked(): { commands?: number; commandsPerSecond?: number } {
  const asked = process.env.RIALTO_DRILL_COMMANDS;
  if (asked === undefined) return {};
  const [commands, commandsPerSecond = FULL.commandsPerSecond] = asked.split(',').map(Number);
  return { commands, commandsPerSecond };
}

/** Trades until enough commands are answered and the log was trimmed often enough. */
async function tradeAndTrim(stage: TrimStage): Promise<number> {
  const { commands } = stage.plan;
  await stage.startClients();
  const firsts = new Set<number>([1]);
  await waitUntil({
    what: 'the log is trimmed under load',
    timeoutMs: WITHIN_MS,
    question: async () => {
      firsts.add((await stage.extent()).first);
      return firsts.size > TRIMS && stage.clients.counts.answered >= commands;
    },
  });
  await stage.clients.finish();
  console.log(`${stage.clients.counts.answered} commands answered, ${firsts.size - 1} trims`);
  return firsts.size - 1;
}

/**
 * Waits until everything is archived and projected. The state comes from a snapshot and the trimmed
 * log.
 */
async function settle(stage: TrimStage) {
  await stage.waitUntilProjected('tables');
  await stage.log.stop('s');
  await stage.waitUntilProjected('tables');
  const { first, last } = await stage.extent();
  const stateHash = await stateOf(stage, last);
  // The archivist writes the rest when it stops; the second copy gets it after a restart.
  await stage.log.stop('archivist');
  await copyArchive(stage);
  return {
    stateHash,
    firstFrame: first,
    tables: await stage.checksums('tables'),
    storeBytes: stage.storeBytes(),
    archiveBytes: folderBytes(stage.copyFolder),
  };
}

async function copyArchive({ archiveFolder, copyFolder }: TrimStage): Promise<void> {
  const copy = await openArchive(copyFolder, 'append');
  await copy.copyFrom(await openArchive(archiveFolder, 'read'));
}

function stateOf({ log: { nats } }: TrimStage, last: number): Promise<string> {
  const { bucket, commands } = journalNames(EXCHANGE);
  const log = new JetStreamLog({ nats, ...commands });
  return new Promise((resolve, reject) => {
    const finish = ({ sequence, stateHash }: { sequence: number; stateHash(): string }) => {
      if (sequence === last) resolve(stateHash());
    };
    const follower = new FollowingReplica({
      commands: log,
      snapshots: new ObjectStoreSnapshots({ nats, bucket, onProblem: reject }),
      clock: systemClock,
      retryMs: 100,
      watchMs: 500,
      atMost: last,
      onStarted: (replica) =>
        finish({ sequence: replica.sequence, stateHash: () => replica.stateHash() }),
      onApplied: (_, replica) =>
        finish({ sequence: replica.sequence, stateHash: () => replica.stateHash() }),
      onFault: (reason, cause) => reject(new Error(reason, { cause })),
    });
    void follower;
  });
}

/** Runs a projector with its own schema, which starts empty, and a copy of the archive. */
async function projectFromZero(stage: TrimStage): Promise<string> {
  stage.startProjector('fresh', 'zero');
  await stage.waitUntilProjected('zero');
  await stage.log.stop('fresh');
  return stage.checksums('zero');
}

async function restore(stage: TrimStage) {
  await stage.startServers();
  const startedMs = performance.now();
  const args = [join(REPOSITORY, 'tools/restore/main.ts'), 'log', '--archive', stage.copyFolder];
  const env = { PATH: process.env.PATH, ...stage.log.settings };
  const options = { env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  const { stateHash } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}');
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  console.log(`restored in ${seconds} s`);
  const loggedBytes = (await bytesOf(stage, 'commands')) + (await bytesOf(stage, 'events'));
  return { stateHash, seconds, loggedBytes, storeBytes: stage.storeBytes() };
}

/** Returns the size before compression. */
async function bytesOf(stage: TrimStage, log: 'commands' | 'events'): Promise<number> {
  const { stream } = journalNames(EXCHANGE)[log];
  const answer = await stage.log.nats.client.request(`$JS.API.STREAM.INFO.${stream}`, '');
  return answer.json<{ state: { bytes: number } }>().state.bytes;
}

/**
 * The exchange starts on the restored log, and both sets of tables continue. The restored events
 * are checked one by one, so tables from zero would prove nothing more.
 */
async function continueTables(stage: TrimStage) {
  const { last } = await stage.extent();
  stage.startServices();
  await waitUntil({
    what: 'a sequencer leads on the restored log',
    timeoutMs: WITHIN_MS,
    question: async () => (await stage.extent()).last > last,
  });
  await stage.log.stop('s');
  await stage.waitUntilProjected('tables');
  const fromZero = await projectFromZero(stage);
  return { continued: await stage.checksums('tables'), fromZero };
}

/**
 * Checks that every answered command is in the restored log once, and that EVENTS has exactly its
 * events.
 */
async function judge(stage: TrimStage) {
  const { commands, events } = journalNames(EXCHANGE);
  const replay = new StraightReplay(new Set());
  await readLog(stage.log.nats, commands, (message) => replay.apply(message));
  const eventsJudge = new EventsJudge(replay.parts);
  await readLog(stage.log.nats, events, (message) => eventsJudge.read(message));
  eventsJudge.end();
  const { clients: count, folder } = stage.clients.plan;
  const sources = Array.from({ length: count }, (_, index) => index + 1);
  const records = sources.map(
    (source) => [source, OutcomeRecords.read(recordsFile(folder, source))] as const,
  );
  const { doubled, examples, lost } = judgeOutcomes(new Map(records), replay);
  const faults = [...eventsJudge.faults, ...replay.audit(), ...examples];
  return { commands: replay.commands, frames: replay.last, lost, doubled, faults };
}

function folderBytes(folder: string): number {
  const names = readdirSync(folder).filter((name) => name.endsWith('.segment'));
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
