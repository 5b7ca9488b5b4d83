// The engine on a log: a state, how far it has come, and the hash that chains it to the log. The
// leader makes frames and applies them; a follower takes them from the log. Both give the same.

import {
  applyFrame,
  createExchange,
  type Exchange,
  hashExchange,
  hashSnapshot,
  restoreExchange,
  snapshotExchange,
} from '../../core/engine/index.ts';
import {
  type CommandFrame,
  decodeCommandFrame,
  type EventFrame,
  INITIAL_LIMITS,
} from '../../core/messages/index.ts';
import { equalBytes, NO_HASH, type SealedFrame, type Snapshot } from '../journal/index.ts';
import { drawHashKey } from './draw-hash-key.ts';
import { type EncodedEvents, encodeEvents } from './encode-events.ts';
import { type OutputDigest, OutputDigests } from './output-digests.ts';

/** The log does not fit the state: it is damaged, or the state is not what it is taken for. */
export class ChainFault extends Error {
  override readonly name = 'ChainFault';
}

export interface Applied {
  readonly frame: CommandFrame;
  readonly events: EventFrame;
  readonly encoded: EncodedEvents;
}

export class Replica {
  readonly exchange: Exchange;
  /** Of the last frame applied. */
  #epoch: number;
  #frameHash: Uint8Array;
  readonly #digests = new OutputDigests();

  private constructor(exchange: Exchange, last: Pick<Replica, 'epoch' | 'frameHash'>) {
    this.exchange = exchange;
    this.#epoch = last.epoch;
    this.#frameHash = last.frameHash;
  }

  /** Before the first frame of a log. */
  static create(): Replica {
    const exchange = createExchange(INITIAL_LIMITS, drawHashKey());
    return new Replica(exchange, { epoch: 0, frameHash: NO_HASH });
  }

  /** Throws when the bytes are not the state that the snapshot says they are. */
  static restore({ info, bytes }: Snapshot): Replica {
    const found = hashSnapshot(bytes);
    if (found !== info.stateHash) {
      throw new ChainFault(`snapshot ${info.sequence} hashes to ${found}, not ${info.stateHash}`);
    }
    const exchange = restoreExchange(bytes, undefined, drawHashKey());
    if (exchange.sequence !== info.sequence) {
      throw new ChainFault(`snapshot ${info.sequence} is of frame ${exchange.sequence}`);
    }
    return new Replica(exchange, {
      epoch: info.epoch,
      frameHash: Uint8Array.from(Buffer.from(info.frameHash, 'hex')),
    });
  }

  get sequence(): number {
    return this.exchange.sequence;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Of the last frame's bytes: what the next frame names as its previous. */
  get frameHash(): Uint8Array {
    return this.#frameHash;
  }

  /** Of what the last frames gave, to be compared with another replica's. */
  get outputDigests(): readonly OutputDigest[] {
    return this.#digests.finished;
  }

  /**
   * Applies a frame that stands in the log. Throws ChainFault when it does not follow, CodecFault
   * when it is no frame, and PoisonFault when the engine fails on what its writer did not fail on.
   */
  follow(sealed: SealedFrame): Applied {
    const frame = decodeCommandFrame(sealed.frame);
    if (frame.sequence !== this.sequence + 1) {
      throw new ChainFault(`frame ${frame.sequence} does not follow frame ${this.sequence}`);
    }
    if (!equalBytes(frame.previousHash, this.#frameHash)) {
      throw new ChainFault(`frame ${frame.sequence} follows another frame ${this.sequence}`);
    }
    if (frame.epoch < this.#epoch) {
      throw new ChainFault(`frame ${frame.sequence} goes back to epoch ${frame.epoch}`);
    }
    return this.apply(frame, sealed.frameHash);
  }

  /** Applies a frame of one's own, whose bytes have this hash; `spansFor` its commands. */
  apply(frame: CommandFrame, frameHash: Uint8Array, spansFor = 0): Applied {
    const events = applyFrame(this.exchange, frame);
    const encoded = encodeEvents(events, spansFor);
    this.#digests.add(frame.sequence, encoded.parts);
    this.#epoch = frame.epoch;
    this.#frameHash = frameHash;
    return { frame, events, encoded };
  }

  /** How many things a hash or a snapshot has to go through: what it takes grows with them. */
  get stateSize(): number {
    const { books, ledger, window } = this.exchange;
    return books.orders.size + ledger.accounts.size + window.size;
  }

  stateHash(): string {
    return hashExchange(this.exchange);
  }

  snapshot(): Snapshot {
    const { commandsApplied, timeMs } = this.exchange;
    const bytes = snapshotExchange(this.exchange);
    return {
      info: {
        sequence: this.sequence,
        epoch: this.#epoch,
        timeMs,
        commandsApplied,
        frameHash: Buffer.from(this.#frameHash).toString('hex'),
        stateHash: hashSnapshot(bytes),
      },
      bytes,
    };
  }
}
