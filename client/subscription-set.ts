// Keeps the exchange's subscriptions equal to the program's, across reconnects. The exchange does
// not confirm a subscription; a pong after the request shows that it was processed.

import { RialtoError } from './rialto-error.ts';
import { isTransient, type StreamConnection, type TopicMessage } from './stream-connection.ts';

/** The receiver of one channel's messages. */
export interface Subscriber {
  readonly topic: string;
  /** Undefined for every symbol of the topic. */
  readonly symbol: string | undefined;
  /** Extra fields of the subscribe request, read for each request. */
  requestFields(): Readonly<Record<string, unknown>>;
  /** A new subscribe request was sent: the following messages start from scratch. */
  onSubscribe(): void;
  onMessage(message: TopicMessage, text: string): void;
  /** The channel cannot be subscribed to. */
  onFailure(error: RialtoError): void;
  /** The stream was closed. */
  onClose(): void;
}

/**
 * absent ──subscribe──▶ requested ──pong──▶ active ──unsubscribe──▶ absent
 * Messages are delivered while the state is `requested`, too.
 */
interface Entry {
  readonly subscriber: Subscriber;
  readonly channel: string;
  state: 'absent' | 'requested' | 'active';
  /** Refused in a request with others: retried alone, to find the channel at fault. */
  isSuspect: boolean;
  isRemoved: boolean;
  mustRestart: boolean;
}

/** Channels per request; the exchange accepts 500 and 64 KiB. */
const CHANNELS_PER_REQUEST = 200;
const RETRY_AFTER_MS = 1_000;
const ALREADY_SUBSCRIBED = /^Already subscribed/;

export class SubscriptionSet {
  readonly #connection: StreamConnection;
  #entries: Entry[] = [];
  #isSyncing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: StreamConnection) {
    this.#connection = connection;
  }

  /** Throws if the channel has a subscriber: the exchange sends each message once per socket. */
  add(subscriber: Subscriber): void {
    const { symbol, topic } = subscriber;
    const isSame = (entry: Entry) =>
      !entry.isRemoved &&
      entry.subscriber.topic === topic &&
      (symbol === undefined ||
        entry.subscriber.symbol === undefined ||
        entry.subscriber.symbol === symbol);
    const channel = symbol === undefined ? topic : `${topic}:${symbol}`;
    if (this.#entries.some(isSame)) {
      throw new RialtoError({ message: `${channel} already has a subscription` });
    }
    this.#entries.push({
      subscriber,
      channel,
      state: 'absent',
      isSuspect: false,
      isRemoved: false,
      mustRestart: false,
    });
    this.sync();
  }

  remove(subscriber: Subscriber): void {
    const entry = this.#entries.find((one) => one.subscriber === subscriber);
    if (entry === undefined) return;
    entry.isRemoved = true;
    if (entry.state === 'absent') this.#drop(entry);
    this.sync();
  }

  /** Unsubscribes and subscribes again; messages in between are ignored. */
  restart(subscriber: Subscriber): void {
    const entry = this.#entries.find((one) => one.subscriber === subscriber);
    if (entry === undefined || entry.state === 'absent') return;
    entry.mustRestart = true;
    this.sync();
  }

  onMessage(message: TopicMessage, text: string): void {
    for (const { subscriber, isRemoved, mustRestart, state } of [...this.#entries]) {
      if (state === 'absent' || isRemoved || mustRestart) continue;
      const { symbol, topic } = subscriber;
      if (topic !== message.topic) continue;
      if (symbol === undefined || symbol === message.symbol) subscriber.onMessage(message, text);
    }
  }

  /** The exchange has forgotten all subscriptions of the lost connection. */
  onDisconnect(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#entries = this.#entries.filter(({ isRemoved }) => !isRemoved);
    for (const entry of this.#entries) {
      entry.state = 'absent';
      entry.isSuspect = false;
      entry.mustRestart = false;
    }
  }

  fail(error: RialtoError): void {
    clearTimeout(this.#timer);
    for (const { subscriber } of this.#entries.splice(0)) subscriber.onFailure(error);
  }

  /** Ends every subscription without an error. */
  close(): void {
    clearTimeout(this.#timer);
    for (const { subscriber } of this.#entries.splice(0)) subscriber.onClose();
  }

  /** Sends requests until the exchange's subscriptions equal the program's. */
  sync(): void {
    if (this.#isSyncing || this.#connection.status !== 'open') return;
    this.#isSyncing = true;
    void this.#syncAll().finally(() => {
      this.#isSyncing = false;
      // A change may have arrived during the last request, or on a new connection.
      if (this.#timer === undefined && this.#next() !== undefined) this.sync();
    });
  }

  async #syncAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (;;) {
      const next = this.#connection.status === 'open' ? this.#next() : undefined;
      if (next === undefined) return;
      const isDone = await next();
      if (!isDone) return;
    }
  }

  /** The next request, or undefined if in sync. It resolves to false if syncing must pause. */
  #next(): (() => Promise<boolean>) | undefined {
    const obsolete = this.#entries.find(
      ({ isRemoved, mustRestart, state }) => state !== 'absent' && (isRemoved || mustRestart),
    );
    if (obsolete !== undefined) return () => this.#unsubscribe(obsolete);
    const wanted = this.#entries.filter(
      ({ isSuspect, state }) => state === 'absent' || (state === 'requested' && isSuspect),
    );
    if (wanted.length === 0) return undefined;
    const alone = wanted.find((entry) => entry.isSuspect || hasFields(entry));
    if (alone !== undefined) return () => this.#subscribe([alone]);
    return () => this.#subscribe(wanted.slice(0, CHANNELS_PER_REQUEST));
  }

  async #unsubscribe(entry: Entry): Promise<boolean> {
    const answer = await this.#connection.request({ op: 'unsubscribe', args: [entry.channel] });
    if ('isLost' in answer) return false;
    if ('error' in answer && isTransient(answer.error)) return this.#tryLater();
    entry.state = 'absent';
    entry.mustRestart = false;
    if (entry.isRemoved) this.#drop(entry);
    return true;
  }

  async #subscribe(entries: readonly Entry[]): Promise<boolean> {
    for (const entry of entries) {
      // A channel that was requested with others may be active already; its messages count.
      if (entry.state === 'absent') entry.subscriber.onSubscribe();
      entry.state = 'requested';
    }
    const args = entries.map(({ channel }) => channel);
    const fields = entries.length === 1 ? entries[0].subscriber.requestFields() : {};
    const answer = await this.#connection.request({ op: 'subscribe', args, ...fields });
    if ('isLost' in answer) return false;
    const isAlone = entries.length === 1;
    // An error does not always name its channel: each is tried alone.
    const isRefused = 'error' in answer && !(isAlone && ALREADY_SUBSCRIBED.test(answer.error));
    const error = isRefused ? answer.error : undefined;
    if (error !== undefined && isTransient(error)) {
      for (const entry of entries) entry.isSuspect = true;
      return this.#tryLater();
    }
    for (const entry of entries) {
      if (error === undefined) {
        entry.state = 'active';
        entry.isSuspect = false;
      } else if (!isAlone) {
        entry.isSuspect = true;
      } else {
        this.#drop(entry);
        const message = `Cannot subscribe to ${entry.channel}: ${error}`;
        if (!entry.isRemoved) entry.subscriber.onFailure(new RialtoError({ message }));
      }
    }
    return true;
  }

  #tryLater(): false {
    this.#timer = setTimeout(() => this.sync(), RETRY_AFTER_MS);
    return false;
  }

  #drop(entry: Entry): void {
    this.#entries = this.#entries.filter((one) => one !== entry);
  }
}

function hasFields({ subscriber }: Entry): boolean {
  return Object.keys(subscriber.requestFields()).length > 0;
}
