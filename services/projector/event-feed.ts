// The EVENTS log as a stream that can be held up. What the taker has no room for waits in a bounded
// queue; when that is full, reading stops, and begins again at the next message once there is room.

import {
  decodeEventBatch,
  type EventBatch,
  EventBatchFault,
  LogReader,
  type LogStream,
} from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';

export interface EventFeedOptions {
  readonly log: LogStream;
  readonly clock: Clock;
  readonly from: number;
  readonly retryMs: number;
  readonly watchMs: number;
  /** Bytes that may wait; one message more may come on top. */
  readonly queueBytesMax: number;
  /** Takes the message, or says that there is no room now. The bytes are the log's. */
  offer(sequence: number, batch: EventBatch): boolean;
  onLost(reason: string): void;
}

interface Waiting {
  readonly sequence: number;
  readonly batch: EventBatch;
  readonly bytes: number;
}

/** reading: the log is followed. held: the queue is full, nothing is read. stopped. */
export class EventFeed {
  readonly #options: EventFeedOptions;
  #queue: Waiting[] = [];
  #queueBytes = 0;
  #next: number;
  #reader: LogReader<EventBatch> | undefined;
  #isStopped = false;

  constructor(options: EventFeedOptions) {
    this.#options = options;
    this.#next = options.from;
    this.#read();
  }

  /** The last message that was read from the log. */
  get readSequence(): number {
    return this.#next - 1;
  }

  get isHeld(): boolean {
    return this.#reader === undefined;
  }

  /** There may be room again. */
  resume(): void {
    if (this.#isStopped) return;
    let taken = 0;
    while (taken < this.#queue.length) {
      const { batch, bytes, sequence } = this.#queue[taken];
      if (!this.#options.offer(sequence, batch)) break;
      this.#queueBytes -= bytes;
      taken++;
    }
    this.#queue = this.#queue.slice(taken);
    const hasRoom = this.#queueBytes <= this.#options.queueBytesMax / 2;
    if (this.#reader === undefined && hasRoom) this.#read();
  }

  stop(): void {
    this.#isStopped = true;
    this.#reader?.stop();
    this.#queue = [];
  }

  #read(): void {
    const { clock, log, retryMs, watchMs, onLost } = this.#options;
    this.#reader = new LogReader<EventBatch>({
      log,
      clock,
      from: this.#next,
      retryMs,
      watchMs,
      open: openEventBatch,
      receive: (batch, sequence) => this.#receive(sequence, batch),
      onLost,
    });
  }

  #receive(sequence: number, batch: EventBatch): void {
    if (this.#isStopped) return;
    this.#next = sequence + 1;
    if (this.#queue.length === 0 && this.#options.offer(sequence, batch)) return;
    const bytes = batch.parts.reduce((sum, part) => sum + part.bytes.length, 0);
    this.#queue.push({ sequence, batch: copyOf(batch), bytes });
    this.#queueBytes += bytes;
    if (this.#queueBytes <= this.#options.queueBytesMax) return;
    this.#reader?.stop();
    this.#reader = undefined;
  }
}

function openEventBatch(message: Uint8Array): EventBatch | undefined {
  try {
    return decodeEventBatch(message);
  } catch (fault) {
    if (fault instanceof EventBatchFault) return undefined;
    throw fault;
  }
}

function copyOf(batch: EventBatch): EventBatch {
  const parts = batch.parts.map((part) => ({ ...part, bytes: new Uint8Array(part.bytes) }));
  const [hash, previousHash] = [new Uint8Array(batch.hash), new Uint8Array(batch.previousHash)];
  return { hash, previousHash, parts };
}
