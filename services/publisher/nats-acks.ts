// Stream acknowledgments for many messages in flight: one subscription and a number per message,
// where a client request needs a timer, a promise and an error each. Every message is called back
// once.

import type { Msg, MsgHdrs, Subscription } from '@nats-io/transport-node';
import { type Nats, raiseBug } from '../../infra/bus/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';

export interface NatsAcksOptions {
  readonly nats: Nats;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/**
 * Response from the stream. `no_stream`: no stream received the message. `unknown`: it might have
 * been stored.
 */
export type Ack = { readonly stream?: string; readonly seq?: number } | 'no_stream' | 'unknown';

interface Waiting {
  readonly sinceMs: number;
  readonly done: (ack: Ack) => void;
}

const NO_RESPONDERS = 503;

export class NatsAcks {
  readonly #options: NatsAcksOptions;
  readonly #inbox: string;
  /** By number, so the oldest comes first. */
  readonly #waiting = new Map<number, Waiting>();
  #subscription: Subscription | undefined;
  #timer: Timer | undefined;
  #count = 0;

  constructor(options: NatsAcksOptions) {
    this.#options = options;
    this.#inbox = options.nats.createInbox();
    // A response in flight at a disconnect does not arrive over the next connection.
    options.nats.watch((isConnected) => {
      if (!isConnected) this.#giveUp(Number.POSITIVE_INFINITY);
    });
  }

  publish(
    subject: string,
    { headers, payload }: { readonly payload: string; readonly headers: MsgHdrs },
    done: (ack: Ack) => void,
  ): void {
    const { clock, nats } = this.#options;
    if (!nats.isConnected) {
      done('unknown');
      return;
    }
    this.#subscription ??= nats.client.subscribe(`${this.#inbox}.*`, {
      callback: (fault, message) => this.#onMessage(fault, message),
    });
    this.#count += 1;
    this.#waiting.set(this.#count, { sinceMs: clock.elapsedMs(), done });
    nats.client.publish(subject, payload, { headers, reply: `${this.#inbox}.${this.#count}` });
    this.#timer ??= clock.after(this.#options.timeoutMs, () => this.#expire());
  }

  #onMessage(fault: Error | null, message: Msg): void {
    try {
      if (fault !== null) throw fault;
      const number = Number(message.subject.slice(this.#inbox.length + 1));
      const hasNoResponder = message.headers?.code === NO_RESPONDERS;
      this.#end(number, hasNoResponder ? 'no_stream' : read(message));
    } catch (bug) {
      raiseBug(bug);
    }
  }

  #end(number: number, ack: Ack): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    waiting?.done(ack);
  }

  #expire(): void {
    const { clock, timeoutMs } = this.#options;
    this.#timer = undefined;
    this.#giveUp(clock.elapsedMs() - timeoutMs);
    const [oldest] = this.#waiting.values();
    if (oldest === undefined) return;
    const waitMs = oldest.sinceMs + timeoutMs - clock.elapsedMs();
    this.#timer = clock.after(Math.max(1, waitMs), () => this.#expire());
  }

  #giveUp(sinceMsMax: number): void {
    for (const [number, { sinceMs }] of this.#waiting) {
      if (sinceMs > sinceMsMax) return;
      this.#end(number, 'unknown');
    }
  }
}

/** Any client can reply; only an object counts as a stream's response. */
function read(message: Msg): Ack {
  try {
    const ack = message.json<Ack | number | null>();
    return typeof ack === 'object' && ack !== null ? ack : 'unknown';
  } catch {
    return 'unknown';
  }
}
