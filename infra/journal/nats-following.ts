// Follows one JetStream stream through a push consumer that the server forgets by itself. After
// any failure it makes a new one at the next place; so nothing is missed and nothing comes twice.

import { createInbox, type Msg, type Subscription } from '@nats-io/transport-node';
import { type Nats, raiseBug, type Watch } from '../bus/index.ts';
import { systemClock, type Timer } from '../process/index.ts';
import type { LogSubscription } from './log-port.ts';

type NatsFollowingOptions = {
  readonly nats: Nats;
  readonly stream: string;
  readonly from: number;
  readonly receive: (sequence: number, message: Uint8Array) => void;
};

// The server says every so often that it has nothing to say. Silence is counted in ticks, not in
// time: while the receiver keeps this process busy, no tick passes and nothing is suspected.
const HEARTBEAT_MS = 250;
const TICK_MS = 250;
const SILENT_TICKS_MAX = 4;
const ASK_TIMEOUT_MS = 1_000;
const ASK_AGAIN_AFTER_MS = 200;
// The server forgets a consumer to which nobody has listened for so long.
const FORGET_AFTER_MS = 5_000;
const NANOSECONDS_IN_MS = 1_000_000;

/**
 * asking:  a consumer is asked for, again and again until there is one.
 * running: it delivers. When it is silent or leaves something out, another is asked for.
 * lost:    there is no connection; when it is back, a consumer is asked for.
 * stopped: nothing is delivered any more.
 */
export class NatsFollowing implements LogSubscription {
  readonly #nats: Nats;
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
      if (isConnected) this.#ask();
    });
    if (nats.isConnected) this.#ask();
  }

  stop(): void {
    this.#watch.stop();
    this.#drop();
  }

  #ask(): void {
    const consumer: Consumer = {
      name: undefined,
      subscription: this.#nats.client.subscribe(createInbox(), {
        callback: (fault, message) => this.#onMessage(consumer, fault, message),
      }),
      messageCount: 0,
      silentTicks: 0,
    };
    this.#consumer = consumer;
    void this.#make(consumer);
  }

  async #make(consumer: Consumer): Promise<void> {
    const name = await this.#request(consumer.subscription.getSubject());
    // In the meantime it may have been dropped.
    if (this.#consumer !== consumer) {
      this.#forget(name);
      return;
    }
    if (name === undefined) {
      this.#startAgain();
      return;
    }
    consumer.name = name;
    this.#tick(consumer);
  }

  async #request(deliverSubject: string): Promise<string | undefined> {
    const body = JSON.stringify({
      stream_name: this.#stream,
      config: {
        deliver_subject: deliverSubject,
        deliver_policy: 'by_start_sequence',
        opt_start_seq: this.#nextSequence,
        ack_policy: 'none',
        replay_policy: 'instant',
        // Without it a slow reader would be sent everything at once, and cut off for it.
        flow_control: true,
        idle_heartbeat: HEARTBEAT_MS * NANOSECONDS_IN_MS,
        inactive_threshold: FORGET_AFTER_MS * NANOSECONDS_IN_MS,
        mem_storage: true,
        num_replicas: 1,
      },
    });
    try {
      const api = `$JS.API.CONSUMER.CREATE.${this.#stream}`;
      const answer = await this.#nats.client.request(api, body, { timeout: ASK_TIMEOUT_MS });
      const { name } = answer.json<{ name?: unknown }>();
      return typeof name === 'string' ? name : undefined;
    } catch {
      return undefined;
    }
  }

  #tick(consumer: Consumer): void {
    this.#timer = systemClock.after(TICK_MS, () => {
      consumer.silentTicks += 1;
      if (consumer.silentTicks > SILENT_TICKS_MAX) this.#startAgain();
      else this.#tick(consumer);
    });
  }

  #onMessage(consumer: Consumer, fault: Error | null, message: Msg): void {
    if (this.#consumer !== consumer) return;
    consumer.silentTicks = 0;
    try {
      if (fault !== null) throw fault;
      const place = placeOf(message.reply);
      if (place === undefined) this.#onControl(consumer, message);
      else this.#onPlaced(consumer, place, message.data);
    } catch (bug) {
      this.stop();
      raiseBug(bug);
    }
  }

  #onPlaced(consumer: Consumer, place: Place, message: Uint8Array): void {
    consumer.messageCount += 1;
    if (place.delivery !== consumer.messageCount) {
      this.#startAgain();
      return;
    }
    // A server that lags behind starts at its own end, and so before the place that was asked for.
    if (place.sequence < this.#nextSequence) return;
    this.#nextSequence = place.sequence + 1;
    this.#receive(place.sequence, message);
  }

  // A heartbeat, or the question whether everything up to here has been read; it has.
  #onControl(consumer: Consumer, { reply, headers }: Msg): void {
    const asked = reply || headers?.get('Nats-Consumer-Stalled');
    if (asked) this.#nats.client.publish(asked);
    const sentCount = Number(headers?.get('Nats-Last-Consumer') || 0);
    if (sentCount > consumer.messageCount) this.#startAgain();
  }

  #startAgain(): void {
    this.#drop();
    this.#timer = systemClock.after(ASK_AGAIN_AFTER_MS, () => this.#ask());
  }

  #drop(): void {
    this.#timer?.cancel();
    const consumer = this.#consumer;
    this.#consumer = undefined;
    if (consumer === undefined || this.#nats.client.isClosed()) return;
    consumer.subscription.unsubscribe();
    this.#forget(consumer.name);
  }

  #forget(name: string | undefined): void {
    if (name === undefined || !this.#nats.isConnected) return;
    this.#nats.client.publish(`$JS.API.CONSUMER.DELETE.${this.#stream}.${name}`);
  }
}

type Consumer = {
  /** Undefined until the server has made it. */
  name: string | undefined;
  readonly subscription: Subscription;
  messageCount: number;
  silentTicks: number;
};

type Place = { readonly sequence: number; readonly delivery: number };

/**
 * Where a delivered message stands in the stream, and which one of this consumer it is. Undefined
 * for what is not a message of the stream. The server writes, with dots between:
 * `$JS ACK stream consumer tries SEQUENCE DELIVERY time pending`, or, in a form with more to it,
 * `$JS ACK domain account stream consumer tries SEQUENCE DELIVERY time pending token`.
 */
export function placeOf(reply: string | undefined): Place | undefined {
  if (reply === undefined || !reply.startsWith('$JS.ACK.')) return undefined;
  const words = reply.split('.');
  const at = words.length === 9 ? 5 : 7;
  return { sequence: Number(words[at]), delivery: Number(words[at + 1]) };
}
