// Reads the last value of every subject of a stream once, through a push consumer that the server
// forgets by itself. It either tells that it has read all of them, or that it could not.

import { createInbox, type Msg, type Subscription } from '@nats-io/transport-node';
import { type Nats, raiseBug } from '../bus/index.ts';
import type { Clock, Timer } from '../process/index.ts';

export interface StreamReadingOptions {
  readonly nats: Nats;
  readonly clock: Clock;
  readonly stream: string;
  /** Which subjects of it. */
  readonly filter: string;
  receive(message: Msg): void;
  /** Called once, unless it is stopped before. */
  done(isComplete: boolean): void;
}

// The server says every so often that it has nothing to say. Silence is counted in ticks, not in
// time: while the receiver keeps this process busy, no tick passes and nothing is suspected.
const HEARTBEAT_MS = 250;
const TICK_MS = 250;
const SILENT_TICKS_MAX = 8;
const ASK_TIMEOUT_MS = 2_000;
// The server forgets a consumer to which nobody has listened for so long.
const FORGET_AFTER_MS = 5_000;
const NANOSECONDS_IN_MS = 1_000_000;
const STATUS_CONTROL = 100;

/** asking ──made──▶ reading ──all read──▶ over; any ──fault, silence, stop──▶ over */
export class StreamReading {
  readonly #options: StreamReadingOptions;
  readonly #subscription: Subscription;
  /** Undefined until the server has made it. */
  #consumer: string | undefined;
  #wantedCount = Number.POSITIVE_INFINITY;
  #count = 0;
  #silentTicks = 0;
  #isOver = false;
  #timer: Timer | undefined;

  constructor(options: StreamReadingOptions) {
    this.#options = options;
    this.#subscription = options.nats.client.subscribe(createInbox(), {
      callback: (fault, message) => this.#onMessage(fault, message),
    });
    void this.#ask();
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.cancel();
    const { client } = this.#options.nats;
    if (!client.isClosed()) this.#subscription.unsubscribe();
    this.#forget(this.#consumer);
  }

  async #ask(): Promise<void> {
    const made = await this.#request();
    if (this.#isOver) {
      this.#forget(made?.name);
      return;
    }
    if (made === undefined) {
      this.#end(false);
      return;
    }
    this.#consumer = made.name;
    this.#wantedCount = made.count;
    this.#tick();
    this.#endWhenRead();
  }

  async #request(): Promise<{ name: string; count: number } | undefined> {
    const { filter, nats, stream } = this.#options;
    const body = JSON.stringify({
      stream_name: stream,
      config: {
        deliver_subject: this.#subscription.getSubject(),
        deliver_policy: 'last_per_subject',
        filter_subject: filter,
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
      const api = `$JS.API.CONSUMER.CREATE.${stream}`;
      const answer = await nats.client.request(api, body, { timeout: ASK_TIMEOUT_MS });
      const made = answer.json<ConsumerMade>();
      if (typeof made.name !== 'string') return undefined;
      // Some may have been delivered before the answer was written.
      const count = (made.num_pending ?? 0) + (made.delivered?.consumer_seq ?? 0);
      return { name: made.name, count };
    } catch {
      return undefined;
    }
  }

  #tick(): void {
    this.#timer = this.#options.clock.after(TICK_MS, () => {
      this.#silentTicks += 1;
      if (this.#silentTicks > SILENT_TICKS_MAX) this.#end(false);
      else this.#tick();
    });
  }

  #onMessage(fault: Error | null, message: Msg): void {
    if (this.#isOver) return;
    this.#silentTicks = 0;
    try {
      if (fault !== null) throw fault;
      if (message.headers?.code === STATUS_CONTROL) {
        this.#onControl(message);
        return;
      }
      this.#count += 1;
      this.#options.receive(message);
      this.#endWhenRead();
    } catch (bug) {
      this.stop();
      raiseBug(bug);
    }
  }

  // What is replaced while it waits to be delivered comes again behind the rest. It does not matter
  // which of those is counted: the listener hears them too, because it began to listen before.
  #endWhenRead(): void {
    if (this.#count >= this.#wantedCount) this.#end(true);
  }

  // A heartbeat, or the question whether everything up to here has been read; it has.
  #onControl({ headers, reply }: Msg): void {
    const asked = reply || headers?.get('Nats-Consumer-Stalled');
    if (asked) {
      this.#options.nats.client.publish(asked);
      return;
    }
    // Nothing more is to come, and yet there were more: removed in the meantime, or lost on their
    // way. Who reads again learns which.
    if (this.#consumer !== undefined) this.#end(false);
  }

  #end(isComplete: boolean): void {
    if (this.#isOver) return;
    this.stop();
    this.#options.done(isComplete);
  }

  #forget(consumer: string | undefined): void {
    const { nats, stream } = this.#options;
    if (consumer === undefined || !nats.isConnected) return;
    nats.client.publish(`$JS.API.CONSUMER.DELETE.${stream}.${consumer}`);
  }
}

type ConsumerMade = {
  readonly name?: unknown;
  readonly num_pending?: number;
  readonly delivered?: { readonly consumer_seq?: number };
};
