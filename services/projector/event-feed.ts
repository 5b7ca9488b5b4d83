// The EVENTS log with backpressure. Queues messages that the consumer cannot accept yet, up to a
// limit. When the queue is full, reading pauses; it resumes at the next message when there is room.

import {
  type EventBatch,
  LogReader,
  type LogStream,
  openEventBatch,
} from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';

export interface EventFeedOptions {
  readonly log: LogStream;
  readonly clock: Clock;
  readonly from: number;
  readonly retryMs: number;
  readonly watchMs: number;
  /** Queue limit in bytes; one message can exceed it. */
  readonly queueBytesMax: number;
  /** Returns false if there is no room now. The bytes belong to the log: copy them to keep them. */
  offer(sequence: number, batch: EventBatch): boolean;
  onLost(reason: string): void;
}

interface QueuedMessage {
  readonly sequence: number;
  readonly batch: EventBatch;
  readonly bytes: number;
}

/** reading ◀──▶ paused: the queue is full; any ──stop──▶ stopped */
export class EventFeed {
  readonly #options: EventFeedOptions;
  #queue: QueuedMessage[] = [];
  #queueBytes = 0;
  #next: number;
  #reader: LogReader<EventBatch> | undefined;
  #isStopped = false;

  constructor(options: EventFeedOptions) {
    this.#options = options;
    this.#next = options.from;
    this.#read();
  }

  /** Last message read from the log. */
  get readSequence(): number {
    return this.#next - 1;
  }

  get isPaused(): boolean {
    return this.#reader === undefined;
  }

  /** Offers queued messages again; call it when there might be room. */
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

function copyOf(batch: EventBatch): EventBatch {
  const parts = batch.parts.map((part) => ({ ...part, bytes: new Uint8Array(part.bytes) }));
  const [hash, previousHash] = [new Uint8Array(batch.hash), new Uint8Array(batch.previousHash)];
  return { hash, previousHash, parts };
}
