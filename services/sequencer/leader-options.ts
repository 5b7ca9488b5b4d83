// Surface of a leader: its parts and settings, and how its epoch ends.

import type { Bus } from '../../infra/bus/index.ts';
import type { LinkAddress, LinkSubjects, Poison } from '../../infra/command-link/index.ts';
import type { CommandAuthority } from '../../infra/identities/index.ts';
import type { EventPart, EventsEnd, LogStream } from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import type { Replica } from '../../infra/replica/index.ts';
import type { ClockComparison } from './clock-comparison.ts';
import type { HeartbeatSender } from './heartbeat-repeater.ts';
import type { IntakeLimits } from './intake.ts';
import type { StateHashSettings } from './state-hashes.ts';
import type { SequencerWatcher } from './watcher.ts';

export interface LeaderOptions {
  readonly commands: LogStream;
  readonly events: LogStream;
  readonly bus: Bus;
  readonly heartbeats: HeartbeatSender;
  readonly clock: Clock;
  readonly clocks: ClockComparison;
  readonly subjects: LinkSubjects;
  readonly instance: string;
  /** Address for direct connections from gateways. */
  readonly linkAddress?: LinkAddress | undefined;
  /** Unique among sequencers, so no two of them write the same frame bytes. */
  readonly writer: number;
  readonly watcher: SequencerWatcher;
  readonly intake: IntakeLimits;
  /** Decides which identity can send which command. */
  readonly authority: CommandAuthority;
  readonly stateHashes: StateHashSettings;
  readonly heartbeatMs: number;
  /** A log that has not responded for this long is reported as not responding. */
  readonly takeoverAfterMs: number;
  readonly retryMs: number;
  /**
   * Minimum interval between the starts of two frames, unless a large frame waits: each frame has a
   * fixed cost in every process.
   */
  readonly frameGapMs: number;
  /** The same for batches of events, for which no order waits. */
  readonly eventGapMs: number;
  /** A frame with at least this many commands is built before the previous one is stored. */
  readonly frameCommandsWanted: number;
  /** A command that brings the orders visited by its frame to this number is the frame's last. */
  readonly frameVisitsMax: number;
  /** Limit on events that EVENTS has not stored yet; above it, no frame is built. */
  readonly eventBytesMax: number;
  /** Replica at the end of the log. */
  readonly replica: Replica;
  /** How long ago the log stored its last frame; undefined if unknown. */
  readonly idleMs?: number | undefined;
  /** End of the EVENTS log, and the parts that it still lacks. */
  readonly eventsEnd: EventsEnd;
  readonly eventsLacking: readonly EventPart[];
  /** Commands on which the previous leader's engine failed; see HandOver. */
  readonly poison: Poison;
  /** none: there is no standby. lagging: none is near this frame yet. */
  findSuccessor(sequence: number): 'ready' | 'lagging' | 'none';
  /** Builds a new replica at this frame, the end of the log, after a poison command. */
  rebuild(sequence: number, done: (replica: Replica) => void): void;
  onEnd(end: LeaderEnd): void;
}

export type LeaderEnd =
  | { readonly kind: 'fenced' | 'failed'; readonly reason: string }
  | { readonly kind: 'yielded'; readonly sequence: number }
  | { readonly kind: 'poisoned'; readonly sequence: number; readonly poison: Poison };
