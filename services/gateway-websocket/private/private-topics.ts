// The private topics: `order`, `usertrade` and `wallet`, and `private`, which contains all three
// with their positions and can be resumed. One stream per user serves all the user's sockets and
// closes some seconds after the last one.

import type { UserId } from '../../../core/money/index.ts';
import type { UserTopic } from '../../../infra/live-feed/index.ts';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import { textFrame } from '../frame.ts';
import type { ChannelSubscription, Topic } from '../topic.ts';
import { CompleteWallet } from './complete-wallet.ts';
import { readPosition } from './position.ts';
import { PrivateEnvelope } from './private-message.ts';
import {
  type EventSubscriber,
  type UserSource,
  UserStream,
  type UserStreamSettings,
  type UserStreamWatcher,
} from './user-stream.ts';

export interface PrivateTopicsOptions {
  readonly clock: Clock;
  readonly settings: UserStreamSettings;
  readonly watcher: UserStreamWatcher;
  /** After the last subscriber. */
  readonly graceMs: number;
  sourceOf(user: UserId): UserSource;
}

interface OpenStream {
  readonly user: UserId;
  readonly stream: UserStream;
  closing: Timer | undefined;
}

// A snapshot reads tables.
const WEIGHT = 5;

type TopicName = UserTopic | 'private';

export class PrivateTopics {
  readonly topics: Readonly<Record<TopicName, Topic>>;
  readonly #options: PrivateTopicsOptions;
  readonly #streams = new Map<UserId, OpenStream>();
  readonly #subscribers = new Map<
    ChannelSubscription,
    { readonly open: OpenStream; readonly subscriber: EventSubscriber }
  >();

  constructor(options: PrivateTopicsOptions) {
    this.#options = options;
    this.topics = {
      order: this.#topic('order'),
      usertrade: this.#topic('usertrade'),
      wallet: this.#topic('wallet'),
      private: this.#topic('private'),
    };
  }

  get userCount(): number {
    return this.#streams.size;
  }

  onReconnect(): void {
    for (const { stream } of this.#streams.values()) stream.onReconnect();
  }

  stop(): void {
    for (const { closing, stream } of this.#streams.values()) {
      closing?.cancel();
      stream.close();
    }
    this.#streams.clear();
    this.#subscribers.clear();
  }

  #topic(name: TopicName): Topic {
    return {
      audience: 'user',
      weight: WEIGHT,
      // The part after the colon is ignored: clients of one market send `order:btc-usdt`.
      channels: (_symbol, caller) => [{ name: `${name}:${caller?.user}`, symbol: undefined }],
      subscribe: (subscription) => this.#subscribe(name, subscription),
      unsubscribe: (subscription) => this.#unsubscribe(subscription),
      refresh: (subscription) => {
        const found = this.#subscribers.get(subscription);
        found?.open.stream.takeNewSnapshot(found.subscriber);
      },
    };
  }

  #subscribe(name: TopicName, subscription: ChannelSubscription): void {
    const { caller } = subscription.subscriber;
    if (caller === undefined) throw new Error('private topics require authentication');
    const open = this.#streamOf(caller.user);
    const subscriber = this.#subscriberOf(name, subscription, caller.user);
    this.#subscribers.set(subscription, { open, subscriber });
    const from = name === 'private' ? readPosition(subscription.fields.resume_from) : undefined;
    open.stream.add(subscriber, from);
  }

  #unsubscribe(subscription: ChannelSubscription): void {
    const found = this.#subscribers.get(subscription);
    if (found === undefined) return;
    const { open, subscriber } = found;
    this.#subscribers.delete(subscription);
    open.stream.remove(subscriber);
    if (open.stream.subscriberCount > 0) return;
    const { clock, graceMs } = this.#options;
    open.closing = clock.after(graceMs, () => this.#close(open));
  }

  #streamOf(user: UserId): OpenStream {
    const found = this.#streams.get(user);
    if (found !== undefined) {
      found.closing?.cancel();
      return found;
    }
    const { clock, settings, sourceOf, watcher } = this.#options;
    const stream = new UserStream({ clock, settings, watcher, source: sourceOf(user) });
    const open: OpenStream = { user, stream, closing: undefined };
    this.#streams.set(user, open);
    return open;
  }

  #close(open: OpenStream): void {
    open.stream.close();
    this.#streams.delete(open.user);
  }

  #subscriberOf(name: TopicName, subscription: ChannelSubscription, user: UserId): EventSubscriber {
    if (name === 'private') return resumableSubscriber(subscription, user, this.#options.clock);
    if (name === 'wallet') return walletSubscriber(subscription);
    return {
      onSnapshot: ({ messages }) => subscription.sendOrClose(messages[name].frame),
      onResumed() {},
      onEntry() {},
      onMessage(message) {
        if (message.topic === name) subscription.sendOrClose(message.frame);
      },
    };
  }
}

function walletSubscriber(subscription: ChannelSubscription): EventSubscriber {
  const wallet = new CompleteWallet();
  return {
    onSnapshot({ messages }) {
      wallet.reset(messages.wallet.text);
      subscription.sendOrClose(messages.wallet.frame);
    },
    onResumed() {},
    onEntry() {},
    onMessage({ text, topic }) {
      if (topic === 'wallet') subscription.sendOrClose(textFrame(wallet.complete(text)));
    },
  };
}

function resumableSubscriber(
  subscription: ChannelSubscription,
  user: UserId,
  clock: Clock,
): EventSubscriber {
  const envelope = new PrivateEnvelope(user);
  const send = (...message: Parameters<PrivateEnvelope['write']>) =>
    subscription.sendOrClose(textFrame(envelope.write(...message)));
  return {
    onSnapshot({ data, position: sequence, timeMs }) {
      send('snapshot', { sequence, previous: undefined, data, timeMs });
    },
    onResumed(from) {
      send('resumed', { sequence: from, previous: from, data: '[]', timeMs: clock.nowMs() });
    },
    onEntry({ position: sequence, text: data }, previous) {
      send('event', { sequence, previous, data, timeMs: clock.nowMs() });
    },
    onMessage() {},
  };
}
