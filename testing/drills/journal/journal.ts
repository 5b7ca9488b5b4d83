// The journal drill: real servers, sequencers, an archivist and clients under load, and one fault
// after another. At the end, a straight replay of the log shows whether anything acknowledged was
// lost, applied twice or answered wrongly. See docs/operating/drills.md.

import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { Random } from '../../flows/index.ts';
import { steadyMs } from './clients/frame-arrivals.ts';
import { FAULTS, type FaultKind } from './faults.ts';
import { figuresByFault, longestGap, type RoundDone, sequencerFailover } from './figures.ts';
import { mendHoles } from './holes.ts';
import { judge, type Verdict } from './judge.ts';
import { removeLeftovers } from './leftovers.ts';
import { parseFaults, planRounds, type Round } from './rounds.ts';
import { Stage } from './stage.ts';
import { Standstill } from './standstill.ts';

const SEED_MAX = 2 ** 31;
const ARCHIVED_WITHIN_MS = 60_000;

const FULL = { commandsPerSecond: 20_000, segmentEveryMs: 2_000, snapshotEveryMs: 15_000 };
const QUICK = { commandsPerSecond: 5_000, segmentEveryMs: 1_000, snapshotEveryMs: 5_000 };

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const begunMs = performance.now();
  const seed = Number(process.env.RIALTO_SEED ?? randomInt(SEED_MAX));
  const chosen = parseFaults(process.env.RIALTO_FAULTS);
  console.log(`seed ${seed}`);
  removeLeftovers();
  const stage = new Stage({ hasSmallDisk: !quick, seed, ...(quick ? QUICK : FULL) });
  const stopListening = onInterrupt(() => stage.close());
  const standstill = new Standstill();
  try {
    await stage.open();
    console.log(`all processes are running after ${secondsSince(begunMs)} s`);
    const leftOut = leftOutOf(stage, quick);
    const rounds = planRounds({
      seed,
      quick,
      chosen,
      leftOut: Object.keys(leftOut) as FaultKind[],
    });
    const done: RoundDone[] = [];
    const random = new Random(seed + 1);
    const settings = { stopMs: quick ? 3_000 : 10_000 };
    for (const round of rounds) {
      const { count } = standstill;
      const played = await play(stage, round, random, settings);
      const isDisturbed = standstill.count > count;
      if (isDisturbed) console.log('    the machine was suspended: its times do not count');
      done.push({ ...played, isDisturbed });
    }
    const statesCompared = await settle(stage);
    console.log(`all processes have exited after ${secondsSince(begunMs)} s; checking the logs`);
    const { longestMs } = standstill;
    const verdict = await judge(stage, { readsCopies: !quick });
    return {
      ...report({ verdict, done, rounds, leftOut, seed, begunMs, longestMs }),
      statesCompared,
    };
  } catch (fault) {
    console.error(stage.describe());
    throw fault;
  } finally {
    standstill.stop();
    stopListening();
    await stage.close();
  }
}

async function play(
  stage: Stage,
  round: Round,
  random: Random,
  settings: { stopMs: number },
): Promise<Omit<RoundDone, 'isDisturbed'>> {
  const { calmMs, kind, killsArchivist, number } = round;
  stage.clients.beginRound(number);
  await delay(calmMs);
  console.log(`${number}. ${kind}${killsArchivist ? ', and the archivist is killed' : ''}`);
  const sinceMs = steadyMs();
  if (killsArchivist) stage.archivist.kill('SIGKILL');
  const failoverMs = await FAULTS[kind](stage, random, settings);
  const holes = (await mendHoles(stage)).length;
  await stage.waitUntilHealthy();
  const longestGapMs = await stage.clients.longestGapMs(sinceMs);
  const { answered, notTaken, unknown } = stage.clients.counts;
  console.log(
    `    acknowledged again after ${failoverMs.map(Math.round).join(' and ')} ms, ` +
      `longest gap ${Math.round(longestGapMs)} ms, healthy after ` +
      `${Math.round(steadyMs() - sinceMs)} ms; ` +
      `${answered} answered, ${notTaken} not taken, ${unknown} unknown`,
  );
  return { kind, failoverMs, longestGapMs, holes };
}

/**
 * Waits until everything is stored, compared and archived, then stops the services, leader last.
 * Returns the number of states that the last standby compared with the leader.
 */
async function settle(stage: Stage): Promise<number> {
  stage.clients.beginRound(0);
  const statesCompared = await stage.waitUntilAgreed();
  await stage.clients.finish();
  await stage.waitUntilSettled();
  const last = stage.link.leader?.sequence ?? 0;
  const { archivist } = stage;
  const archived = () => archivist.lastLogged(/"lastSequence":(\d+)/);
  await waitUntil({
    what: `the archive holds frame ${last}`,
    timeoutMs: ARCHIVED_WITHIN_MS,
    question: () => Number(archived()) === last,
  });
  if (archivist.lastLogged(/(a snapshot does not restore)/) !== undefined) {
    stage.halts.push('the archivist created a snapshot that cannot be restored');
  }
  await archivist.stop();
  const leader = await stage.leading();
  for (const sequencer of stage.sequencers) if (sequencer !== leader) await sequencer.stop();
  await leader.stop();
  return statesCompared;
}

/** Returns faults that are not possible on this machine, with the reason; never skips silently. */
function leftOutOf({ smallDisk }: Stage, quick: boolean): Partial<Record<FaultKind, string>> {
  return !quick && typeof smallDisk === 'string' ? { 'disk-full': smallDisk } : {};
}

function report(all: {
  verdict: Verdict;
  done: readonly RoundDone[];
  rounds: readonly Round[];
  leftOut: Partial<Record<FaultKind, string>>;
  seed: number;
  begunMs: number;
  longestMs: number;
}): Record<string, unknown> {
  const { begunMs, done, leftOut, longestMs, rounds, seed, verdict } = all;
  const { acked, doubled, examples, failedByRound, falselyRefused, lost, ...rest } =
    verdict.outcomes;
  const hashMismatches = verdict.mismatches.length;
  const { damagedCopies, mismatches } = verdict;
  for (const line of [...examples, ...mismatches.slice(0, 20), ...damagedCopies]) console.log(line);
  const wrong = lost + doubled + falselyRefused + hashMismatches + damagedCopies.length;
  if (wrong > 0) process.exitCode = 1;
  const { commands, frames } = verdict;
  const disturbed = done.filter(({ isDisturbed }) => isDisturbed);
  const { notTaken, unknown, unknownApplied } = rest;
  return {
    acked,
    lost,
    doubled,
    falselyRefused,
    unknown,
    unknownApplied,
    notTaken,
    hashMismatches,
    rounds: rounds.length,
    ...sequencerFailover(done),
    byFault: figuresByFault(done),
    rolling: rollingFigures(done, rounds, failedByRound),
    ...(Object.keys(leftOut).length > 0 ? { leftOut } : undefined),
    commands,
    frames,
    eventBatches: verdict.eventBatches,
    checked: {
      snapshots: verdict.snapshotsChecked,
      digests: verdict.digestsChecked,
      stateHashes: verdict.stateHashesChecked,
      archivedFrames: verdict.archivedFrames,
    },
    damagedCopies: damagedCopies.length,
    ...(longestMs > 0 ? { stoodStill: { longestMs, rounds: disturbed.length } } : undefined),
    seed,
    seconds: secondsSince(begunMs),
  };
}

function rollingFigures(
  done: readonly RoundDone[],
  rounds: readonly Round[],
  failedByRound: ReadonlyMap<number, number>,
) {
  const rolling = rounds.filter(({ kind }) => kind === 'rolling');
  const played = done.filter(({ kind }) => kind === 'rolling');
  const failed = rolling.map(({ number }) => failedByRound.get(number) ?? 0);
  return {
    restarts: played.reduce((sum, { failoverMs }) => sum + failoverMs.length, 0),
    failedRequests: failed.reduce((sum, count) => sum + count, 0),
    longestGapMs: longestGap(played),
  };
}

function secondsSince(begunMs: number): number {
  return Math.round((performance.now() - begunMs) / 100) / 10;
}

function onInterrupt(cleanUp: () => Promise<void>): () => void {
  const end = (signal: NodeJS.Signals) => {
    console.error(`${signal}: cleaning up`);
    void cleanUp().finally(() => process.exit(130));
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  return () => {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  };
}
