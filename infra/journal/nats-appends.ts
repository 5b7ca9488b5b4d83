// Appends to one JetStream stream, several under way at once, each fenced by the place it expects.
// It never sends anything twice: whoever gets `unknown` asks the log and decides.

import { createInbox, headers, type Msg, type Subscription } from '@nats-io/transport-node';
import { type Nats, raiseBug, type Watch } from '../bus/index.ts';
import { systemClock, type Timer } from '../process/index.ts';
import type { AppendOutcome } from './log-port.ts';

type Done = (outcome: AppendOutcome) => void;

type Waiting = { readonly sequence: number; readonly dueMs: number; readonly done: Done };

type NatsAppendsOptions = {
  readonly nats: Nats;
  readonly stream: string;
  readonly subject: string;
  /** How long an acknowledgement is waited for. */
  readonly ackTimeoutMs: number;
};

export class NatsAppends {
  readonly #nats: Nats;
  readonly #stream: string;
  readonly #subject: string;
  readonly #ackTimeoutMs: number;
  // In the order of sending, so that the oldest comes first.
  readonly #waiting = new Map<number, Waiting>();
  readonly #inbox = createInbox();
  readonly #acks: Subscription;
  readonly #watch: Watch;
  #sentCount = 0;
  #timer: Timer | undefined;

  constructor({ nats, stream, subject, ackTimeoutMs }: NatsAppendsOptions) {
    this.#nats = nats;
    this.#stream = stream;
    this.#subject = subject;
    this.#ackTimeoutMs = ackTimeoutMs;
    this.#acks = nats.client.subscribe(`${this.#inbox}.*`, {
      callback: (fault, message) => this.#onAck(fault, message),
    });
    // The acknowledgements of what was under way will not come any more.
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

  /** What is under way ends as unknown. */
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
      // It came too late, and `unknown` has been said.
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

  // One timer for all of them, set for the oldest. When it is late because the process was busy,
  // acknowledgements may wait to be read: they come first, before anything is given up.
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

// Error codes of the server: the log does not end where the writer expects. The second one stands
// for cases in which the server does not say where it ends.
export function isWrongLastSequence(errorCode: unknown): boolean {
  return errorCode === 10_071 || errorCode === 10_164;
}

type Ack = {
  stream?: unknown;
  seq?: unknown;
  duplicate?: unknown;
  error?: { err_code?: unknown };
};

/** What an acknowledgement of the server says about one append. */
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

// Without anybody to take the message, the server answers with nothing but a status.
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
