// The stream: one reconnecting websocket over which a program subscribes to books, trades and its
// own account.

import {
  type AccountOptions,
  AccountSubscriber,
  type StreamFault,
  type UserEvents,
} from './account-subscriber.ts';
import { type Book, type BookOptions, BookSubscriber } from './book-subscriber.ts';
import { DisconnectProtection } from './disconnect-protection.ts';
import { withDecimals } from './read-message.ts';
import type { CommonOptions, DecimalOf } from './rest-caller.ts';
import { RialtoError } from './rialto-error.ts';
import { type Credentials, Signer } from './signer.ts';
import {
  STREAM_TIMINGS,
  StreamConnection,
  type StreamStatus,
  type StreamTimings,
  type TopicMessage,
} from './stream-connection.ts';
import { type SubscribeOptions, Subscription } from './subscription.ts';
import { type Subscriber, SubscriptionSet } from './subscription-set.ts';
import type { StreamMessages } from './wire.generated.ts';

export type StreamOptions<Form = 'text' | 'number'> = CommonOptions<Form> & {
  /** The exchange's URL, with or without `/stream`. With several, each reconnect uses the next. */
  readonly url: string | readonly string[];
  /** Called with each new status and its reason. */
  readonly onStatus?: (status: StreamStatus, why: string) => void;
  /** Called when verification failed and the client resubscribes. No wrong data was delivered. */
  readonly onFault?: (channel: string, fault: StreamFault) => void;
  /** Called with the time from each ping to its answer. */
  readonly onLatency?: (latencyMs: number) => void;
  readonly timings?: Partial<StreamTimings>;
  readonly webSocket?: typeof WebSocket;
} & (Credentials | { readonly key?: never });

/** Topics for `subscribe`; `book` and `account` combine several messages. */
export type Topic = Exclude<keyof StreamMessages, 'private'>;

export class RialtoStream<const Form = 'text'> {
  readonly #connection: StreamConnection;
  readonly #subscriptions: SubscriptionSet;
  readonly #options: StreamOptions;
  readonly #protection: DisconnectProtection;

  constructor(options: StreamOptions<Form>) {
    this.#options = options;
    const { key, nowMs = Date.now, timings, webSocket = WebSocket } = options;
    this.#connection = new StreamConnection({
      urls: [options.url].flat().map(streamUrl),
      signer: key === undefined ? undefined : new Signer(options, nowMs),
      timings: { ...STREAM_TIMINGS, ...timings },
      webSocket,
      onStatus: (status, why) => this.#onStatus(status, why),
      onOpen: () => void this.#onOpen(),
      onMessage: (message, text) => this.#onMessage(message, text),
      onLatency: (latencyMs) => options.onLatency?.(latencyMs),
      onFailed: (error) => {
        this.#protection.fail(error);
        this.#subscriptions.fail(error);
      },
    });
    this.#subscriptions = new SubscriptionSet(this.#connection);
    this.#protection = new DisconnectProtection(this.#connection, () => {
      options.onFault?.('cancel_on_disconnect', 'not protected');
    });
  }

  get status(): StreamStatus {
    return this.#connection.status;
  }

  /**
   * The messages of a topic as they arrive: first the current state, then changes. After a
   * reconnect it starts with the current state again.
   */
  subscribe<const Name extends Topic>(
    topic: Name,
    options: SubscribeOptions<StreamMessages<DecimalOf<Form>>[Name]> & {
      /** A pair; all pairs if absent. Private topics and prices have none. */
      readonly symbol?: string;
    } = {},
  ): Subscription<StreamMessages<DecimalOf<Form>>[Name]> {
    const subscription = new Subscription(options, () => this.#subscriptions.remove(subscriber));
    const subscriber: Subscriber = {
      topic,
      symbol: options.symbol?.toLowerCase(),
      requestFields: () => ({}),
      onSubscribe() {},
      onMessage: (message) => subscription.push(message as never),
      onFailure: (error) => subscription.fail(error),
      onClose: () => subscription.close(),
    };
    this.#add(subscriber);
    return subscription;
  }

  /** The full order book of a market after each change. */
  book(symbol: string, options: BookOptions = {}): Subscription<Book> {
    const lower = symbol.toLowerCase();
    const subscriber = new BookSubscriber(
      { ...options, symbol: lower },
      this.#callbacksFor(() => subscriber),
    );
    this.#add(subscriber);
    return subscriber.subscription;
  }

  /** All events of your orders, trades and balances, in order and exactly once. */
  account(
    options: AccountOptions<DecimalOf<Form>> = {},
  ): Subscription<UserEvents<DecimalOf<Form>>> {
    const callbacks = this.#callbacksFor(() => subscriber);
    const subscriber: AccountSubscriber<DecimalOf<Form>> = new AccountSubscriber(
      options,
      callbacks,
    );
    this.#add(subscriber);
    return subscriber.subscription;
  }

  /**
   * The exchange cancels this key's orders when the connection has been down for this many
   * seconds, even if this program or the gateway crashes. 0 turns it off. The client repeats the
   * request after each reconnect. Resolves to the exchange's confirmation.
   */
  cancelOnDisconnect(timeoutS: number): Promise<string> {
    return this.#protection.set(timeoutS);
  }

  /** Closes the stream and all its subscriptions. */
  close(): void {
    if (this.#connection.status === 'closed') return;
    this.#connection.close();
    this.#protection.fail(new RialtoError({ message: 'The stream is closed' }));
    this.#subscriptions.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #add(subscriber: Subscriber): void {
    const { status } = this.#connection;
    if (status === 'closed' || status === 'failed') {
      throw new RialtoError({ message: `The stream is ${status}` });
    }
    this.#subscriptions.add(subscriber);
    this.#connection.open();
  }

  #callbacksFor(subscriber: () => Subscriber) {
    const channelOf = ({ symbol, topic }: Subscriber) =>
      symbol === undefined ? topic : `${topic}:${symbol}`;
    return {
      restart: () => this.#subscriptions.restart(subscriber()),
      end: () => this.#subscriptions.remove(subscriber()),
      fault: (fault: StreamFault) => this.#options.onFault?.(channelOf(subscriber()), fault),
    };
  }

  async #onOpen(): Promise<void> {
    await this.#protection.resend();
    this.#subscriptions.sync();
  }

  #onMessage(message: TopicMessage, text: string): void {
    const isText = (this.#options.decimals ?? 'text') === 'text';
    this.#subscriptions.onMessage(isText ? withDecimals(message, text) : message, text);
  }

  #onStatus(status: StreamStatus, why: string): void {
    if (status === 'waiting') this.#subscriptions.onDisconnect();
    this.#options.onStatus?.(status, why);
  }
}

/** Accepts `https://host/api` and `wss://host/api/stream` alike. */
function streamUrl(url: string): string {
  const trimmed = url.replace(/^http/, 'ws').replace(/\/+$/, '');
  return trimmed.endsWith('/stream') ? trimmed : `${trimmed}/stream`;
}
