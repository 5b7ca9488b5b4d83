// The meaning of a health report, and whether it may be believed: a report that is old, or that no
// longer arrives, is never shown as the present.

import type { ExchangeHealth, HealthAlarm, HealthLeader } from '../../../client/index.ts';

/** The page asks every 2 seconds and the monitor reports every second: three misses are enough. */
export const FRESH_MS = 6_000;

export interface HeardHealth {
  readonly health: ExchangeHealth | undefined;
  /** When the last answer arrived; 0 if none did. */
  readonly heardAtMs: number;
  readonly nowMs: number;
}

export type Freshness =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'fresh' }
  /** The gateway answers, and its monitor is silent: only the alarms of the gateway are present. */
  | { readonly kind: 'silent'; readonly sinceMs: number }
  /** No answer arrives: nothing on the page is of the present. */
  | { readonly kind: 'lost'; readonly sinceMs: number };

export function freshnessOf({ health, heardAtMs, nowMs }: HeardHealth): Freshness {
  if (health === undefined) return { kind: 'waiting' };
  // A clock that was set back must not make an old report look new.
  const answerAgeMs = Math.abs(nowMs - heardAtMs);
  const madeAtMs = heardAtMs - (health.age_ms ?? Number.POSITIVE_INFINITY);
  if (answerAgeMs > FRESH_MS) return { kind: 'lost', sinceMs: heardAtMs };
  if (health.age_ms === null) return { kind: 'silent', sinceMs: heardAtMs };
  if (health.age_ms + answerAgeMs > FRESH_MS) return { kind: 'silent', sinceMs: madeAtMs };
  return { kind: 'fresh' };
}

export type Overall = 'well' | 'ticket' | 'page' | 'unknown';

/** `well` only if a fresh report says so. */
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
  /** Coins whose accounts do not add up to zero. */
  readonly unbalanced: readonly string[];
}

export function ledgerOf({ ledger }: Pick<ExchangeHealth, 'ledger'>): LedgerState {
  const unbalanced = ledger.filter(({ sum_atoms: sum }) => !/^-?0+$/.test(sum));
  return { count: ledger.length, unbalanced: unbalanced.map(({ currency }) => currency) };
}

/** Queues with entries, the oldest first; then the empty ones by name. */
export function sortedQueues(queues: ExchangeHealth['queues']): ExchangeHealth['queues'] {
  return queues.toSorted(
    (one, other) =>
      Number(other.waiting > 0) - Number(one.waiting > 0) ||
      other.oldest_ms - one.oldest_ms ||
      one.name.localeCompare(other.name),
  );
}

/** Processes that need a look first: down, then not ready, then the rest by name. */
export function sortedProcesses(
  processes: ExchangeHealth['processes'],
): ExchangeHealth['processes'] {
  const rank = ({ ready, state }: ExchangeHealth['processes'][number]) =>
    state === 'down' ? 0 : state === 'running' && !ready ? 1 : state === 'stopped' ? 3 : 2;
  return processes.toSorted(
    (one, other) => rank(one) - rank(other) || one.instance.localeCompare(other.instance),
  );
}

/** The checks that a process fails, each with its reason if it gives one. */
export function failedChecks(checks: Readonly<Record<string, boolean | string>>): string[] {
  return Object.entries(checks)
    .filter(([, result]) => result !== true)
    .map(([name, result]) => (typeof result === 'string' ? `${name}: ${result}` : name));
}

/** The builds of all running processes; more than one is a release under way, or forgotten. */
export function versionsOf(processes: ExchangeHealth['processes']): readonly string[] {
  const running = processes.filter(({ state }) => state === 'running');
  return [...new Set(running.map(({ commit, version }) => `${version} ${commit}`.trim()))].sort();
}

/** The sum of a figure over all running processes of a service. */
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

/** In the largest unit of which there are two, so that nothing is rounded by more than half. */
export function durationOf(ms: number): Duration {
  const [unit, size] = UNITS.find(([, one]) => ms >= 2 * one) ?? ['ms', 1];
  if (unit === 'ms' && ms >= 1_000) return { unit: 's', count: 1 };
  return { unit, count: Math.max(0, Math.floor(ms / size)) };
}

/** How much of a disk is free, in percent, rounded down. */
export function freePercent(disk: ExchangeHealth['disks'][number]): number {
  if (disk.total_bytes <= 0) return 0;
  return Math.floor((disk.free_bytes / disk.total_bytes) * 100);
}
