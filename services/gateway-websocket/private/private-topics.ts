// The topics of a user's own news: `order`, `usertrade` and `wallet` as clients know them, and
// `private`, which has all three with their places and can be resumed. One stream for each user
// serves all sockets here, and is kept for some seconds after the last has gone.

import type { UserId } from '../../../core/money/index.ts';
import type { UserTopic } from '../../../infra/live-feed/index.ts';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import { textFrame } from '../frame.ts';
import type { ChannelSubscription, Topic } from '../topic.ts';
import { readPosition } from './position.ts';
import { PrivateEnvelope } from './private-message.ts';
import {
  type Reader,
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
  readonly keptMs: number;
  sourceOf(user: UserId): UserSource;
}

interface Kept {
  readonly user: UserId;
  readonly stream: UserStream;
  forgetting: Timer | undefined;
}

type TopicName = UserTopic | 'private';

export class PrivateTopics {
  readonly topics: Readonly<Record<TopicName, Topic>>;
  readonly #options: PrivateTopicsOptions;
  readonly #streams = new Map<UserId, Kept>();
  readonly #readers = new Map<
    ChannelSubscription,
    { readonly kept: Kept; readonly reader: Reader }
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

  connectionReturned(): void {
    for (const { stream } of this.#streams.values()) stream.connectionReturned();
  }

  stop(): void {
    for (const { forgetting, stream } of this.#streams.values()) {
      forgetting?.cancel();
      stream.close();
    }
    this.#streams.clear();
    this.#readers.clear();
  }

  #topic(name: TopicName): Topic {
    return {
      audience: 'user',
      // What is behind the colon is ignored: clients of one market say `order:btc-usdt`.
      channels: (_symbol, caller) => [{ name: `${name}:${caller?.user}`, symbol: undefined }],
      subscribe: (subscription) => this.#subscribe(name, subscription),
      unsubscribe: (subscription) => this.#unsubscribe(subscription),
      refresh: (subscription) => {
        const found = this.#readers.get(subscription);
        found?.kept.stream.beginAgain(found.reader);
      },
    };
  }

  #subscribe(name: TopicName, subscription: ChannelSubscription): void {
    const { caller } = subscription.subscriber;
    if (caller === undefined) throw new Error('private topics are for those who have a name');
    const kept = this.#streamOf(caller.user);
    const reader = this.#readerOf(name, subscription, caller.user);
    this.#readers.set(subscription, { kept, reader });
    const from = name === 'private' ? readPosition(subscription.fields.resume_from) : undefined;
    kept.stream.add(reader, from);
  }

  #unsubscribe(subscription: ChannelSubscription): void {
    const found = this.#readers.get(subscription);
    if (found === undefined) return;
    const { kept, reader } = found;
    this.#readers.delete(subscription);
    kept.stream.remove(reader);
    if (kept.stream.readerCount > 0) return;
    const { clock, keptMs } = this.#options;
    kept.forgetting = clock.after(keptMs, () => this.#forget(kept));
  }

  #streamOf(user: UserId): Kept {
    const found = this.#streams.get(user);
    if (found !== undefined) {
      found.forgetting?.cancel();
      return found;
    }
    const { clock, settings, sourceOf, watcher } = this.#options;
    const stream = new UserStream({ clock, settings, watcher, source: sourceOf(user) });
    const kept: Kept = { user, stream, forgetting: undefined };
    this.#streams.set(user, kept);
    return kept;
  }

  #forget(kept: Kept): void {
    kept.stream.close();
    this.#streams.delete(kept.user);
  }

  #readerOf(name: TopicName, subscription: ChannelSubscription, user: UserId): Reader {
    if (name === 'private') return resumableReader(subscription, user, this.#options.clock);
    return {
      begin: ({ messages }) => subscription.sendOrClose(messages[name].frame),
      resumed() {},
      give() {},
      giveMessage(message) {
        if (message.topic === name) subscription.sendOrClose(message.frame);
      },
    };
  }
}

function resumableReader(subscription: ChannelSubscription, user: UserId, clock: Clock): Reader {
  const envelope = new PrivateEnvelope(user);
  const send = (...message: Parameters<PrivateEnvelope['write']>) =>
    subscription.sendOrClose(textFrame(envelope.write(...message)));
  return {
    begin({ data, position: sequence, timeMs }) {
      send('snapshot', { sequence, previous: undefined, data, timeMs });
    },
    resumed(from) {
      send('resumed', { sequence: from, previous: from, data: '[]', timeMs: clock.nowMs() });
    },
    give({ position: sequence, text: data }, previous) {
      send('event', { sequence, previous, data, timeMs: clock.nowMs() });
    },
    giveMessage() {},
  };
}
