// Everything that the monitor has collected about the exchange at one time. Alarms are functions of
// it.

import type { TimeMs } from '../../core/money/index.ts';

/**
 * `down` ended without a goodbye or is not responding; `stopped` sent a goodbye. Missing beats
 * count only while the bus is up.
 */
export type ProcessState = 'running' | 'down' | 'stopped';

export interface ProcessFact {
  /** For example `projector`; the instance is unique among all processes. */
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
  /** Since it was last ready, or since its start; 0 if it is ready. Used by alarms. */
  readonly notReadyMs: number;
  /**
   * Metrics of the process, by name. Alarms use `event_loop_ms` of every process (the longest delay
   * of its event loop since the previous beat), `slow_readers` of stream gateways (sockets closed
   * as too slow within the last minute), those of chains in the chain watcher (`eth_halted`,
   * `eth_disagree_ms`, `eth_failing_ms`, heights), and `stands_by` of followers (1 if another
   * process of the service is active).
   */
  readonly figures: Readonly<Record<string, number>>;
  /** Version of the switches that it applies; undefined for processes without a database. */
  readonly switchesVersion?: number;
  /** Hash of the custody file that it uses, in hexadecimal; undefined without one. */
  readonly custodyFile?: string;
}

export interface LeaderFact {
  readonly instance: string;
  readonly epoch: number;
  /** Last frame acknowledged by the log. */
  readonly sequence: number;
  /** Age of the oldest unacknowledged append; 0 if there is none. */
  readonly unacknowledgedMs: number;
  /** Age of the last acknowledgment. */
  readonly acknowledgedMs: number;
}

/** A stream of the log, as JetStream reported it within the last few seconds. */
export interface StreamFact {
  /** `RIALTO_COMMANDS`, `RIALTO_EVENTS`. */
  readonly name: string;
  readonly lastSequence: number;
  /** Messages missing between the first and the last, which always means a damaged replica. */
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
  /** For example `mails`, `outbox`, `engine commands`, `approvals`, `withdrawals in review`. */
  readonly name: string;
  readonly waiting: number;
  /** Age of the oldest entry; 0 if the queue is empty. */
  readonly oldestMs: number;
}

/**
 * Something that must stay recent. For `snapshot` and `archive`: the age of the oldest frame that
 * is not covered, since an exchange without commands makes none. For `backup` and `restore_drill`:
 * since the last good one. For `reconciliation`: since the last full pass of its slowest check.
 */
export interface AgeFact {
  readonly name: 'snapshot' | 'archive' | 'backup' | 'restore_drill' | 'reconciliation';
  /** Undefined if there has been none. */
  readonly ageMs: number | undefined;
}

export interface CertificateFact {
  /** A file or `host:port`. */
  readonly place: string;
  /** Undefined if it cannot be read; `fault` then has the reason. */
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
  /** Total over all accounts in atoms, as text; anything but 0 is an error. */
  readonly sumAtoms: string;
}

export interface HealthFacts {
  readonly nowMs: TimeMs;
  readonly processes: readonly ProcessFact[];
  /** Every process that claims to lead now; exactly one in a healthy exchange. */
  readonly leaders: readonly LeaderFact[];
  /** Since the number of leaders last changed: a failover briefly has none or two. */
  readonly leadersForMs: number;
  readonly isBusUp: boolean;
  readonly streams: readonly StreamFact[];
  /**
   * True if the last read of the tables succeeded; queues, ledger and differences are from that
   * read.
   */
  readonly isDatabaseUp: boolean;
  readonly followers: readonly FollowerFact[];
  readonly queues: readonly QueueFact[];
  readonly ages: readonly AgeFact[];
  readonly certificates: readonly CertificateFact[];
  readonly disks: readonly DiskFact[];
  readonly ledger: readonly LedgerFact[];
  /** Open discrepancies of the reconciliation, by check. */
  readonly differences: readonly { readonly check: string; readonly count: number }[];
  readonly frozenMarkets: readonly string[];
  /** Current version of the switches; undefined if the database is unreachable. */
  readonly switchesVersion: number | undefined;
  /** Since that version; undefined if the database is unreachable. */
  readonly switchesForMs: number | undefined;
}

/** `page` wakes an operator; `ticket` can wait until the morning. */
export type Severity = 'page' | 'ticket';

export interface Alarm {
  /** Also the name of its runbook: `NoLeader` is `docs/operating/runbooks/no-leader.md`. */
  readonly name: string;
  /** For example `projector-1`, `usdt`, or a path; '' for the exchange. */
  readonly object: string;
  readonly severity: Severity;
  /** One sentence with numbers. */
  readonly detail: string;
}
