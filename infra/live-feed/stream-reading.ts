// Reads the last value of every subject of a stream once, through an ephemeral push consumer. It
// reports whether it has read all of them.

import type { Msg, Subscription } from '@nats-io/transport-node';
import { type Nats, raiseBug } from '../bus/index.ts';
import type { Clock, Timer } from '../process/index.ts';

export interface StreamReadingOptions {
  readonly nats: Nats;
  readonly clock: Clock;
  readonly stream: string;
  /** The subjects to read. */
  readonly filter: string;
  receive(message: Msg): void;
  /** Called once, unless it is stopped before. */
  done(isComplete: boolean): void;
}

// The server sends heartbeats when idle. Silence is counted in ticks, not in time: while the
// receiver keeps this process busy, no tick passes and no fault is assumed.
const HEARTBEAT_MS = 250;
const TICK_MS = 250;
const SILENT_TICKS_MAX = 8;
const REQUEST_TIMEOUT_MS = 2_000;
// The server removes a consumer without a subscriber after this time.
const CONSUMER_EXPIRES_MS = 5_000;
const NANOSECONDS_IN_MS = 1_000_000;
const STATUS_CONTROL = 100;

/** creating ──created──▶ reading ──all read──▶ over; any ──fault, silence, stop──▶ over */
export class StreamReading {
  readonly #options: StreamReadingOptions;
  readonly #subscription: Subscription;
  /** Undefined until the server has created it. */
  #consumer: string | undefined;
  #expectedCount = Number.POSITIVE_INFINITY;
  #count = 0;
  #silentTicks = 0;
  #isOver = false;
  #timer: Timer | undefined;

  constructor(options: StreamReadingOptions) {
    this.#options = options;
    this.#subscription = options.nats.client.subscribe(options.nats.createInbox(), {
      callback: (fault, message) => this.#onMessage(fault, message),
    });
    void this.#create();
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.cancel();
    const { client } = this.#options.nats;
    if (!client.isClosed()) this.#subscription.unsubscribe();
    this.#deleteConsumer(this.#consumer);
  }

  async #create(): Promise<void> {
    const created = await this.#request();
    if (this.#isOver) {
      this.#deleteConsumer(created?.name);
      return;
    }
    if (created === undefined) {
      this.#end(false);
      return;
    }
    this.#consumer = created.name;
    this.#expectedCount = created.count;
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
        // Without flow control, the server sends everything and disconnects a slow reader.
        flow_control: true,
        idle_heartbeat: HEARTBEAT_MS * NANOSECONDS_IN_MS,
        inactive_threshold: CONSUMER_EXPIRES_MS * NANOSECONDS_IN_MS,
        mem_storage: true,
        num_replicas: 1,
      },
    });
    try {
      const api = `$JS.API.CONSUMER.CREATE.${stream}`;
      const answer = await nats.client.request(api, body, { timeout: REQUEST_TIMEOUT_MS });
      const created = answer.json<ConsumerCreated>();
      if (typeof created.name !== 'string') return undefined;
      // Some may have been delivered before the answer was written.
      const count = (created.num_pending ?? 0) + (created.delivered?.consumer_seq ?? 0);
      return { name: created.name, count };
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

  // A value that is replaced before its delivery is delivered again at the end. Either count is
  // fine: the subscriber receives both, because it subscribed before the read.
  #endWhenRead(): void {
    if (this.#count >= this.#expectedCount) this.#end(true);
  }

  // A heartbeat, or a flow control request, which is answered immediately.
  #onControl({ headers, reply }: Msg): void {
    const replyTo = reply || headers?.get('Nats-Consumer-Stalled');
    if (replyTo) {
      this.#options.nats.client.publish(replyTo);
      return;
    }
    // No more messages follow, although more were expected: removed meanwhile, or lost. The next
    // read shows which.
    if (this.#consumer !== undefined) this.#end(false);
  }

  #end(isComplete: boolean): void {
    if (this.#isOver) return;
    this.stop();
    this.#options.done(isComplete);
  }

  #deleteConsumer(consumer: string | undefined): void {
    const { nats, stream } = this.#options;
    if (consumer === undefined || !nats.isConnected) return;
    nats.client.publish(`$JS.API.CONSUMER.DELETE.${stream}.${consumer}`);
  }
}

type ConsumerCreated = {
  readonly name?: unknown;
  readonly num_pending?: number;
  readonly delivered?: { readonly consumer_seq?: number };
};
