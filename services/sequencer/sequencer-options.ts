// Surface of a sequencer: its parts and settings, its states, and how it ends.

import type { Bus } from '../../infra/bus/index.ts';
import type { LinkAddress } from '../../infra/command-link/index.ts';
import type { CommandAuthority } from '../../infra/identities/index.ts';
import type { LogStream, SnapshotStore } from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import type { HeartbeatSender } from './heartbeat-repeater.ts';
import { INTAKE_DEFAULTS, type IntakeLimits } from './intake.ts';
import type { StateHashSettings } from './state-hashes.ts';
import type { SequencerWatcher } from './watcher.ts';

export interface SequencerOptions {
  readonly commands: LogStream;
  readonly events: LogStream;
  readonly snapshots: SnapshotStore;
  readonly bus: Bus;
  /** Sends this process's heartbeats while it leads; by default over the bus. */
  readonly heartbeats?: HeartbeatSender;
  readonly clock: Clock;
  readonly exchange: string;
  /** Required ID of the log's frame 1; undefined accepts any. */
  readonly exchangeId?: string | undefined;
  /** Display label; two sequencers can have the same. */
  readonly instance: string;
  /** Address for direct connections from gateways while it leads. */
  readonly linkAddress?: LinkAddress | undefined;
  /**
   * Random identity of this process. Two sequencers that claim an epoch at the same time must not
   * write the same bytes, and none must take another's heartbeats for its own.
   */
  readonly writer: number;
  readonly settings: SequencerSettings;
  /** Decides which identity can send which command. */
  readonly authority: CommandAuthority;
  readonly watcher: SequencerWatcher;
  onEnd(end: SequencerEnd): void;
}

export interface SequencerSettings {
  readonly heartbeatMs: number;
  /**
   * A standby takes over after this long without a heartbeat or a frame, or when the leader's
   * heartbeats report that the log has not acknowledged anything for this long.
   */
  readonly takeoverAfterMs: number;
  /**
   * After the log responds to this standby again, a leader that sends heartbeats has this long to
   * continue. Longer than a writer's timeout for two requests.
   */
  readonly logRecoveryMs: number;
  readonly retryMs: number;
  readonly watchMs: number;
  readonly frameGapMs: number;
  readonly eventGapMs: number;
  readonly frameCommandsWanted: number;
  readonly frameVisitsMax: number;
  readonly eventBytesMax: number;
  readonly stateHashes: StateHashSettings;
  readonly intake: IntakeLimits;
}

export const SEQUENCER_DEFAULTS: SequencerSettings = {
  heartbeatMs: 100,
  takeoverAfterMs: 800,
  logRecoveryMs: 3_500,
  retryMs: 50,
  watchMs: 500,
  frameGapMs: 1,
  eventGapMs: 5,
  frameCommandsWanted: 256,
  // About four sweeps of 1,000 orders, and twice a full frame of usual orders.
  frameVisitsMax: 8_192,
  eventBytesMax: 64 * 1024 * 1024,
  // Every heartbeat has the hash of its frame, so a standby that differs can lead for one heartbeat
  // at most.
  stateHashes: { everyFrames: 1, runFrames: 1_024 },
  intake: INTAKE_DEFAULTS,
};

/**
 * stopped: shut down on request, with a handover if there was a standby.
 * fenced:  another sequencer leads, or takes over because poison left this one inconsistent.
 * halted:  its state or the log is inconsistent; an operator must investigate first.
 */
export interface SequencerEnd {
  readonly kind: 'stopped' | 'fenced' | 'halted';
  readonly reason: string;
}

/**
 * starting:    waits for the log, a snapshot, and the frames since.
 * following:   applies frames as they arrive, and watches for a leader's heartbeats.
 * taking-over: requests the ends of both logs, and waits until it has applied everything.
 * leading:     see Leader.
 * ended.
 */
export type SequencerState = 'starting' | 'following' | 'taking-over' | 'leading' | 'ended';
