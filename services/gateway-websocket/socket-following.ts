// One socket that follows one channel of a topic: the topic's handle on the socket.

import type { Frame } from './frame.ts';
import type { Outlet, Replaceable } from './outlet.ts';
import type { Follower, Following, Topic } from './topic.ts';

export interface SocketFollowingOptions {
  readonly follower: Follower;
  readonly topic: Topic;
  readonly outlet: Outlet;
  readonly channel: string;
  readonly symbol: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** followed ──end──▶ ended: nothing is sent any more, whatever the topic still tries. */
export class SocketFollowing implements Following, Replaceable {
  readonly follower: Follower;
  readonly channel: string;
  readonly symbol: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly #topic: Topic;
  readonly #outlet: Outlet;
  #isEnded = false;

  constructor(options: SocketFollowingOptions) {
    this.follower = options.follower;
    this.channel = options.channel;
    this.symbol = options.symbol;
    this.fields = options.fields;
    this.#topic = options.topic;
    this.#outlet = options.outlet;
  }

  send(frame: Frame): boolean {
    return !this.#isEnded && this.#outlet.offer(frame, this);
  }

  sendOrClose(frame: Frame): void {
    if (!this.#isEnded) this.#outlet.sendOrClose(frame);
  }

  refresh(): void {
    if (!this.#isEnded) this.#topic.refresh(this);
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#outlet.forget(this);
    this.#topic.unfollow(this);
  }
}
