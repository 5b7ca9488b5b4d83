// Frames: the unit of the log. A command frame is what the sequencer publishes; an event frame
// is what the engine made of it. Epoch and hashes belong to the journal, which checks them.

import type { CommandNumber, TimeMs } from '../money/index.ts';
import type { Command } from './commands.ts';
import type { Event } from './events.ts';

export const FRAME_HASH_BYTES = 32;

export interface CommandFrame {
  /** Position in the log, from 1, without gaps. */
  readonly sequence: number;
  /** Which reign of a sequencer wrote it. */
  readonly epoch: number;
  /**
   * Drawn by the sequencer when its reign begins, so that two who claim the same epoch at the same
   * place never write the same bytes. Absent, or 0, where nobody else could.
   */
  readonly writer?: number;
  /** The only clock the engine has. A time before the last frame's counts as that one. */
  readonly timeMs: TimeMs;
  /** Hash of the frame before, FRAME_HASH_BYTES long. */
  readonly previousHash: Uint8Array;
  /**
   * Commands and time steps of this frame that the engine failed on before it was written: each
   * freezes what it touches instead of being applied, in every replay and every later release.
   * Absent when there are none.
   */
  readonly poisoned?: readonly number[];
  readonly commands: readonly Command[];
}

/** Events in the order they happened: first those of the passing of time, then by command. */
export interface EventFrame {
  readonly sequence: number;
  readonly timeMs: TimeMs;
  /** Number of the frame's first command; an empty frame names the next one to come. */
  readonly firstCommand: CommandNumber;
  readonly events: readonly Event[];
}
