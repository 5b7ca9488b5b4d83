// Stages faults on a real exchange, one after another. Each must appear as an alarm with its
// runbook within seconds and close after the repair, and no unrelated alarm must appear.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { tableLines } from '../../../tools/text-table.ts';
import { SmallDisk } from '../harness/small-disk.ts';
import { DATA_FAULTS } from './data-faults.ts';
import { alarmText, type HealthWatch } from './health-watch.ts';
import { type OpenStage, openStage } from './open-stage.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { SERVER_FAULTS } from './server-faults.ts';
import type { StagedFault } from './staged-fault.ts';

const FAULTS = [...PROCESS_FAULTS, ...SERVER_FAULTS, ...DATA_FAULTS];
const SHOWN_WITHIN_MS = 5_000;
/** Limit for an alarm that does not appear, and for one that does not close. */
const GIVE_UP_MS = 30_000;
const CLOSE_GIVE_UP_MS = 120_000;
/** Caused by other work on the machine, not by the exchange. */
const OF_THE_MACHINE = 'LoopBlocked';

interface Verdict {
  readonly fault: StagedFault;
  /** Undefined if never shown. */
  readonly shownMs: number | undefined;
  readonly onStreamMs: number | undefined;
  readonly closedMs: number | undefined;
  /** Unexplained alarms. */
  readonly others: readonly string[];
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-health-drill-'));
  const archive = join(folder, 'archive');
  mkdirSync(archive);
  const disk = SmallDisk.mount(archive);
  let stage: OpenStage | undefined;
  try {
    stage = await openStage(folder, disk);
    const { watch } = stage;
    await watch.untilOnly(new Set(), GIVE_UP_MS).catch(() => {});
    const standing = new Set(watch.open?.map(alarmText));
    if (standing.size > 0) console.log(`already open: ${[...standing].join(', ')}`);
    const verdicts: Verdict[] = [];
    const leftOut: string[] = [];
    for (const fault of chosen(quick)) {
      const reason = fault.leftOut?.(stage);
      if (reason !== undefined) leftOut.push(`${fault.title}: ${reason}`);
      else verdicts.push(await strikeAndWatch(stage, fault, standing).catch(failed(fault)));
    }
    return judge(verdicts, { leftOut, standing: [...standing] });
  } finally {
    await stage?.close();
    SmallDisk.unmount(archive);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `RIALTO_FAULTS=publisher,certificate` stages only faults whose titles contain one of these. */
function chosen(quick: boolean): readonly StagedFault[] {
  const wanted = process.env.RIALTO_FAULTS?.split(',');
  if (wanted !== undefined) {
    return FAULTS.filter(({ title }) => wanted.some((part) => title.includes(part)));
  }
  return quick ? FAULTS.filter(({ isQuick }) => isQuick) : FAULTS;
}

async function strikeAndWatch(
  stage: OpenStage,
  fault: StagedFault,
  standing: ReadonlySet<string>,
): Promise<Verdict> {
  const { watch } = stage;
  watch.takeSeen();
  await fault.strike(stage);
  const struckMs = performance.now();
  const [shownMs, onStreamMs] = await Promise.all([
    elapsedUntil(struckMs, GIVE_UP_MS, () => watch.find(fault) !== undefined),
    elapsedUntil(struckMs, SHOWN_WITHIN_MS, () => watch.isOnStream(fault)),
  ]);
  await fault.repair(stage);
  const repairedMs = performance.now();
  const closedMs = await elapsedUntil(repairedMs, CLOSE_GIVE_UP_MS, () => isQuiet(watch, standing));
  const explained = new Set([fault.alarm, OF_THE_MACHINE, ...(fault.follows ?? [])]);
  const seen = watch.takeSeen();
  if (shownMs === undefined) console.log(`shown instead: ${seen.map(alarmText).join(', ')}`);
  const others = seen
    .filter((one) => !explained.has(one.name) && !standing.has(alarmText(one)))
    .map((one) => `${alarmText(one)}: ${one.detail}`);
  const verdict = { fault, shownMs, onStreamMs, closedMs, others };
  console.log(rowOf(verdict).join(' | '));
  return verdict;
}

/** A fault that could not be staged or repaired counts as not shown. */
function failed(fault: StagedFault): (reason: unknown) => Verdict {
  return (reason) => {
    const others = [`not staged: ${reason instanceof Error ? reason.message : reason}`];
    const verdict = {
      fault,
      shownMs: undefined,
      onStreamMs: undefined,
      closedMs: undefined,
      others,
    };
    console.log(rowOf(verdict).join(' | '));
    return verdict;
  };
}

function isQuiet({ open }: HealthWatch, standing: ReadonlySet<string>): boolean {
  return open?.every((one) => standing.has(alarmText(one))) ?? false;
}

/** Returns undefined if it did not become true in time. */
async function elapsedUntil(
  fromMs: number,
  timeoutMs: number,
  question: () => boolean,
): Promise<number | undefined> {
  try {
    await waitUntil({ what: '', timeoutMs, question });
    return Math.round(performance.now() - fromMs);
  } catch {
    return undefined;
  }
}

function rowOf({ closedMs, fault, others, onStreamMs, shownMs }: Verdict): string[] {
  const ms = (value: number | undefined): string => (value === undefined ? '-' : String(value));
  const alarm = alarmText({ name: fault.alarm, object: fault.object });
  return [fault.title, alarm, ms(shownMs), ms(onStreamMs), ms(closedMs), others.join('; ')];
}

function judge(verdicts: readonly Verdict[], more: object): Record<string, unknown> {
  const columns = [
    { title: 'fault' },
    { title: 'alarm' },
    { title: 'shown after ms', isNumber: true },
    { title: 'on the stream', isNumber: true },
    { title: 'closed after ms', isNumber: true },
    { title: 'unexplained' },
  ];
  for (const line of tableLines(columns, verdicts.map(rowOf))) console.log(line);
  const shown = verdicts.flatMap(({ shownMs }) => shownMs ?? []);
  const late = verdicts.filter(({ shownMs = Infinity }) => shownMs > SHOWN_WITHIN_MS).length;
  const notClosed = verdicts.filter(({ closedMs }) => closedMs === undefined).length;
  const unexplained = verdicts.flatMap(({ others }) => others).length;
  if (late + notClosed + unexplained > 0 || verdicts.length === 0) process.exitCode = 1;
  const slowestMs = Math.max(0, ...shown);
  return { faults: verdicts.length, late, notClosed, unexplained, slowestMs, ...more };
}
