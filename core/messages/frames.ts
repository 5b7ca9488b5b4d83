// Frames: the unit of the log. The sequencer publishes command frames; the engine turns each into
// an event frame. Epoch and hashes belong to the journal, which checks them.

import type { CommandNumber, TimeMs } from '../money/index.ts';
import type { Command } from './commands.ts';
import type { Event } from './events.ts';

export const FRAME_HASH_BYTES = 32;

export interface CommandFrame {
  /** Position in the log, from 1, without gaps. */
  readonly sequence: number;
  /** The leadership term of the sequencer that wrote the frame. */
  readonly epoch: number;
  /**
   * A random number that the sequencer draws at the start of its epoch, so two sequencers
   * with the same epoch never write the same bytes. Absent or 0 if there is only one writer.
   */
  readonly writer?: number;
  /** The engine's only clock. A time before the last frame's time counts as the last frame's. */
  readonly timeMs: TimeMs;
  /** Hash of the previous frame, FRAME_HASH_BYTES long. */
  readonly previousHash: Uint8Array;
  /**
   * Commands and time steps of this frame on which the engine failed before the frame was written.
   * Each freezes its market or channel instead of being applied, in every replay and every later
   * release. Absent if there are none.
   */
  readonly poisoned?: readonly number[];
  /**
   * How long the exchange could not accept commands before this frame: a failover, or an outage of
   * the log. Dead man's switches do not count that time. Absent if there was no such time.
   */
  readonly pausedMs?: number;
  readonly commands: readonly Command[];
}

/** Events in order: first the effects of time, then the events of each command. */
export interface EventFrame {
  readonly sequence: number;
  readonly timeMs: TimeMs;
  /** The number of the frame's first command; for an empty frame, of the next command. */
  readonly firstCommand: CommandNumber;
  readonly events: readonly Event[];
}
