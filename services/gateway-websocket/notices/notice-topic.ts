// Deposits, withdrawals and stakes of a user, or of all users for operators. Sends no snapshot and
// never repeats missed notices: the REST lists contain them.

import type { Caller } from '../../../features/auth/index.ts';
import type { Bus, Subscription } from '../../../infra/bus/index.ts';
import type { Clock } from '../../../infra/process/index.ts';
import { streamTexts } from '../../../protocol/index.ts';
import { textFrame } from '../frame.ts';
import { RefCountedMap } from '../public/ref-counted-map.ts';
import type { ChannelSubscription, Topic } from '../topic.ts';

export interface NoticeTopicOptions {
  readonly name: string;
  readonly audience: 'user' | 'operator';
  readonly bus: Bus;
  readonly clock: Clock;
  readonly graceMs: number;
  /** Bus subject for a subscribed user. */
  subjectOf(user: number): string;
}

export class NoticeTopic implements Topic {
  readonly audience: 'user' | 'operator';
  readonly weight = 1;
  readonly #name: string;
  readonly #subjectOf: (user: number) => string;
  readonly #open: RefCountedMap<Notices>;

  constructor({ audience, bus, clock, graceMs, name, subjectOf }: NoticeTopicOptions) {
    this.audience = audience;
    this.#name = name;
    this.#subjectOf = subjectOf;
    this.#open = new RefCountedMap({
      clock,
      graceMs,
      open: (subject) => new Notices(bus, subject),
    });
  }

  /** A symbol after the topic is ignored. */
  channels(_symbol: string | undefined, caller: Caller | undefined): ReturnType<Topic['channels']> {
    if (caller === undefined) return { error: streamTexts.authenticationRequired };
    return [{ name: `${this.#name}:${caller.user}`, symbol: undefined }];
  }

  subscribe(subscription: ChannelSubscription): void {
    this.#open.acquire(this.#subject(subscription)).subscribers.add(subscription);
  }

  unsubscribe(subscription: ChannelSubscription): void {
    const subject = this.#subject(subscription);
    this.#open.get(subject)?.subscribers.delete(subscription);
    this.#open.release(subject);
  }

  /** Notices are never conflated. */
  refresh(): void {}

  close(): void {
    this.#open.closeAll();
  }

  #subject({ subscriber }: ChannelSubscription): string {
    return this.#subjectOf(subscriber.caller!.user);
  }
}

class Notices {
  readonly subscribers = new Set<ChannelSubscription>();
  readonly #subscription: Subscription;

  constructor(bus: Bus, subject: string) {
    this.#subscription = bus.subscribe(subject, (message) => {
      const frame = textFrame(Buffer.from(message).toString());
      for (const subscriber of this.subscribers) subscriber.sendOrClose(frame);
    });
  }

  close(): void {
    this.#subscription.stop();
  }
}
