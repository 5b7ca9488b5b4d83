// The publisher's feed without a network: published messages arrive immediately, and the test
// decides when a last value is read. Only tests import it.

import { setImmediate as turn } from 'node:timers/promises';
import type { Frame } from '../frame.ts';
import { textOf } from '../socket-for-test.ts';
import type { ChannelSubscription } from '../topic.ts';
import type { FeedMessage, FeedPort } from './feed-port.ts';

type Answer = FeedMessage | 'none' | 'fault';

export class FakeFeed implements FeedPort {
  readonly #listeners = new Set<[subject: string, receive: (message: FeedMessage) => void]>();
  readonly #returns = new Set<() => void>();
  readonly questions: { subject: string; answer: (answer: Answer) => void }[] = [];

  listen(subject: string, receive: (message: FeedMessage) => void) {
    const listener: [string, typeof receive] = [subject, receive];
    this.#listeners.add(listener);
    return { stop: () => this.#listeners.delete(listener) };
  }

  last(subject: string): Promise<Answer> {
    return new Promise((answer) => this.questions.push({ subject, answer }));
  }

  watchReturns(returned: () => void) {
    this.#returns.add(returned);
    return { stop: () => this.#returns.delete(returned) };
  }

  get subjects(): string[] {
    return [...this.#listeners].map(([subject]) => subject).sort();
  }

  publish(message: FeedMessage): void {
    for (const [subject, receive] of [...this.#listeners]) {
      if (subject === message.subject) receive(message);
    }
  }

  /** Answers the oldest request and waits for its effects. */
  async answer(answer: Answer): Promise<void> {
    this.questions.shift()?.answer(answer);
    await turn();
  }

  comeBack(): void {
    for (const returned of [...this.#returns]) returned();
  }
}

export function message(subject: string, frame: number, text: string, trades = ''): FeedMessage {
  return { subject, frame, text, trades };
}

/** A subscription that records its frames, unless it is slow. */
export class FakeSubscription implements ChannelSubscription {
  readonly subscriber = {
    id: 1,
    caller: undefined,
    isOpen: true,
    watchClose: () => ({ stop() {} }),
  };
  readonly channel = 'channel';
  readonly symbol: string | undefined;
  readonly fields = {};
  isSlow = false;
  #frames: Frame[] = [];

  constructor(symbol?: string) {
    this.symbol = symbol;
  }

  send(frame: Frame): boolean {
    if (!this.isSlow) this.#frames.push(frame);
    return !this.isSlow;
  }

  sendOrClose(frame: Frame): void {
    this.#frames.push(frame);
  }

  /** Returns the frames sent since the last call. */
  frames(): Frame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  // biome-ignore lint/suspicious/noExplicitAny: what a test asserts on may have any shape.
  said(): any[] {
    return this.frames().map(({ bytes }) => JSON.parse(textOf(bytes)));
  }
}
