// Walks over the frames of the command log and makes sure that each continues the one before it:
// sequence, hash, epoch. Counts commands on the way, which frames do not, and keeps engine time.

import { CodecFault, type CommandFrame, decodeCommandFrame } from '../../core/messages/index.ts';
import { ArchiveFault } from './archive-fault.ts';
import { hashFrame, NO_HASH } from './sealed-frame.ts';

/** Where the command log stands after some frame. */
export interface LogPosition {
  readonly sequence: number;
  readonly epoch: number;
  /** Engine time: the largest of any frame so far. */
  readonly timeMs: number;
  readonly commands: number;
  /** SHA-256 of the frame's bytes, hexadecimal. */
  readonly frameHash: string;
}

/** Before the first frame. */
export const LOG_START: LogPosition = {
  sequence: 0,
  epoch: 0,
  timeMs: 0,
  commands: 0,
  frameHash: hexOf(NO_HASH),
};

export class FrameChain {
  #at: LogPosition;
  readonly #file: string | undefined;

  /** With `file`, faults name it as their place. */
  constructor(start: LogPosition, file?: string) {
    this.#at = start;
    this.#file = file;
  }

  get at(): LogPosition {
    return this.#at;
  }

  /** The next frame, or an ArchiveFault at its place, which leaves the chain where it was. */
  next(bytes: Uint8Array): CommandFrame {
    const { sequence, epoch, timeMs, commands, frameHash } = this.#at;
    const frame = this.#decode(bytes);
    if (frame.sequence !== sequence + 1) {
      this.#refuse(`frame ${frame.sequence} stands where frame ${sequence + 1} belongs`);
    }
    const previousHash = hexOf(frame.previousHash);
    if (previousHash !== frameHash) {
      this.#refuse(`the frame before has hash ${frameHash}, but this one names ${previousHash}`);
    }
    if (frame.epoch < epoch) this.#refuse(`epoch ${frame.epoch} comes after epoch ${epoch}`);
    this.#at = {
      sequence: frame.sequence,
      epoch: frame.epoch,
      timeMs: Math.max(timeMs, frame.timeMs),
      commands: commands + frame.commands.length,
      frameHash: hexOf(hashFrame(bytes)),
    };
    return frame;
  }

  #decode(bytes: Uint8Array): CommandFrame {
    try {
      return decodeCommandFrame(bytes);
    } catch (cause) {
      if (!(cause instanceof CodecFault)) throw cause;
      const place = this.#place(cause);
      throw new ArchiveFault('damaged', `this is no command frame: ${cause.message}`, place);
    }
  }

  #refuse(detail: string): never {
    throw new ArchiveFault('not_continuing', detail, this.#place());
  }

  #place(cause?: unknown) {
    const file = this.#file === undefined ? {} : { file: this.#file };
    return { ...file, sequence: this.#at.sequence + 1, cause };
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}
