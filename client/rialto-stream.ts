// The stream: one connection over which a program follows books, trades and its own account, for as
// long as it wants, whatever happens to the connection.

import { DisconnectProtection } from './disconnect-protection.ts';
import { type Book, BookFollower, type BookOptions } from './followed-book.ts';
import { Following, type FollowOptions } from './following.ts';
import {
  PrivateFollower,
  type PrivateNews,
  type PrivateOptions,
  type Trouble,
} from './private-news.ts';
import { withDecimals } from './read-message.ts';
import type { CommonOptions, DecimalOf } from './rest-caller.ts';
import { RialtoError } from './rialto-error.ts';
import { type Credentials, Signer } from './signer.ts';
import {
  STREAM_TIMINGS,
  StreamLink,
  type StreamStatus,
  type StreamTimings,
  type TopicMessage,
} from './stream-link.ts';
import { type Follower, Subscriptions } from './subscriptions.ts';
import type { StreamMessages } from './wire.generated.ts';

export type StreamOptions<Form = 'text' | 'number'> = CommonOptions<Form> & {
  /** Of the exchange, with or without `/stream`. Of several, the next is tried after a loss. */
  readonly url: string | readonly string[];
  /** Told of each change: what the stream is now, and why. */
  readonly onStatus?: (status: StreamStatus, why: string) => void;
  /** Something was not as it should be, and is being repaired. Nothing wrong was handed on. */
  readonly onTrouble?: (channel: string, trouble: Trouble) => void;
  readonly timings?: Partial<StreamTimings>;
  readonly webSocket?: typeof WebSocket;
} & (Credentials | { readonly key?: never });

/** What can be followed as it comes; `book` and `account` follow what has to be put together. */
export type Topic = Exclude<keyof StreamMessages, 'private'>;

export class RialtoStream<const Form = 'text'> {
  readonly #link: StreamLink;
  readonly #subscriptions: Subscriptions;
  readonly #options: StreamOptions;
  readonly #protection: DisconnectProtection;

  constructor(options: StreamOptions<Form>) {
    this.#options = options;
    const { key, nowMs = Date.now, timings, webSocket = WebSocket } = options;
    this.#link = new StreamLink({
      urls: [options.url].flat().map(streamUrl),
      signer: key === undefined ? undefined : new Signer(options, nowMs),
      timings: { ...STREAM_TIMINGS, ...timings },
      webSocket,
      onStatus: (status, why) => this.#noteStatus(status, why),
      onOpen: () => void this.#onOpen(),
      onMessage: (message, text) => this.#hear(message, text),
      onFailed: (error) => {
        this.#protection.fail(error);
        this.#subscriptions.fail(error);
      },
    });
    this.#subscriptions = new Subscriptions(this.#link);
    this.#protection = new DisconnectProtection(this.#link, () => {
      options.onTrouble?.('cancel_on_disconnect', 'not protected');
    });
  }

  get status(): StreamStatus {
    return this.#link.status;
  }

  /**
   * What comes from a topic, as it comes: first what is there, then what is new. After a lost
   * connection it begins with what is there again.
   */
  follow<const Name extends Topic>(
    topic: Name,
    options: FollowOptions<StreamMessages<DecimalOf<Form>>[Name]> & {
      /** A pair; without it, all of them. Private topics and prices have none. */
      readonly symbol?: string;
    } = {},
  ): Following<StreamMessages<DecimalOf<Form>>[Name]> {
    const following = new Following(options, () => this.#subscriptions.remove(follower));
    const follower: Follower = {
      topic,
      symbol: options.symbol?.toLowerCase(),
      fields: () => ({}),
      begin() {},
      take: (message) => following.give(message as never),
      fail: (error) => following.fail(error),
      end: () => following.close(),
    };
    this.#add(follower);
    return following;
  }

  /** A market's whole book, after each change. */
  book(symbol: string, options: BookOptions = {}): Following<Book> {
    const lower = symbol.toLowerCase();
    const follower = new BookFollower(
      { ...options, symbol: lower },
      this.#for(() => follower),
    );
    this.#add(follower);
    return follower.following;
  }

  /** Everything that happens to your orders, trades and balances, once and in order. */
  account(options: PrivateOptions<DecimalOf<Form>> = {}): Following<PrivateNews<DecimalOf<Form>>> {
    const events = this.#for(() => follower);
    const follower: PrivateFollower<DecimalOf<Form>> = new PrivateFollower(options, events);
    this.#add(follower);
    return follower.following;
  }

  /**
   * The orders of this key are cancelled when the connection has been gone for so many seconds,
   * also when this program or the gateway dies. 0 turns it off. Said again after each lost
   * connection. Resolves to the words of the exchange when it has been set.
   */
  cancelOnDisconnect(timeoutS: number): Promise<string> {
    return this.#protection.set(timeoutS);
  }

  /** Ends the stream and everything that is followed. */
  close(): void {
    if (this.#link.status === 'closed') return;
    this.#link.close();
    this.#protection.fail(new RialtoError({ message: 'The stream is closed' }));
    this.#subscriptions.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #add(follower: Follower): void {
    const { status } = this.#link;
    if (status === 'closed' || status === 'failed') {
      throw new RialtoError({ message: `The stream is ${status}` });
    }
    this.#subscriptions.add(follower);
    this.#link.open();
  }

  #for(follower: () => Follower) {
    const channelOf = ({ symbol, topic }: Follower) =>
      symbol === undefined ? topic : `${topic}:${symbol}`;
    return {
      restart: () => this.#subscriptions.restart(follower()),
      end: () => this.#subscriptions.remove(follower()),
      trouble: (trouble: Trouble) => this.#options.onTrouble?.(channelOf(follower()), trouble),
    };
  }

  async #onOpen(): Promise<void> {
    await this.#protection.sayAgain();
    this.#subscriptions.settle();
  }

  #hear(message: TopicMessage, text: string): void {
    const isText = (this.#options.decimals ?? 'text') === 'text';
    this.#subscriptions.hear(isText ? withDecimals(message, text) : message, text);
  }

  #noteStatus(status: StreamStatus, why: string): void {
    if (status === 'waiting') this.#subscriptions.lost();
    this.#options.onStatus?.(status, why);
  }
}

/** `https://host/api` and `wss://host/api/stream` are the same. */
function streamUrl(url: string): string {
  const trimmed = url.replace(/^http/, 'ws').replace(/\/+$/, '');
  return trimmed.endsWith('/stream') ? trimmed : `${trimmed}/stream`;
}
