// Interprets a health report and decides whether it is recent enough. An old report, or one that
// stopped arriving, is never shown as current.

import type { ExchangeHealth, HealthAlarm, HealthLeader } from '../../../client/index.ts';

/**
 * The page polls every 2 seconds and the monitor reports every second, so three misses are enough.
 */
export const FRESH_MS = 6_000;

export interface HeardHealth {
  readonly health: ExchangeHealth | undefined;
  /** Time of the last response; 0 if none has arrived. */
  readonly heardAtMs: number;
  readonly nowMs: number;
}

export type Freshness =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'fresh' }
  /** The gateway responds, but the monitor does not: only the gateway's alarms are current. */
  | { readonly kind: 'silent'; readonly sinceMs: number }
  /** No responses arrive: nothing on the page is current. */
  | { readonly kind: 'lost'; readonly sinceMs: number };

export function freshnessOf({ health, heardAtMs, nowMs }: HeardHealth): Freshness {
  if (health === undefined) return { kind: 'waiting' };
  // If the clock was set back, an old report must not look new.
  const answerAgeMs = Math.abs(nowMs - heardAtMs);
  const madeAtMs = heardAtMs - (health.age_ms ?? Number.POSITIVE_INFINITY);
  if (answerAgeMs > FRESH_MS) return { kind: 'lost', sinceMs: heardAtMs };
  if (health.age_ms === null) return { kind: 'silent', sinceMs: heardAtMs };
  if (health.age_ms + answerAgeMs > FRESH_MS) return { kind: 'silent', sinceMs: madeAtMs };
  return { kind: 'fresh' };
}

export type Overall = 'well' | 'ticket' | 'page' | 'unknown';

/** Returns `well` only for a fresh report without alarms. */
export function overallOf(heard: HeardHealth): Overall {
  const { health } = heard;
  const { kind } = freshnessOf(heard);
  if (health === undefined || kind === 'lost' || kind === 'waiting') return 'unknown';
  const worst = worstOf(health.alarms) ?? (health.status === 'well' ? undefined : health.status);
  if (kind === 'silent') return worst === 'page' ? 'page' : 'unknown';
  return worst ?? 'well';
}

function worstOf(alarms: readonly HealthAlarm[]): 'page' | 'ticket' | undefined {
  if (alarms.some(({ severity }) => severity === 'page')) return 'page';
  return alarms.length > 0 ? 'ticket' : undefined;
}

/** Pages first, then the newest. */
export function sortedAlarms(alarms: readonly HealthAlarm[]): readonly HealthAlarm[] {
  const rank = ({ severity }: HealthAlarm) => (severity === 'page' ? 0 : 1);
  return alarms.toSorted((one, other) => rank(one) - rank(other) || one.age_ms - other.age_ms);
}

export type LeaderState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly count: number }
  | { readonly kind: 'one'; readonly leader: HealthLeader };

export function leaderOf(heard: HeardHealth): LeaderState {
  const { health } = heard;
  if (health === undefined || freshnessOf(heard).kind !== 'fresh') return { kind: 'unknown' };
  const { leaders } = health;
  if (leaders.length > 1) return { kind: 'several', count: leaders.length };
  return leaders.length === 0 ? { kind: 'none' } : { kind: 'one', leader: leaders[0] };
}

export interface LedgerState {
  readonly count: number;
  /** Assets whose accounts do not add up to zero. */
  readonly unbalanced: readonly string[];
}

export function ledgerOf({ ledger }: Pick<ExchangeHealth, 'ledger'>): LedgerState {
  const unbalanced = ledger.filter(({ sum_atoms: sum }) => !/^-?0+$/.test(sum));
  return { count: ledger.length, unbalanced: unbalanced.map(({ currency }) => currency) };
}

/** Sorts queues with entries by age, oldest first, then empty ones by name. */
export function sortedQueues(queues: ExchangeHealth['queues']): ExchangeHealth['queues'] {
  return queues.toSorted(
    (one, other) =>
      Number(other.waiting > 0) - Number(one.waiting > 0) ||
      other.oldest_ms - one.oldest_ms ||
      one.name.localeCompare(other.name),
  );
}

/** Sorts processes with problems first: down, then not ready, then the rest by name. */
export function sortedProcesses(
  processes: ExchangeHealth['processes'],
): ExchangeHealth['processes'] {
  const rank = ({ ready, state }: ExchangeHealth['processes'][number]) =>
    state === 'down' ? 0 : state === 'running' && !ready ? 1 : state === 'stopped' ? 3 : 2;
  return processes.toSorted(
    (one, other) => rank(one) - rank(other) || one.instance.localeCompare(other.instance),
  );
}

/** Returns the failed checks of a process, each with its reason if it has one. */
export function failedChecks(checks: Readonly<Record<string, boolean | string>>): string[] {
  return Object.entries(checks)
    .filter(([, result]) => result !== true)
    .map(([name, result]) => (typeof result === 'string' ? `${name}: ${result}` : name));
}

/** Builds of all running processes; more than one means an unfinished release. */
export function versionsOf(processes: ExchangeHealth['processes']): readonly string[] {
  const running = processes.filter(({ state }) => state === 'running');
  return [...new Set(running.map(({ commit, version }) => `${version} ${commit}`.trim()))].sort();
}

/** Total of a metric over all running processes of a service. */
export function figureOf(
  processes: ExchangeHealth['processes'],
  service: string,
  figure: string,
): number {
  return processes
    .filter((one) => one.service === service && one.state === 'running')
    .reduce((sum, { figures }) => sum + Number(figures[figure] ?? 0), 0);
}

export type DurationUnit = 'ms' | 's' | 'min' | 'h' | 'd';

export interface Duration {
  readonly unit: DurationUnit;
  readonly count: number;
}

const UNITS: readonly (readonly [DurationUnit, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** Uses the largest unit with a count of at least two, which limits the rounding to one half. */
export function durationOf(ms: number): Duration {
  const [unit, size] = UNITS.find(([, one]) => ms >= 2 * one) ?? ['ms', 1];
  if (unit === 'ms' && ms >= 1_000) return { unit: 's', count: 1 };
  return { unit, count: Math.max(0, Math.floor(ms / size)) };
}

/** Free disk space in percent, rounded down. */
export function freePercent(disk: ExchangeHealth['disks'][number]): number {
  if (disk.total_bytes <= 0) return 0;
  return Math.floor((disk.free_bytes / disk.total_bytes) * 100);
}
