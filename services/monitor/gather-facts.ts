// Joins beats and readings into the facts at one moment.

import type { TimeMs } from '../../core/money/index.ts';
import type {
  AgeFact,
  DiskFact,
  FollowerFact,
  HealthFacts,
  LeaderFact,
  ProcessFact,
} from '../../features/health/index.ts';
import type { LogHistory } from './log-history.ts';
import { type ProcessBook, SILENT_MS } from './process-book.ts';
import type { Readings } from './readings.ts';

export interface FactSources {
  readonly book: ProcessBook;
  readonly readings: Pick<
    Readings,
    'streams' | 'isDatabaseUp' | 'tables' | 'ledger' | 'storage' | 'certificates'
  >;
  readonly history: LogHistory;
  readonly isBusUp: boolean;
  /** Name of the stream whose messages are frames. */
  readonly commands: string;
}

/** A leader beats every second; one without a beat for this long no longer leads. */
const LEADER_FRESH_MS = 1_500;
const FOLLOWERS = ['sequencer', 'projector', 'publisher', 'archivist', 'reconciler'];

/** Remembers when leaders and switches last changed. */
export class FactGatherer {
  readonly #startMs: number;
  #leaders: { readonly count: number; readonly sinceMs: number };
  #leaderHeardMs: number;
  #switches: { readonly version: number; readonly sinceMs: number } | undefined;

  constructor(nowMs: number) {
    this.#startMs = nowMs;
    this.#leaders = { count: 0, sinceMs: nowMs };
    this.#leaderHeardMs = nowMs;
  }

  gather(sources: FactSources, nowMs: number): HealthFacts {
    const { book, history, isBusUp, readings } = sources;
    const processes = book.facts(nowMs);
    const leading = processes.filter((one) => isLeader(one, nowMs));
    const streams = readings.streams(nowMs);
    const logEnd = streams.find(({ name }) => name === sources.commands)?.lastSequence ?? 0;
    const frames = leading.map(({ figures }) => figures.frame ?? 0);
    history.sample(Math.max(logEnd, ...frames), nowMs);
    const { tables } = readings;
    const isDatabaseUp = readings.isDatabaseUp(nowMs);
    return {
      nowMs: nowMs as TimeMs,
      processes,
      leaders: leading.map(leaderOf),
      leadersForMs: this.#leadersForMs(leading, nowMs),
      isBusUp,
      streams,
      isDatabaseUp,
      followers: followersOf(processes, leading, history, nowMs),
      queues: tables?.queues ?? [],
      ages: agesOf(processes, tables, nowMs),
      certificates: readings.certificates,
      disks: [...disksOf(book), ...readings.storage],
      ledger: readings.ledger,
      differences: tables?.differences ?? [],
      frozenMarkets: tables?.frozenMarkets ?? [],
      switchesVersion: isDatabaseUp ? tables?.switchesVersion : undefined,
      switchesForMs: isDatabaseUp ? this.#switchesForMs(tables, nowMs) : undefined,
    };
  }

  /** Without a leader, counts from the last leader's beat. */
  #leadersForMs(leading: readonly ProcessFact[], nowMs: number): number {
    for (const { heardMs } of leading) {
      this.#leaderHeardMs = Math.max(this.#leaderHeardMs, heardMs);
    }
    if (this.#leaders.count !== leading.length) {
      const sinceMs = leading.length === 0 ? this.#leaderHeardMs : nowMs;
      this.#leaders = { count: leading.length, sinceMs };
    }
    return nowMs - Math.max(this.#startMs, this.#leaders.sinceMs);
  }

  #switchesForMs(tables: Readings['tables'], nowMs: number): number | undefined {
    if (tables === undefined) return undefined;
    const { switchesVersion: version } = tables;
    if (this.#switches?.version !== version) this.#switches = { version, sinceMs: nowMs };
    return nowMs - this.#switches.sinceMs;
  }
}

function isLeader({ figures, heardMs, state }: ProcessFact, nowMs: number): boolean {
  return state === 'running' && figures.leads === 1 && nowMs - heardMs <= LEADER_FRESH_MS;
}

function leaderOf({ figures, instance }: ProcessFact): LeaderFact {
  return {
    instance,
    epoch: figures.epoch ?? 0,
    sequence: figures.frame ?? 0,
    unacknowledgedMs: figures.unacknowledged_ms ?? 0,
    acknowledgedMs: figures.acknowledged_ms ?? 0,
  };
}

/** Includes processes that are down, because no other process does their work. */
function followersOf(
  processes: readonly ProcessFact[],
  leading: readonly ProcessFact[],
  history: LogHistory,
  nowMs: number,
): FollowerFact[] {
  return processes.flatMap((one): FollowerFact[] => {
    const { figures, instance, service, state } = one;
    const { frame } = figures;
    const isFollower = FOLLOWERS.includes(service) && !leading.includes(one);
    // A leader that misses a beat is not a follower.
    if (!isFollower || state === 'stopped' || frame === undefined || figures.leads === 1) return [];
    return [
      {
        service,
        instance,
        frame,
        lagFrames: Math.max(0, history.last - frame),
        behindMs: history.behindMs(frame, nowMs),
      },
    ];
  });
}

function agesOf(
  processes: readonly ProcessFact[],
  tables: Readings['tables'],
  nowMs: number,
): AgeFact[] {
  const since = (timeMs: number | undefined) => (timeMs === undefined ? undefined : nowMs - timeMs);
  return [
    { name: 'snapshot', ageMs: ageOf(processes, 'snapshot_age_ms', nowMs) },
    { name: 'archive', ageMs: ageOf(processes, 'archive_age_ms', nowMs) },
    { name: 'backup', ageMs: since(tables?.backupMs) },
    { name: 'restore_drill', ageMs: since(tables?.restoreDrillMs) },
    { name: 'reconciliation', ageMs: since(tables?.reconciledMs) },
  ];
}

/** Uses the best of all archivists. The age of an unresponsive one grows. */
function ageOf(
  processes: readonly ProcessFact[],
  figure: string,
  nowMs: number,
): number | undefined {
  const ages = processes.flatMap(({ figures, heardMs }) => {
    const quietMs = nowMs - heardMs;
    const ageMs = figures[figure];
    return ageMs === undefined ? [] : [ageMs + (quietMs > SILENT_MS ? quietMs : 0)];
  });
  return ages.length === 0 ? undefined : Math.min(...ages);
}

/** Lists a folder on a host once, even if several processes report it. */
function disksOf(book: ProcessBook): DiskFact[] {
  const disks = new Map<string, DiskFact>();
  for (const { disks: told, host } of book.beats) {
    for (const disk of told) disks.set(`${host} ${disk.path}`, { host, ...disk });
  }
  return [...disks.values()];
}
