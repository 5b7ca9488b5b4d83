// Observable events in a sequencer, one call each. Implementations write log lines and metrics
// (telemetry.ts) or traces (the simulator).

import type { Command } from '../../core/messages/index.ts';
import type { BatchRefusal } from '../../infra/command-link/index.ts';
import type { PoisonFault } from '../../infra/replica/index.ts';

export interface ForbiddenCommand {
  /** Authenticated identity of the sender. */
  readonly sender: string;
  /** `source`: the batch names another identity's session. */
  readonly kind: Command['kind'] | 'source';
}

export interface SequencerWatcher {
  /** The state at this frame is loaded; following starts from it. */
  stateRestored(sequence: number): void;
  /** The leader is not responding or hands over, and this sequencer tries to lead. */
  takeoverStarted(reason: string): void;
  /** Another sequencer leads after all, or must lead because this machine's clock is wrong. */
  leadershipYielded(reason: string): void;
  /** There has been no leader for some seconds, and this is why this sequencer cannot lead. */
  stoodStill(reason: string): void;
  /** Its first frame is stored, so it leads. */
  leaderElected(epoch: number, sequence: number): void;
  /** This machine's clock was set by this much; negative if it was set back. */
  clockJumped(byMs: number): void;
  frameMade(commands: number, bytes: number): void;
  frameStored(sequence: number, commands: number): void;
  batchRefused(reason: BatchRefusal): void;
  /**
   * The sender's identity is not allowed to send this kind of command, or not with these fields.
   */
  commandForbidden(forbidden: ForbiddenCommand): void;
  /** The engine failed on a command; the leader continues without it. */
  commandPoisoned(fault: PoisonFault): void;
  /** The log does not return a frame that it reports as its own. */
  readerStalled(reason: string): void;
  /** The events up to this frame match the leader's digest. */
  digestMatched(sequence: number): void;
  /** The state records sampled up to this frame match the leader's. */
  stateMatched(sequence: number): void;
}
