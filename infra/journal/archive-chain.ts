// Walks over the frames of the command log and checks that each continues the previous one by
// sequence, hash and epoch. It also counts commands, which frames do not, and tracks engine time.

import { CodecFault, type CommandFrame, decodeCommandFrame } from '../../core/messages/index.ts';
import { ArchiveFault } from './archive-fault.ts';
import { hashFrame, NO_HASH } from './sealed-frame.ts';

/** The position of the command log after some frame. */
export interface LogPosition {
  readonly sequence: number;
  readonly epoch: number;
  /** Engine time: the largest of any frame so far. */
  readonly timeMs: number;
  readonly commands: number;
  /** SHA-256 of the frame's bytes, hexadecimal. */
  readonly frameHash: string;
}

/** The position before the first frame. */
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

  /** If `file` is set, faults name it. */
  constructor(start: LogPosition, file?: string) {
    this.#at = start;
    this.#file = file;
  }

  get at(): LogPosition {
    return this.#at;
  }

  /** Checks the next frame. An ArchiveFault names the frame and leaves the chain unchanged. */
  next(bytes: Uint8Array): CommandFrame {
    const { sequence, epoch, timeMs, commands, frameHash } = this.#at;
    const frame = this.#decode(bytes);
    if (frame.sequence !== sequence + 1) {
      this.#refuse(`expected frame ${sequence + 1}, found frame ${frame.sequence}`);
    }
    const previousHash = hexOf(frame.previousHash);
    if (previousHash !== frameHash) {
      this.#refuse(`the previous frame has hash ${frameHash}, but this one names ${previousHash}`);
    }
    if (frame.epoch < epoch) this.#refuse(`epoch ${frame.epoch} follows epoch ${epoch}`);
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
      throw new ArchiveFault('damaged', `not a command frame: ${cause.message}`, place);
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
