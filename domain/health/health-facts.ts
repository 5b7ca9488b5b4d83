// Everything that the monitor knows about the exchange at one moment. Alarms are functions of it.

import type { TimeMs } from '../../core/money/index.ts';

/** `down` ended without a goodbye or is silent; `stopped` said goodbye. */
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
  /** Figures of the process, by name: `lag_ms`, `sockets`, `event_loop_ms`. */
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

/** A stream of the log, as JetStream reports it. */
export interface StreamFact {
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
  /** Since it was last level with the log. */
  readonly behindMs: number;
}

export interface QueueFact {
  /** `mails`, `outbox`, `engine commands`, `approvals`, `withdrawals in review`, … */
  readonly name: string;
  readonly waiting: number;
  /** Age of the oldest entry; 0 if none waits. */
  readonly oldestMs: number;
}

/** Something that must not grow old: a snapshot, the archive, a backup, a check. */
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
  readonly isBusUp: boolean;
  readonly streams: readonly StreamFact[];
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
