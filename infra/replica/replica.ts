// The engine on a log: a state, its position, and the hash that chains it to the log. The leader
// makes frames and applies them; followers read them from the log. Both compute the same events.

import { randomInt } from 'node:crypto';
import {
  applyFrame,
  createExchange,
  type Exchange,
  ExchangeRestoration,
  hashExchange,
  SNAPSHOT_CHUNK_BYTES,
  SnapshotHash,
  snapshotChunks,
} from '../../core/engine/index.ts';
import {
  type CommandFrame,
  decodeCommandFrame,
  type EventFrame,
  INITIAL_LIMITS,
} from '../../core/messages/index.ts';
import {
  type ChunkReceiver,
  equalBytes,
  NO_HASH,
  type SealedFrame,
  type Snapshot,
  type SnapshotInfo,
  snapshotFrom,
} from '../journal/index.ts';
import { type EncodedEvents, encodeEvents } from './encode-events.ts';
import { type OutputDigest, OutputDigests } from './output-digests.ts';

/**
 * The log does not continue the state: the log is damaged, or the state is not the expected one.
 */
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
  /** Epoch of the last applied frame. */
  #epoch: number;
  #frameHash: Uint8Array;
  readonly #digests = new OutputDigests();

  private constructor(exchange: Exchange, last: Pick<Replica, 'epoch' | 'frameHash'>) {
    this.exchange = exchange;
    this.#epoch = last.epoch;
    this.#frameHash = last.frameHash;
  }

  /** The state before the first frame of a log. */
  static create(): Replica {
    const exchange = createExchange(INITIAL_LIMITS, drawHashKey());
    return new Replica(exchange, { epoch: 0, frameHash: NO_HASH });
  }

  /** Restores a replica chunk by chunk. */
  static restoration(info: SnapshotInfo): ReplicaRestoration {
    const state = new ExchangeRestoration(undefined, drawHashKey());
    const hash = new SnapshotHash();
    let fault: { readonly thrown: unknown } | undefined;
    return {
      info,
      add(chunk) {
        hash.add(chunk);
        if (fault !== undefined) return;
        try {
          state.add(chunk);
        } catch (thrown) {
          fault = { thrown };
        }
      },
      end() {
        const found = hash.end();
        if (found !== info.stateHash) {
          throw new ChainFault(
            `snapshot ${info.sequence} hashes to ${found}, not ${info.stateHash}`,
          );
        }
        if (fault !== undefined) throw fault.thrown;
        const exchange = state.end();
        if (exchange.sequence !== info.sequence) {
          throw new ChainFault(
            `snapshot ${info.sequence} holds the state of frame ${exchange.sequence}`,
          );
        }
        return new Replica(exchange, {
          epoch: info.epoch,
          frameHash: Uint8Array.from(Buffer.from(info.frameHash, 'hex')),
        });
      },
    };
  }

  get sequence(): number {
    return this.exchange.sequence;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** The hash of the last frame's bytes, which the next frame names as its previous hash. */
  get frameHash(): Uint8Array {
    return this.#frameHash;
  }

  /** Digests of the events of the latest frames, to compare with another replica. */
  get outputDigests(): readonly OutputDigest[] {
    return this.#digests.finished;
  }

  /**
   * Applies a frame from the log. Throws ChainFault when it does not continue the state, CodecFault
   * when it is not a frame, and PoisonFault when the engine fails where the writer's did not.
   */
  follow(sealed: SealedFrame): Applied {
    const frame = decodeCommandFrame(sealed.frame);
    if (frame.sequence !== this.sequence + 1) {
      throw new ChainFault(`frame ${frame.sequence} does not follow frame ${this.sequence}`);
    }
    if (!equalBytes(frame.previousHash, this.#frameHash)) {
      throw new ChainFault(`frame ${frame.sequence} does not chain to frame ${this.sequence}`);
    }
    if (frame.epoch < this.#epoch) {
      throw new ChainFault(`frame ${frame.sequence} goes back to epoch ${frame.epoch}`);
    }
    return this.apply(frame, sealed.frameHash);
  }

  /** Applies a frame whose bytes have this hash; finds spans for `spansFor` commands. */
  apply(frame: CommandFrame, frameHash: Uint8Array, spansFor = 0): Applied {
    return this.#record(frame, frameHash, applyFrame(this.exchange, frame), spansFor);
  }

  /**
   * Applies commands of a frame that is still being made until they have visited `visitsMax`
   * orders, at least one command. `finish` must follow, with exactly the commands applied.
   */
  begin(draft: CommandFrame, visitsMax: number): EventFrame {
    return applyFrame(this.exchange, draft, undefined, visitsMax);
  }

  finish(frame: CommandFrame, frameHash: Uint8Array, events: EventFrame): Applied {
    return this.#record(frame, frameHash, events, frame.commands.length);
  }

  #record(
    frame: CommandFrame,
    frameHash: Uint8Array,
    events: EventFrame,
    spansFor: number,
  ): Applied {
    const encoded = encodeEvents(events, spansFor);
    this.#digests.add(frame.sequence, encoded.parts);
    this.#epoch = frame.epoch;
    this.#frameHash = frameHash;
    return { frame, events, encoded };
  }

  stateHash(): string {
    return hashExchange(this.exchange);
  }

  /**
   * Its chunks are made from the state when they are read: until then no frame may be applied. Its
   * state hash comes from the chunks; asking for it before they are read costs a separate pass.
   */
  snapshot(chunkBytes = SNAPSHOT_CHUNK_BYTES): Snapshot {
    const { commandsApplied, sequence, timeMs } = this.exchange;
    const hashHere = () => this.stateHash();
    let stateHash: string | undefined;
    const info = {
      sequence,
      epoch: this.#epoch,
      timeMs,
      commandsApplied,
      frameHash: Buffer.from(this.#frameHash).toString('hex'),
      get stateHash(): string {
        stateHash ??= hashHere();
        return stateHash;
      },
    };
    return snapshotFrom(info, () =>
      this.#chunks(sequence, chunkBytes, (found) => {
        stateHash = found;
      }),
    );
  }

  *#chunks(
    sequence: number,
    chunkBytes: number,
    onEnd: (stateHash: string) => void,
  ): Generator<Uint8Array, void> {
    const hash = new SnapshotHash();
    for (const chunk of snapshotChunks(this.exchange, chunkBytes)) {
      if (this.sequence !== sequence) {
        throw new Error(`frame ${this.sequence} was applied while snapshot ${sequence} was read`);
      }
      hash.add(chunk);
      yield chunk;
    }
    onEnd(hash.end());
  }
}

/** `end` throws if the chunks are not a snapshot, or do not match its hash or sequence. */
export interface ReplicaRestoration extends ChunkReceiver {
  readonly info: SnapshotInfo;
  end(): Replica;
}

const HALF = 2 ** 32;

/**
 * A secret key for the engine's hash tables, so no client can choose colliding strings. Events
 * and state do not depend on it, so every process draws its own.
 */
function drawHashKey(): { readonly low: number; readonly high: number } {
  return { low: randomInt(HALF) | 0, high: randomInt(HALF) | 0 };
}
