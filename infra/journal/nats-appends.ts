// Appends to one JetStream stream, several in flight, each fenced by its expected position.
// It never sends anything twice: after `unknown`, the caller queries the log and decides.

import { headers, type Msg, type Subscription } from '@nats-io/transport-node';
import { type Nats, raiseBug, type Watch } from '../bus/index.ts';
import { systemClock, type Timer } from '../process/index.ts';
import type { AppendOutcome } from './log-port.ts';

type Done = (outcome: AppendOutcome) => void;

type Waiting = { readonly sequence: number; readonly dueMs: number; readonly done: Done };

type NatsAppendsOptions = {
  readonly nats: Nats;
  readonly stream: string;
  readonly subject: string;
  /** How long to wait for an acknowledgment. */
  readonly ackTimeoutMs: number;
};

export class NatsAppends {
  readonly #nats: Nats;
  readonly #stream: string;
  readonly #subject: string;
  readonly #ackTimeoutMs: number;
  // In sending order, so the oldest comes first.
  readonly #waiting = new Map<number, Waiting>();
  readonly #inbox: string;
  readonly #acks: Subscription;
  readonly #watch: Watch;
  #sentCount = 0;
  #timer: Timer | undefined;

  constructor({ nats, stream, subject, ackTimeoutMs }: NatsAppendsOptions) {
    this.#nats = nats;
    this.#stream = stream;
    this.#subject = subject;
    this.#ackTimeoutMs = ackTimeoutMs;
    this.#inbox = nats.createInbox();
    this.#acks = nats.client.subscribe(`${this.#inbox}.*`, {
      callback: (fault, message) => this.#onAck(fault, message),
    });
    // After a disconnect, the acknowledgments of appends in flight will not arrive.
    this.#watch = nats.watch(() => this.#giveUpAll());
  }

  append(sequence: number, message: Uint8Array, done: Done): void {
    if (!this.#nats.isConnected) {
      systemClock.soon(() => done('unknown'));
      return;
    }
    const number = (this.#sentCount += 1);
    const fence = headers();
    fence.set('Nats-Expected-Last-Sequence', String(sequence - 1));
    const reply = `${this.#inbox}.${number}`;
    this.#nats.client.publish(this.#subject, message, { reply, headers: fence });
    const dueMs = performance.now() + this.#ackTimeoutMs;
    this.#waiting.set(number, { sequence, dueMs, done });
    if (this.#timer === undefined) this.#startTimer(this.#ackTimeoutMs);
  }

  /** Appends in flight end as unknown. */
  stop(): void {
    this.#watch.stop();
    if (!this.#nats.client.isClosed()) this.#acks.unsubscribe();
    this.#giveUpAll();
    this.#timer?.cancel();
  }

  #onAck(fault: Error | null, message: Msg): void {
    try {
      if (fault !== null) throw fault;
      const number = Number(message.subject.slice(this.#inbox.length + 1));
      const waiting = this.#waiting.get(number);
      // Too late: `unknown` has been reported.
      if (waiting === undefined) return;
      this.#waiting.delete(number);
      const { sequence, done } = waiting;
      done(outcomeOf(message.data, { stream: this.#stream, sequence }));
    } catch (bug) {
      raiseBug(bug);
    }
  }

  #giveUpAll(): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { done } of all) done('unknown');
  }

  // One timer for all appends, set for the oldest. If it is late because the process was busy,
  // acknowledgments might be unread in the socket: they are read before anything is abandoned.
  #startTimer(delayMs: number): void {
    this.#timer = systemClock.after(delayMs, () => {
      this.#timer = systemClock.soon(() => this.#giveUpOverdue());
    });
  }

  #giveUpOverdue(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    const overdue: Done[] = [];
    for (const [number, { dueMs, done }] of this.#waiting) {
      if (dueMs > nowMs) {
        this.#startTimer(dueMs - nowMs);
        break;
      }
      this.#waiting.delete(number);
      overdue.push(done);
    }
    for (const done of overdue) done('unknown');
  }
}

// Error codes of the server for a log that does not end where the writer expects. The server uses
// the second one in cases where it does not report the actual end.
export function isWrongLastSequence(errorCode: unknown): boolean {
  return errorCode === 10_071 || errorCode === 10_164;
}

type Ack = {
  stream?: unknown;
  seq?: unknown;
  duplicate?: unknown;
  error?: { err_code?: unknown };
};

/** The outcome of one append according to the server's acknowledgment. */
export function outcomeOf(
  ack: Uint8Array,
  expected: { readonly stream: string; readonly sequence: number },
): AppendOutcome {
  const { stream, seq, duplicate, error } = parseAck(ack);
  if (error !== undefined) {
    return isWrongLastSequence(error?.err_code) ? 'conflict' : 'unknown';
  }
  const isStored =
    seq === expected.sequence && stream === expected.stream && duplicate === undefined;
  return isStored ? 'stored' : 'unknown';
}

// If no server handles the subject, the response is a status without a body.
function parseAck(ack: Uint8Array): Ack {
  try {
    return JSON.parse(asText(ack)) ?? {};
  } catch {
    return {};
  }
}

function asText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
