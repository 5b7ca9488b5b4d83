// One socket's subscriptions. Resolves the arguments of subscribe and unsubscribe to channels, each
// once, and charges for the channels before using any of them. Each channel is a step, because many
// must not stall the gateway. A bad argument gets an error and does not affect the others.

import type { Caller } from '../../features/auth/index.ts';
import { STREAM_ANSWERS_MAX, streamTexts } from '../../protocol/index.ts';
import { readChannelName } from './client-message.ts';
import type { Steps } from './loop-turns.ts';
import { SocketSubscription } from './socket-subscription.ts';
import type { SocketWriter } from './socket-writer.ts';
import type { Channel, StreamError, StreamNotice, Subscriber, Topic } from './topic.ts';

type Fields = Readonly<Record<string, unknown>>;
type Answer = StreamError | StreamNotice;

export interface SubscriptionSetOptions {
  readonly subscriber: Subscriber;
  readonly writer: SocketWriter;
  readonly topics: Readonly<Record<string, Topic>>;
  readonly subscriptionsMax: number;
  mayOperate(caller: Caller): boolean;
  /** Returns an error if the channels exceed a rate limit. */
  charge(weight: number): StreamError | undefined;
  reply(answer: Answer): void;
}

interface Named {
  /** Topic name, its topic, and the channels that the argument names. */
  readonly name: string;
  readonly topic: Topic;
  readonly channels: readonly Channel[];
  /** True if the argument has no symbol and the topic has a channel for each market. */
  readonly isMany: boolean;
}

export class SubscriptionSet {
  readonly #options: SubscriptionSetOptions;
  readonly #subscriptions = new Map<string, SocketSubscription>();
  /**
   * Topics subscribed without a symbol, with the request's fields. New markets are added to them.
   */
  readonly #wholeTopics = new Map<string, Fields>();

  constructor(options: SubscriptionSetOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#subscriptions.size;
  }

  subscribe(args: readonly unknown[], fields: Fields): Steps {
    return this.#eachChannel(args, {
      onTopic: ({ channels, isMany, name }) => {
        if (isMany) this.#wholeTopics.set(name, fields);
        return channels.length === 0 ? { message: streamTexts.noMarkets(name) } : undefined;
      },
      onChannel: ({ isMany, topic }, channel) => {
        if (this.#subscriptions.has(channel.name)) {
          const text = streamTexts.alreadySubscribed(channel.name);
          return isMany ? { message: text } : { error: text };
        }
        if (this.#isFull) return this.#tooMany();
        this.#add(topic, channel, fields);
        return undefined;
      },
    });
  }

  unsubscribe(args: readonly unknown[]): Steps {
    return this.#eachChannel(args, {
      onTopic: ({ channels, isMany, name }) => {
        if (isMany) this.#wholeTopics.delete(name);
        if (channels.some((channel) => this.#subscriptions.has(channel.name))) return undefined;
        const [only] = channels;
        return { error: streamTexts.notSubscribed(channels.length === 1 ? only.name : name) };
      },
      onChannel: (_named, { name }) => {
        const subscription = this.#subscriptions.get(name);
        if (subscription === undefined) return undefined;
        subscription.end();
        this.#subscriptions.delete(name);
        // Never omitted, because the subscription was paid for.
        this.#options.reply({ message: streamTexts.unsubscribed(name) });
        return undefined;
      },
    });
  }

  /** Called when markets might have been listed since the last call. */
  subscribeToNew(): void {
    const { subscriber, topics, writer } = this.#options;
    writer.batch(() => {
      for (const [name, fields] of this.#wholeTopics) {
        const topic = topics[name];
        const channels = topic.channels(undefined, subscriber.caller);
        if ('error' in channels) continue;
        for (const channel of channels) {
          if (!this.#subscriptions.has(channel.name) && !this.#isFull) {
            this.#add(topic, channel, fields);
          }
        }
      }
    });
  }

  end(): void {
    for (const subscription of this.#subscriptions.values()) subscription.end();
    this.#subscriptions.clear();
    this.#wholeTopics.clear();
  }

  /**
   * A repeated argument or channel in a message counts once, equal responses are sent once, and the
   * number of responses is limited.
   */
  *#eachChannel(
    args: readonly unknown[],
    act: {
      onTopic(named: Named): Answer | undefined;
      onChannel(named: Named, channel: Channel): Answer | undefined;
    },
  ): Steps {
    const { charge, subscriber } = this.#options;
    const answers = new Answers((answer) => this.#options.reply(answer));
    const handled = new Set<string>();
    for (const argument of new Set(args)) {
      // The socket might have closed between two steps.
      if (!subscriber.isOpen) return;
      const named = this.#find(argument);
      if ('error' in named) {
        answers.add(named);
        continue;
      }
      const channels = named.channels.filter(({ name }) => !handled.has(name));
      if (channels.length === 0 && named.channels.length > 0) continue;
      const refused = charge(Math.max(1, channels.length) * named.topic.weight);
      if (refused !== undefined) {
        answers.add(refused);
        break;
      }
      answers.add(act.onTopic(named));
      for (const channel of channels) {
        if (!subscriber.isOpen) return;
        handled.add(channel.name);
        answers.add(act.onChannel(named, channel));
        yield named.topic.weight;
      }
    }
    answers.end();
  }

  #find(argument: unknown): Named | StreamError {
    const { mayOperate, subscriber, topics } = this.#options;
    const parsed = readChannelName(argument);
    if ('error' in parsed) return parsed;
    const { symbol, topic: name } = parsed;
    if (!Object.hasOwn(topics, name)) return { error: streamTexts.topicUnknown(name) };
    const topic = topics[name];
    const { caller } = subscriber;
    if (topic.audience !== 'anyone') {
      if (caller === undefined) return { error: streamTexts.authenticationRequired };
      if (topic.audience === 'operator' && !mayOperate(caller)) {
        return { error: streamTexts.notAuthorized };
      }
    }
    const channels = topic.channels(symbol, caller);
    if ('error' in channels) return channels;
    const isOne = channels.length === 1 && channels[0].symbol === undefined;
    return { topic, name, channels, isMany: symbol === undefined && !isOne };
  }

  get #isFull(): boolean {
    return this.#subscriptions.size >= this.#options.subscriptionsMax;
  }

  #tooMany(): StreamError {
    return { error: streamTexts.tooManySubscriptions(this.#options.subscriptionsMax) };
  }

  #add(topic: Topic, { name, symbol }: Channel, fields: Fields): void {
    const { subscriber, writer } = this.#options;
    const subscription = new SocketSubscription({
      channel: name,
      symbol,
      fields,
      subscriber,
      topic,
      writer,
    });
    this.#subscriptions.set(name, subscription);
    topic.subscribe(subscription);
  }
}

/** Errors and notices for one message. */
class Answers {
  readonly #reply: (answer: Answer) => void;
  readonly #texts = new Set<string>();
  #leftOut = 0;

  constructor(reply: (answer: Answer) => void) {
    this.#reply = reply;
  }

  add(answer: Answer | undefined): void {
    if (answer === undefined) return;
    const text = 'error' in answer ? answer.error : answer.message;
    if (this.#texts.has(text)) return;
    if (this.#texts.size >= STREAM_ANSWERS_MAX) {
      this.#leftOut += 1;
      return;
    }
    this.#texts.add(text);
    this.#reply(answer);
  }

  end(): void {
    if (this.#leftOut > 0) this.#reply({ error: streamTexts.answersLeftOut(this.#leftOut) });
  }
}
