// Follows one JetStream stream through an ephemeral push consumer. After any failure it creates a
// new consumer at the next sequence, so nothing is missing and nothing is repeated.

import type { Msg } from '@nats-io/transport-node';
import { type Nats, raiseBug, type Watch } from '../bus/index.ts';
import { systemClock, type Timer } from '../process/index.ts';
import type { LogSubscription } from './log-port.ts';

export type Delivered = Pick<Msg, 'data' | 'headers' | 'reply'>;

type Subscription = { getSubject(): string; unsubscribe(): void };

/** The part of a NATS connection that a follower uses. */
export interface FollowedNats extends Pick<Nats, 'createInbox' | 'isConnected' | 'watch'> {
  readonly client: {
    isClosed(): boolean;
    publish(subject: string): void;
    subscribe(
      subject: string,
      options: { callback(fault: Error | null, message: Delivered): void },
    ): Subscription;
    request(
      subject: string,
      body: string,
      options: { timeout: number },
    ): Promise<{ json(): unknown }>;
  };
}

type NatsFollowingOptions = {
  readonly nats: FollowedNats;
  readonly stream: string;
  readonly from: number;
  readonly receive: (sequence: number, message: Uint8Array) => void;
};

// The server sends idle heartbeats. Silence is counted in ticks, not in time: while the receiver
// keeps this process busy, no tick passes and the server is not suspected.
const HEARTBEAT_MS = 250;
const TICK_MS = 250;
const SILENT_TICKS_MAX = 4;
const REQUEST_TIMEOUT_MS = 1_000;
const RETRY_AFTER_MS = 200;
// The server deletes a consumer that had no subscriber for this long.
const INACTIVE_AFTER_MS = 5_000;
const NANOSECONDS_IN_MS = 1_000_000;

/**
 * requesting: requests a consumer, and retries until the server creates one.
 * running:    the consumer delivers. If it is silent or skips a message, another is requested.
 * lost:       disconnected; requests a consumer after the reconnect.
 * stopped:    delivers nothing more.
 */
export class NatsLogFollower implements LogSubscription {
  readonly #nats: FollowedNats;
  readonly #stream: string;
  readonly #receive: (sequence: number, message: Uint8Array) => void;
  readonly #watch: Watch;
  #nextSequence: number;
  #consumer: Consumer | undefined;
  #timer: Timer | undefined;

  constructor({ nats, stream, from, receive }: NatsFollowingOptions) {
    this.#nats = nats;
    this.#stream = stream;
    this.#receive = receive;
    this.#nextSequence = from;
    this.#watch = nats.watch((isConnected) => {
      this.#drop();
      if (isConnected) this.#requestConsumer();
    });
    if (nats.isConnected) this.#requestConsumer();
  }

  stop(): void {
    this.#watch.stop();
    this.#drop();
  }

  #requestConsumer(): void {
    const consumer: Consumer = {
      name: undefined,
      subscription: this.#nats.client.subscribe(this.#nats.createInbox(), {
        callback: (fault, message) => this.#onMessage(consumer, fault, message),
      }),
      messageCount: 0,
      silentTicks: 0,
    };
    this.#consumer = consumer;
    void this.#create(consumer);
  }

  async #create(consumer: Consumer): Promise<void> {
    const name = await this.#requestName(consumer.subscription.getSubject());
    // It might have been dropped in the meantime.
    if (this.#consumer !== consumer) {
      this.#delete(name);
      return;
    }
    if (name === undefined) {
      this.#restart();
      return;
    }
    consumer.name = name;
    this.#tick(consumer);
  }

  async #requestName(deliverSubject: string): Promise<string | undefined> {
    const body = JSON.stringify({
      stream_name: this.#stream,
      config: {
        deliver_subject: deliverSubject,
        deliver_policy: 'by_start_sequence',
        opt_start_seq: this.#nextSequence,
        ack_policy: 'none',
        replay_policy: 'instant',
        // Without flow control, the server sends everything and disconnects a slow reader.
        flow_control: true,
        idle_heartbeat: HEARTBEAT_MS * NANOSECONDS_IN_MS,
        inactive_threshold: INACTIVE_AFTER_MS * NANOSECONDS_IN_MS,
        mem_storage: true,
        num_replicas: 1,
      },
    });
    try {
      const api = `$JS.API.CONSUMER.CREATE.${this.#stream}`;
      const answer = await this.#nats.client.request(api, body, { timeout: REQUEST_TIMEOUT_MS });
      const { name } = answer.json() as { name?: unknown };
      return typeof name === 'string' ? name : undefined;
    } catch {
      return undefined;
    }
  }

  #tick(consumer: Consumer): void {
    this.#timer = systemClock.after(TICK_MS, () => {
      consumer.silentTicks += 1;
      if (consumer.silentTicks > SILENT_TICKS_MAX) this.#restart();
      else this.#tick(consumer);
    });
  }

  #onMessage(consumer: Consumer, fault: Error | null, message: Delivered): void {
    if (this.#consumer !== consumer) return;
    consumer.silentTicks = 0;
    try {
      if (fault !== null) throw fault;
      const position = positionOf(message.reply);
      if (position === undefined) this.#onControl(consumer, message);
      else this.#onStreamMessage(consumer, position, message.data);
    } catch (bug) {
      this.stop();
      raiseBug(bug);
    }
  }

  #onStreamMessage(consumer: Consumer, position: Position, message: Uint8Array): void {
    consumer.messageCount += 1;
    if (position.delivery !== consumer.messageCount) {
      this.#restart();
      return;
    }
    // A lagging server starts at its own end, which may be before the requested sequence.
    if (position.sequence < this.#nextSequence) return;
    this.#nextSequence = position.sequence + 1;
    this.#receive(position.sequence, message);
  }

  // A heartbeat, or a flow control request: everything up to here has been read.
  #onControl(consumer: Consumer, { reply, headers }: Delivered): void {
    const replyTo = reply || headers?.get('Nats-Consumer-Stalled');
    if (replyTo) this.#nats.client.publish(replyTo);
    const sentCount = Number(headers?.get('Nats-Last-Consumer') || 0);
    if (sentCount > consumer.messageCount) this.#restart();
  }

  #restart(): void {
    this.#drop();
    this.#timer = systemClock.after(RETRY_AFTER_MS, () => this.#requestConsumer());
  }

  #drop(): void {
    this.#timer?.cancel();
    const consumer = this.#consumer;
    this.#consumer = undefined;
    if (consumer === undefined || this.#nats.client.isClosed()) return;
    consumer.subscription.unsubscribe();
    this.#delete(consumer.name);
  }

  #delete(name: string | undefined): void {
    if (name === undefined || !this.#nats.isConnected) return;
    this.#nats.client.publish(`$JS.API.CONSUMER.DELETE.${this.#stream}.${name}`);
  }
}

type Consumer = {
  /** Undefined until the server has created it. */
  name: string | undefined;
  readonly subscription: Subscription;
  messageCount: number;
  silentTicks: number;
};

type Position = { readonly sequence: number; readonly delivery: number };

/**
 * The stream sequence and the delivery number of a message. Undefined for messages that are not
 * from the stream. The server writes, separated by dots: `$JS ACK stream consumer tries SEQUENCE
 * DELIVERY time pending`, or, in a longer form, `$JS ACK domain account stream consumer tries
 * SEQUENCE DELIVERY time pending token`.
 */
export function positionOf(reply: string | undefined): Position | undefined {
  if (reply === undefined || !reply.startsWith('$JS.ACK.')) return undefined;
  const fields = reply.split('.');
  const at = fields.length === 9 ? 5 : 7;
  return { sequence: Number(fields[at]), delivery: Number(fields[at + 1]) };
}
