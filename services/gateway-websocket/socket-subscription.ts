// One socket's subscription to one channel: the handle through which a topic sends.

import type { Frame } from './frame.ts';
import type { Replaceable, SocketWriter } from './socket-writer.ts';
import type { ChannelSubscription, Subscriber, Topic } from './topic.ts';

export interface SocketSubscriptionOptions {
  readonly subscriber: Subscriber;
  readonly topic: Topic;
  readonly writer: SocketWriter;
  readonly channel: string;
  readonly symbol: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** active ──end──▶ ended: later sends of the topic are ignored. */
export class SocketSubscription implements ChannelSubscription, Replaceable {
  readonly subscriber: Subscriber;
  readonly channel: string;
  readonly symbol: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly #topic: Topic;
  readonly #writer: SocketWriter;
  #isEnded = false;

  constructor(options: SocketSubscriptionOptions) {
    this.subscriber = options.subscriber;
    this.channel = options.channel;
    this.symbol = options.symbol;
    this.fields = options.fields;
    this.#topic = options.topic;
    this.#writer = options.writer;
  }

  send(frame: Frame): boolean {
    return !this.#isEnded && this.#writer.sendConflated(frame, this);
  }

  sendOrClose(frame: Frame): void {
    if (!this.#isEnded) this.#writer.sendOrClose(frame);
  }

  refresh(): void {
    if (!this.#isEnded) this.#topic.refresh(this);
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#writer.forget(this);
    this.#topic.unsubscribe(this);
  }
}
