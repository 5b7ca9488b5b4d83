// Form of an alarm definition, and the words shared by its sentences.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/market-data/index.ts';
import type { HealthFacts, Severity } from './health-facts.ts';

export interface AlarmDefinition {
  readonly name: string;
  /** Default severity of its findings. */
  readonly severity: Severity;
  readonly rule: (facts: HealthFacts) => readonly AlarmDetail[];
}

/** One reason to raise an alarm. */
export interface AlarmDetail {
  readonly object: string;
  readonly detail: string;
  readonly severity?: Severity;
}

/** From `ticketMs` a ticket, from `pageMs` a page. */
export interface Limits {
  readonly ticketMs: number;
  readonly pageMs: number;
}

export const SECOND_MS = 1_000;

/** Severity of a time that must stay short; undefined while it is. NaN is not short. */
export function severityOf(ms: number, { pageMs, ticketMs }: Limits): Severity | undefined {
  if (ms < ticketMs) return undefined;
  return ms < pageMs ? 'ticket' : 'page';
}

/** For example `900ms`, `12s`, `7m`, `30h`, `40d`. */
export function spanText(ms: number): string {
  if (!Number.isFinite(ms)) return 'an unknown time';
  if (ms < SECOND_MS) return `${Math.round(ms)}ms`;
  if (ms < 2 * MINUTE_MS) return `${Math.round(ms / SECOND_MS)}s`;
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)}m`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)}h`;
  return `${Math.round(ms / DAY_MS)}d`;
}

/** For example `1 frame`, `12 frames`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
