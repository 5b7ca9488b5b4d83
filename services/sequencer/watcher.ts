// The observable moments of a sequencer, one call each. Implementations write log lines and metrics
// (telemetry.ts) or traces (the simulator).

import type { Command } from '../../core/messages/index.ts';
import type { BatchRefusal } from '../../infra/command-link/index.ts';
import type { PoisonFault } from '../../infra/replica/index.ts';

export interface ForbiddenCommand {
  /** The proven identity of the sender. */
  readonly sender: string;
  /** `source`: the batch names a session of another identity. */
  readonly kind: Command['kind'] | 'source';
}

export interface SequencerWatcher {
  /** The state at this frame is loaded; following starts from it. */
  stateRestored(sequence: number): void;
  /** The leader is silent or hands over, and this sequencer tries to lead. */
  takeoverStarted(reason: string): void;
  /** Another sequencer leads after all, or must lead: the clock of this machine is wrong. */
  leadershipYielded(reason: string): void;
  /** Nobody leads for some seconds, and this is why this sequencer cannot. */
  stoodStill(reason: string): void;
  /** Its first frame is stored, so it leads. */
  leaderElected(epoch: number, sequence: number): void;
  /** The clock of this machine was set by so much; negative if it was set back. */
  clockJumped(byMs: number): void;
  frameMade(commands: number, bytes: number): void;
  frameStored(sequence: number, commands: number): void;
  batchRefused(reason: BatchRefusal): void;
  /** The sender's identity may not send this kind of command, or not with these fields. */
  commandForbidden(forbidden: ForbiddenCommand): void;
  /** The engine failed on a command; the leader continues without it. */
  commandPoisoned(fault: PoisonFault): void;
  /** The log does not return a frame that it claims to have. */
  readerStalled(reason: string): void;
  /** The events up to this frame match the leader's digest. */
  digestMatched(sequence: number): void;
  /** The records of the state that were sampled up to this frame match the leader's. */
  stateMatched(sequence: number): void;
}
