// The surface of a sequencer: its parts and settings, its states, and how it ends.

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
  /** Sends the heartbeats of this process while it leads; by default over the bus. */
  readonly heartbeats?: HeartbeatSender;
  readonly clock: Clock;
  readonly exchange: string;
  /** Frame 1 of the log must have this id; undefined if any is right. */
  readonly exchangeId?: string | undefined;
  /** A label for people; two sequencers may have the same. */
  readonly instance: string;
  /** Where gateways can connect to it directly while it leads. */
  readonly linkAddress?: LinkAddress | undefined;
  /**
   * The identity of this process, random: two sequencers that claim an epoch at the same time must
   * not write the same bytes, and none may take another's heartbeats for its own.
   */
  readonly writer: number;
  readonly settings: SequencerSettings;
  /** Which identity may send which command. */
  readonly authority: CommandAuthority;
  readonly watcher: SequencerWatcher;
  onEnd(end: SequencerEnd): void;
}

export interface SequencerSettings {
  readonly heartbeatMs: number;
  /**
   * A standby takes over after this long without a heartbeat or a frame, or when the leader's
   * heartbeats say that the log has not acknowledged anything for this long.
   */
  readonly takeoverAfterMs: number;
  /**
   * When the log answers this standby again, a leader that sends heartbeats has this long to
   * continue. Longer than a writer waits for the answers of two requests.
   */
  readonly logRecoveryMs: number;
  readonly retryMs: number;
  readonly watchMs: number;
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
  frameCommandsWanted: 256,
  // About four sweeps of 1,000 orders, and twice a full frame of usual orders.
  frameVisitsMax: 8_192,
  eventBytesMax: 64 * 1024 * 1024,
  // Every heartbeat has the hash of its frame: a standby that differs has one heartbeat to lead.
  stateHashes: { everyFrames: 1, runFrames: 1_024 },
  intake: INTAKE_DEFAULTS,
};

/**
 * stopped: shut down on request, with a hand-over if there was a standby. fenced: another sequencer
 * leads, or takes over from this one, whose state poison left inconsistent. halted: its state or
 * the log is inconsistent; an operator must investigate first.
 */
export interface SequencerEnd {
  readonly kind: 'stopped' | 'fenced' | 'halted';
  readonly reason: string;
}

/**
 * starting:    waits for the log, a snapshot, and the frames since.
 * following:   applies frames as they arrive, and watches for heartbeats of a leader.
 * taking-over: asks both logs for their ends, and waits until it has applied everything.
 * leading:     see Leader.
 * ended.
 */
export type SequencerState = 'starting' | 'following' | 'taking-over' | 'leading' | 'ended';
