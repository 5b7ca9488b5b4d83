// What is followed, and what the exchange knows of it: brought together over one connection after
// the other. The exchange confirms no subscription; a pong behind it shows that it was dealt with.

import { RialtoError } from './rialto-error.ts';
import { isPassing, type StreamLink, type TopicMessage } from './stream-link.ts';

/** Somebody who follows a channel. */
export interface Follower {
  readonly topic: string;
  /** Undefined for all of the topic. */
  readonly symbol: string | undefined;
  /** What stands beside the arguments when it is subscribed to; asked each time. */
  fields(): Readonly<Record<string, unknown>>;
  /** It was subscribed to anew: what comes now begins afresh. */
  begin(): void;
  take(message: TopicMessage, text: string): void;
  /** It will never come. */
  fail(error: RialtoError): void;
  /** The stream was closed. */
  end(): void;
}

/**
 * absent ──subscribe──▶ asked ──pong──▶ there ──unsubscribe──▶ absent
 * What comes while it is asked for is its own already.
 */
interface Entry {
  readonly follower: Follower;
  readonly channel: string;
  state: 'absent' | 'asked' | 'there';
  /** Refused together with others: it is asked for alone, to learn which one it was. */
  isSuspect: boolean;
  isLeaving: boolean;
  mustRestart: boolean;
}

/** Of one request; the exchange takes 500 and 64 KiB. */
const CHANNELS_PER_REQUEST = 200;
const AGAIN_AFTER_MS = 1_000;
const ALREADY = /^Already subscribed/;

export class Subscriptions {
  readonly #link: StreamLink;
  #entries: Entry[] = [];
  #isSettling = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(link: StreamLink) {
    this.#link = link;
  }

  /** Throws when it is followed already: the exchange would send it once, not twice. */
  add(follower: Follower): void {
    const { symbol, topic } = follower;
    const isSame = (entry: Entry) =>
      !entry.isLeaving &&
      entry.follower.topic === topic &&
      (symbol === undefined ||
        entry.follower.symbol === undefined ||
        entry.follower.symbol === symbol);
    const channel = symbol === undefined ? topic : `${topic}:${symbol}`;
    if (this.#entries.some(isSame)) {
      throw new RialtoError({ message: `${channel} is followed already` });
    }
    this.#entries.push({
      follower,
      channel,
      state: 'absent',
      isSuspect: false,
      isLeaving: false,
      mustRestart: false,
    });
    this.settle();
  }

  remove(follower: Follower): void {
    const entry = this.#entries.find((one) => one.follower === follower);
    if (entry === undefined) return;
    entry.isLeaving = true;
    if (entry.state === 'absent') this.#forget(entry);
    this.settle();
  }

  /** Unsubscribes and subscribes again. What comes until then is not looked at. */
  restart(follower: Follower): void {
    const entry = this.#entries.find((one) => one.follower === follower);
    if (entry === undefined || entry.state === 'absent') return;
    entry.mustRestart = true;
    this.settle();
  }

  hear(message: TopicMessage, text: string): void {
    for (const { follower, isLeaving, mustRestart, state } of [...this.#entries]) {
      if (state === 'absent' || isLeaving || mustRestart) continue;
      const { symbol, topic } = follower;
      if (topic !== message.topic) continue;
      if (symbol === undefined || symbol === message.symbol) follower.take(message, text);
    }
  }

  /** The exchange knows nothing of us any more. */
  lost(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#entries = this.#entries.filter(({ isLeaving }) => !isLeaving);
    for (const entry of this.#entries) {
      entry.state = 'absent';
      entry.isSuspect = false;
      entry.mustRestart = false;
    }
  }

  fail(error: RialtoError): void {
    clearTimeout(this.#timer);
    for (const { follower } of this.#entries.splice(0)) follower.fail(error);
  }

  /** They end as if each had closed itself. */
  close(): void {
    clearTimeout(this.#timer);
    for (const { follower } of this.#entries.splice(0)) follower.end();
  }

  /** Goes on until the exchange knows exactly what is followed. */
  settle(): void {
    if (this.#isSettling || this.#link.status !== 'open') return;
    this.#isSettling = true;
    void this.#settleAll().finally(() => {
      this.#isSettling = false;
      // Something may have come in at the very end, or on a connection that is new.
      if (this.#timer === undefined && this.#next() !== undefined) this.settle();
    });
  }

  async #settleAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (;;) {
      const next = this.#link.status === 'open' ? this.#next() : undefined;
      if (next === undefined) return;
      const isDone = await next();
      if (!isDone) return;
    }
  }

  /** What is to be done next; resolves to false when it can not go on. */
  #next(): (() => Promise<boolean>) | undefined {
    const leaving = this.#entries.find(
      ({ isLeaving, mustRestart, state }) => state !== 'absent' && (isLeaving || mustRestart),
    );
    if (leaving !== undefined) return () => this.#unsubscribe(leaving);
    const wanted = this.#entries.filter(
      ({ isSuspect, state }) => state === 'absent' || (state === 'asked' && isSuspect),
    );
    if (wanted.length === 0) return undefined;
    const alone = wanted.find((entry) => entry.isSuspect || hasFields(entry));
    if (alone !== undefined) return () => this.#subscribe([alone]);
    return () => this.#subscribe(wanted.slice(0, CHANNELS_PER_REQUEST));
  }

  async #unsubscribe(entry: Entry): Promise<boolean> {
    const answer = await this.#link.ask({ op: 'unsubscribe', args: [entry.channel] });
    if ('isLost' in answer) return false;
    if ('error' in answer && isPassing(answer.error)) return this.#tryLater();
    entry.state = 'absent';
    entry.mustRestart = false;
    if (entry.isLeaving) this.#forget(entry);
    return true;
  }

  async #subscribe(entries: readonly Entry[]): Promise<boolean> {
    for (const entry of entries) {
      // What was asked for with others may be there already, and what came of it counts.
      if (entry.state === 'absent') entry.follower.begin();
      entry.state = 'asked';
    }
    const args = entries.map(({ channel }) => channel);
    const fields = entries.length === 1 ? entries[0].follower.fields() : {};
    const answer = await this.#link.ask({ op: 'subscribe', args, ...fields });
    if ('isLost' in answer) return false;
    const isAlone = entries.length === 1;
    // Those behind the first that is refused are not looked at, whatever the reason.
    const isRefused = 'error' in answer && !(isAlone && ALREADY.test(answer.error));
    const error = isRefused ? answer.error : undefined;
    if (error !== undefined && isPassing(error)) {
      for (const entry of entries) entry.isSuspect = true;
      return this.#tryLater();
    }
    for (const entry of entries) {
      if (error === undefined) {
        entry.state = 'there';
        entry.isSuspect = false;
      } else if (!isAlone) {
        entry.isSuspect = true;
      } else {
        this.#forget(entry);
        const message = `${entry.channel} can not be followed: ${error}`;
        if (!entry.isLeaving) entry.follower.fail(new RialtoError({ message }));
      }
    }
    return true;
  }

  #tryLater(): false {
    this.#timer = setTimeout(() => this.settle(), AGAIN_AFTER_MS);
    return false;
  }

  #forget(entry: Entry): void {
    this.#entries = this.#entries.filter((one) => one !== entry);
  }
}

function hasFields({ follower }: Entry): boolean {
  return Object.keys(follower.fields()).length > 0;
}
