// The log on JetStream: one stream with one subject. It asks only the stream's leader; other
// replicas of the stream may lag and must not be asked for the end of the log.

import type { Nats } from '../bus/index.ts';
import type { AppendOutcome, Extent, LogSubscription, TrimmableLog } from './log-port.ts';
import { NatsAppends } from './nats-appends.ts';
import { NatsLogFollower } from './nats-log-follower.ts';

type JetStreamLogOptions = {
  readonly nats: Nats;
  readonly stream: string;
  readonly subject: string;
  readonly ackTimeoutMs?: number;
};

/** Fits into servers with a limit of 8 MiB: the fence header in front of a message counts too. */
export const LOG_MESSAGE_BYTES_MAX = 8 * 1024 * 1024 - 1_024;

const ACK_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 1_000;

export class JetStreamLog implements TrimmableLog {
  readonly #nats: Nats;
  readonly #stream: string;
  readonly #subject: string;
  readonly #appends: NatsAppends;
  readonly #followings = new Set<NatsLogFollower>();

  constructor({ nats, stream, subject, ackTimeoutMs = ACK_TIMEOUT_MS }: JetStreamLogOptions) {
    this.#nats = nats;
    this.#stream = stream;
    this.#subject = subject;
    this.#appends = new NatsAppends({ nats, stream, subject, ackTimeoutMs });
  }

  append(sequence: number, message: Uint8Array, done: (outcome: AppendOutcome) => void): void {
    if (message.length > LOG_MESSAGE_BYTES_MAX) {
      throw new RangeError(
        `The message has ${message.length} bytes; the log accepts ${LOG_MESSAGE_BYTES_MAX}.`,
      );
    }
    this.#appends.append(sequence, message, done);
  }

  extent(done: (extent: Extent | undefined) => void): void {
    void this.#request(`$JS.API.STREAM.INFO.${this.#stream}`, {}).then((answer) =>
      done(extentOf(answer, this.#subject)),
    );
  }

  read(sequence: number, done: (message: Uint8Array | undefined) => void): void {
    const api = `$JS.API.STREAM.MSG.GET.${this.#stream}`;
    void this.#request(api, { seq: sequence }).then((answer) => done(messageOf(answer)));
  }

  // NOTE: to purge beyond the end would move the end: the server then continues at that sequence.
  trim(first: number, done: (isTrimmed: boolean) => void): void {
    this.extent((extent) => {
      if (extent === undefined || first > extent.last) {
        done(false);
        return;
      }
      const api = `$JS.API.STREAM.PURGE.${this.#stream}`;
      void this.#request(api, { seq: first }).then((answer) =>
        done((answer as { success?: unknown } | undefined)?.success === true),
      );
    });
  }

  follow(from: number, receive: (sequence: number, message: Uint8Array) => void): LogSubscription {
    const following = new NatsLogFollower({
      nats: this.#nats,
      stream: this.#stream,
      from,
      receive,
    });
    this.#followings.add(following);
    return {
      stop: () => {
        following.stop();
        this.#followings.delete(following);
      },
    };
  }

  /** Ends all appends and followers; the connection stays open. */
  stop(): void {
    this.#appends.stop();
    for (const following of this.#followings) following.stop();
    this.#followings.clear();
  }

  async #request(api: string, body: object): Promise<unknown> {
    if (!this.#nats.isConnected) return undefined;
    try {
      const options = { timeout: REQUEST_TIMEOUT_MS };
      return (await this.#nats.client.request(api, JSON.stringify(body), options)).json();
    } catch {
      // No responder, no response in time, or an unreadable response.
      return undefined;
    }
  }
}

type StreamInfo = {
  config?: { subjects?: readonly unknown[] };
  state?: { messages?: unknown; first_seq?: unknown; last_seq?: unknown; last_ts?: unknown };
  /** The clock of the server. */
  ts?: unknown;
};

/**
 * Undefined when the answer does not describe a stream, or one without the subject of the log: that
 * of a log that is being moved does not have all messages yet.
 */
export function extentOf(answer: unknown, subject: string): Extent | undefined {
  const { config, state, ts } = (answer as StreamInfo | undefined) ?? {};
  if (config?.subjects?.[0] !== subject) return undefined;
  const { messages, first_seq: first, last_seq: last } = state ?? {};
  if (!isCount(messages) || !isCount(first) || !isCount(last)) return undefined;
  const extent = messages === 0 ? { first: last + 1, last } : { first, last };
  const clockMs = timeOf(ts);
  if (clockMs === undefined) return extent;
  const lastMs = timeOf(state?.last_ts);
  return { ...extent, clockMs, ...(lastMs === undefined ? {} : { idleMs: clockMs - lastMs }) };
}

/** Undefined even for the time of an empty stream, which is in the year 1. */
function timeOf(text: unknown): number | undefined {
  const timeMs = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return isCount(timeMs) && timeMs > 0 ? timeMs : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

type StoredMessage = { message?: { data?: unknown } };

function messageOf(answer: unknown): Uint8Array | undefined {
  const data = (answer as StoredMessage)?.message?.data;
  return typeof data === 'string' ? Buffer.from(data, 'base64') : undefined;
}
