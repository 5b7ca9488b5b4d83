// Everything that the monitor knows about the exchange at one moment. Alarms are functions of it.

import type { TimeMs } from '../../core/money/index.ts';

/**
 * `down` ended without a goodbye or is silent; `stopped` said goodbye. Silence counts only while
 * the bus is up.
 */
export type ProcessState = 'running' | 'down' | 'stopped';

export interface ProcessFact {
  /** `projector`; the instance is unique among all processes. */
  readonly service: string;
  readonly instance: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly commit: string;
  readonly startedMs: TimeMs;
  readonly heardMs: TimeMs;
  readonly state: ProcessState;
  /** The checks of `/ready`: true passes; false or a reason fails. */
  readonly checks: Readonly<Record<string, boolean | string>>;
  /** Since it was last ready, or since its start; 0 if it is ready. Alarms read it. */
  readonly notReadyMs: number;
  /**
   * Figures of the process, by name. Alarms read `event_loop_ms` of every process, the longest
   * delay of its event loop since the beat before, `slow_readers` of stream gateways, the sockets
   * that it closed as too slow within the last minute, and `stands_by` of followers: 1 if another
   * process of the service works.
   */
  readonly figures: Readonly<Record<string, number>>;
  /** Of the switches that it applies; undefined for processes without a database. */
  readonly switchesVersion?: number;
}

export interface LeaderFact {
  readonly instance: string;
  readonly epoch: number;
  /** The last frame that the log acknowledged. */
  readonly sequence: number;
  /** Age of the oldest append without an acknowledgement; 0 if none waits. */
  readonly unacknowledgedMs: number;
  /** Age of the last acknowledgement. */
  readonly acknowledgedMs: number;
}

/** A stream of the log, as JetStream reported it within the last few seconds. */
export interface StreamFact {
  /** `RIALTO_COMMANDS`, `RIALTO_EVENTS`. */
  readonly name: string;
  readonly lastSequence: number;
  /** Messages missing between the first and the last: always a damaged copy. */
  readonly missing: number;
  readonly replicas: readonly { readonly name: string; readonly isCurrent: boolean }[];
  readonly hasLeader: boolean;
}

/** A process that follows the log: projector, publisher, archivist, reconciler, standby. */
export interface FollowerFact {
  readonly service: string;
  readonly instance: string;
  readonly frame: number;
  readonly lagFrames: number;
  /** Age of the oldest frame that it lacks; 0 if it lacks none. */
  readonly behindMs: number;
}

export interface QueueFact {
  /** `mails`, `outbox`, `engine commands`, `approvals`, `withdrawals in review`, … */
  readonly name: string;
  readonly waiting: number;
  /** Age of the oldest entry; 0 if none waits. */
  readonly oldestMs: number;
}

/**
 * Something that must not grow old. Of `snapshot` and `archive`: the age of the oldest frame that
 * is not covered, since an exchange without commands makes none. Of `backup` and `restore_drill`:
 * since the last good one. Of `reconciliation`: since the last whole pass of its slowest check.
 */
export interface AgeFact {
  readonly name: 'snapshot' | 'archive' | 'backup' | 'restore_drill' | 'reconciliation';
  /** Undefined: there has been none. */
  readonly ageMs: number | undefined;
}

export interface CertificateFact {
  /** A file or `host:port`. */
  readonly place: string;
  /** Undefined if it cannot be read; then `fault` tells why. */
  readonly endsMs: TimeMs | undefined;
  readonly fault?: string;
}

export interface DiskFact {
  readonly host: string;
  readonly path: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface LedgerFact {
  readonly asset: string;
  /** The sum over all accounts in atoms, as text; anything but 0 is an error. */
  readonly sumAtoms: string;
}

export interface HealthFacts {
  readonly nowMs: TimeMs;
  readonly processes: readonly ProcessFact[];
  /** Every process that claims to lead now; exactly one in a healthy exchange. */
  readonly leaders: readonly LeaderFact[];
  /** Since the number of leaders last changed: a failover has none or two for a moment. */
  readonly leadersForMs: number;
  readonly isBusUp: boolean;
  readonly streams: readonly StreamFact[];
  /** True if the last read of the tables succeeded: queues, ledger and differences are of it. */
  readonly isDatabaseUp: boolean;
  readonly followers: readonly FollowerFact[];
  readonly queues: readonly QueueFact[];
  readonly ages: readonly AgeFact[];
  readonly certificates: readonly CertificateFact[];
  readonly disks: readonly DiskFact[];
  readonly ledger: readonly LedgerFact[];
  /** Open differences of the reconciliation, by check. */
  readonly differences: readonly { readonly check: string; readonly count: number }[];
  readonly frozenMarkets: readonly string[];
  /** The current version of the switches; undefined if the database is away. */
  readonly switchesVersion: number | undefined;
  /** Since that version; undefined if the database is away. */
  readonly switchesForMs: number | undefined;
}

/** `page` wakes somebody; `ticket` can wait until the morning. */
export type Severity = 'page' | 'ticket';

export interface Alarm {
  /** Also the name of its runbook: `NoLeader` is `docs/operating/runbooks/no-leader.md`. */
  readonly name: string;
  /** Of what: `projector-1`, `usdt`, a path; '' if it concerns the exchange. */
  readonly object: string;
  readonly severity: Severity;
  /** One sentence with figures. */
  readonly detail: string;
}
