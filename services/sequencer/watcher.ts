// What a sequencer tells about itself: one call for each thing that an operator may want to see,
// be it as a log line, a metric, a trace of the simulator, or nothing.

import type { DoorRefusal } from '../../infra/command-link/index.ts';
import type { PoisonFault } from '../../infra/replica/index.ts';

export interface SequencerWatcher {
  /** The state to start from is there, at this frame. */
  started(sequence: number): void;
  /** No sign of a leader, or one that leaves: this one tries. */
  takesOver(reason: string): void;
  /** Somebody else leads after all. */
  standsBack(reason: string): void;
  /** Its first frame is stored: it leads. */
  leads(epoch: number, sequence: number): void;
  frameMade(commands: number, bytes: number): void;
  frameStored(sequence: number, commands: number): void;
  batchRefused(reason: DoorRefusal): void;
  /** The engine failed on a command; the leader goes on without it. */
  poisonMet(fault: PoisonFault): void;
  /** The log does not give a frame that it says it has. */
  stuck(reason: string): void;
  /** Its own digest or state hash equals the leader's. */
  agreed(sequence: number): void;
}
