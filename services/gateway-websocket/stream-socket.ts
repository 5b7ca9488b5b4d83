// One client's socket: handles its messages, keeps its subscriptions, and calls the topics.
// Messages are handled in order, even if one has to wait. Knows neither NATS nor HTTP.

import type { Caller } from '../../domain/credentials/index.ts';
import { AccessFault } from '../../infra/access/index.ts';
import type { Watch } from '../../infra/bus/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import {
  type CloseReason,
  errorAnswer,
  STREAM_MESSAGES_MAX,
  STREAM_MESSAGES_WITHIN_MS,
  streamTexts,
} from '../../protocol/index.ts';
import { type ClientMessage, readChannelName, readClientMessage } from './client-message.ts';
import { jsonFrame } from './frame.ts';
import { type Credentials, credentialsOfMessage, type SocketIdentity } from './identify-socket.ts';
import { MessageRate } from './message-rate.ts';
import { SocketSubscription } from './socket-subscription.ts';
import { SocketWriter, type SocketWriterLimits, type Traffic, type Wire } from './socket-writer.ts';
import type { Operation, StreamError, StreamNotice, Subscriber, Topic } from './topic.ts';

export interface SocketLimits extends SocketWriterLimits {
  readonly subscriptionsMax: number;
}

/** Shared by all sockets of a gateway. */
export interface SocketDependencies {
  readonly clock: Clock;
  readonly topics: Readonly<Record<string, Topic>>;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly limits: SocketLimits;
  readonly traffic: Traffic;
  identify(credentials: Credentials, address: string): SocketIdentity | Promise<SocketIdentity>;
  /** Whether the caller may subscribe to operators' topics. */
  mayOperate(caller: Caller): boolean;
  received(): void;
  closed(why: CloseReason): void;
  faulted(op: string, fault: unknown): void;
}

export interface StreamSocketOptions {
  readonly id: number;
  readonly address: string;
  readonly wire: Wire;
  readonly dependencies: SocketDependencies;
  readonly caller: Caller | undefined;
  /** When the caller's key or session expires. */
  readonly untilMs?: number | undefined;
}

type Answer = StreamError | StreamNotice | undefined;

const OWN_OPERATIONS = ['auth', 'subscribe', 'unsubscribe'];
// Pings have their own limit per window, outside the message rate.
const PINGS_MAX = 60;
// Messages that wait behind a message that needs the database.
const MESSAGES_WAITING_MAX = 64;

/** open ──closed by either side──▶ ended: no subscriptions, nothing is sent. */
export class StreamSocket implements Subscriber {
  readonly id: number;
  readonly #options: StreamSocketOptions;
  readonly #writer: SocketWriter;
  readonly #subscriptions = new Map<string, SocketSubscription>();
  /**
   * Topics subscribed without a symbol, with the fields of the request: new markets are added to
   * them.
   */
  readonly #wholeTopics = new Map<string, Readonly<Record<string, unknown>>>();
  readonly #closeTasks = new Set<() => void>();
  readonly #rate = new MessageRate({
    max: STREAM_MESSAGES_MAX,
    withinMs: STREAM_MESSAGES_WITHIN_MS,
  });
  readonly #pings = new MessageRate({ max: PINGS_MAX, withinMs: STREAM_MESSAGES_WITHIN_MS });
  #waiting: ClientMessage[] = [];
  #isBusy = false;
  #caller: Caller | undefined;
  #untilMs: number | undefined;
  #wasActive = true;
  #isEnded = false;

  constructor(options: StreamSocketOptions) {
    this.#options = options;
    this.id = options.id;
    this.#caller = options.caller;
    this.#untilMs = options.untilMs;
    const { dependencies, wire } = options;
    this.#writer = new SocketWriter({
      wire,
      limits: dependencies.limits,
      traffic: dependencies.traffic,
      onClose: (why) => {
        dependencies.closed(why);
        this.end();
      },
    });
    this.#reply({ message: streamTexts.welcome });
    if (this.#caller !== undefined) this.#greet(this.#caller);
  }

  get caller(): Caller | undefined {
    return this.#caller;
  }

  get isOpen(): boolean {
    return !this.#isEnded && this.#writer.isOpen;
  }

  get subscriptionCount(): number {
    return this.#subscriptions.size;
  }

  watchClose(task: () => void): Watch {
    const own = () => task();
    if (this.#isEnded) this.#options.dependencies.clock.soon(own);
    else this.#closeTasks.add(own);
    return { stop: () => this.#closeTasks.delete(own) };
  }

  /** The client has sent something, so the socket is not idle. */
  onActivity(): void {
    this.#wasActive = true;
  }

  receive(text: string): void {
    if (!this.isOpen) return;
    const { dependencies } = this.#options;
    this.onActivity();
    dependencies.received();
    const message = readClientMessage(text, this.#isKnown);
    const isPing = 'op' in message && message.op === 'ping';
    const rate = isPing ? this.#pings : this.#rate;
    if (!rate.take(dependencies.clock.elapsedMs())) this.#reply({ error: streamTexts.rateLimited });
    else if (isPing) this.#reply({ message: streamTexts.pong });
    else if ('error' in message) this.#reply(message);
    else if (!this.#isBusy) this.#handle(message);
    else if (this.#waiting.length < MESSAGES_WAITING_MAX) this.#waiting.push(message);
    else this.close('tooMuch');
  }

  onDrain(): void {
    this.#writer.onDrain();
  }

  /**
   * Called periodically: closes the socket if its credentials have expired or its data is stuck.
   */
  tick(elapsedMs: number): void {
    // Compared with the time of day: a timer would not follow a change of the system time.
    const { clock } = this.#options.dependencies;
    if (this.#untilMs !== undefined && clock.nowMs() >= this.#untilMs) this.close('revoked');
    else this.#writer.tick(elapsedMs);
  }

  /** True if the client has sent nothing since the last call. */
  isIdle(): boolean {
    const wasActive = this.#wasActive;
    this.#wasActive = false;
    return !wasActive;
  }

  /** Markets may have been listed since the last call. */
  subscribeToNew(): void {
    if (!this.isOpen) return;
    this.#writer.batch(() => {
      for (const [name, fields] of this.#wholeTopics) {
        const topic = this.#options.dependencies.topics[name];
        const channels = topic.channels(undefined, this.#caller);
        if ('error' in channels) continue;
        for (const { name: channel, symbol } of channels) {
          if (!this.#subscriptions.has(channel) && !this.#isFull) {
            this.#addSubscription(topic, { channel, symbol, fields });
          }
        }
      }
    });
  }

  close(why: CloseReason): void {
    this.#writer.close(why);
  }

  /** The socket is closed or closing: nothing more is sent. May be called again. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting = [];
    for (const subscription of this.#subscriptions.values()) subscription.end();
    this.#subscriptions.clear();
    this.#wholeTopics.clear();
    const tasks = [...this.#closeTasks];
    this.#closeTasks.clear();
    for (const task of tasks) task();
  }

  readonly #isKnown = (op: string): boolean =>
    OWN_OPERATIONS.includes(op) || Object.hasOwn(this.#options.dependencies.operations, op);

  #handle(message: ClientMessage): void {
    const { op } = message;
    try {
      const answered = this.#answer(message);
      if (!(answered instanceof Promise)) {
        this.#reply(answered);
        return;
      }
      this.#isBusy = true;
      void answered
        .then(
          (answer) => this.#reply(answer),
          (fault) => this.#fail(op, fault),
        )
        .then(() => this.#next());
    } catch (fault) {
      this.#fail(op, fault);
    }
  }

  #next(): void {
    this.#isBusy = false;
    while (!this.#isBusy && this.isOpen) {
      const message = this.#waiting.shift();
      if (message === undefined) return;
      this.#handle(message);
    }
  }

  #fail(op: string, fault: unknown): void {
    if (!(fault instanceof AccessFault)) this.#options.dependencies.faulted(op, fault);
    this.#reply({ error: streamTexts.unavailable });
  }

  #answer(message: ClientMessage): Answer | Promise<Answer> {
    const { args, fields, op } = message;
    switch (op) {
      case 'auth':
        return this.#authenticate(args);
      case 'subscribe':
        return this.#each(args, (argument) => this.#subscribe(argument, fields));
      case 'unsubscribe':
        return this.#each(args, (argument) => this.#unsubscribe(argument));
    }
    return this.#options.dependencies.operations[op]({ subscriber: this, args, fields });
  }

  /** Stops at the first refused argument; earlier ones remain in effect. */
  #each(args: readonly unknown[], take: (argument: unknown) => Answer): Answer {
    let refused: Answer;
    this.#writer.batch(() => {
      for (const argument of args) {
        refused = take(argument);
        if (refused !== undefined) return;
      }
    });
    return refused;
  }

  #authenticate(args: readonly unknown[]): Answer | Promise<Answer> {
    if (this.#caller !== undefined) return { error: streamTexts.alreadyAuthenticated };
    const credentials = credentialsOfMessage(args[0]);
    if (credentials === undefined) return { error: streamTexts.wrongInput };
    const { address, dependencies } = this.#options;
    const identified = dependencies.identify(credentials, address);
    const take = (identity: SocketIdentity): Answer => {
      if ('refused' in identity) return { error: errorAnswer(identity.refused).body.message };
      this.#caller = identity.caller;
      this.#untilMs = identity.untilMs;
      this.#greet(identity.caller);
      return undefined;
    };
    return identified instanceof Promise ? identified.then(take) : take(identified);
  }

  #greet({ email }: Caller): void {
    this.#reply({ message: streamTexts.authenticated(email) });
  }

  #subscribe(argument: unknown, fields: ClientMessage['fields']): Answer {
    const found = this.#channelsOf(argument);
    if ('error' in found) return found;
    const { channels, isWholeTopic, name, topic } = found;
    const isMany = isWholeTopic && (channels.length !== 1 || channels[0].symbol !== undefined);
    if (isMany) this.#wholeTopics.set(name, fields);
    for (const { name: channel, symbol } of channels) {
      if (this.#subscriptions.has(channel)) {
        const text = streamTexts.alreadySubscribed(channel);
        if (!isMany) return { error: text };
        this.#reply({ message: text });
      } else if (this.#isFull) {
        const { subscriptionsMax } = this.#options.dependencies.limits;
        return { error: streamTexts.tooManySubscriptions(subscriptionsMax) };
      } else {
        this.#addSubscription(topic, { channel, symbol, fields });
      }
    }
    return undefined;
  }

  #unsubscribe(argument: unknown): Answer {
    const found = this.#channelsOf(argument);
    if ('error' in found) return found;
    const { channels, isWholeTopic, name } = found;
    const subscribed = channels.filter((channel) => this.#subscriptions.has(channel.name));
    if (isWholeTopic) this.#wholeTopics.delete(name);
    if (subscribed.length === 0) {
      const [only] = channels;
      return { error: streamTexts.notSubscribed(channels.length === 1 ? only.name : name) };
    }
    for (const channel of subscribed) {
      this.#subscriptions.get(channel.name)?.end();
      this.#subscriptions.delete(channel.name);
      this.#reply({ message: streamTexts.unsubscribed(channel.name) });
    }
    return undefined;
  }

  #channelsOf(argument: unknown) {
    const { mayOperate, topics } = this.#options.dependencies;
    const parsed = readChannelName(argument);
    if (parsed === undefined) return { error: streamTexts.wrongInput };
    const { symbol, topic: name } = parsed;
    if (!Object.hasOwn(topics, name)) return { error: streamTexts.topicUnknown(name) };
    const topic = topics[name];
    if (topic.audience !== 'anyone') {
      if (this.#caller === undefined) return { error: streamTexts.authenticationRequired };
      if (topic.audience === 'operator' && !mayOperate(this.#caller)) {
        return { error: streamTexts.notAuthorized };
      }
    }
    const channels = topic.channels(symbol, this.#caller);
    return 'error' in channels
      ? channels
      : { topic, name, channels, isWholeTopic: symbol === undefined };
  }

  get #isFull(): boolean {
    return this.#subscriptions.size >= this.#options.dependencies.limits.subscriptionsMax;
  }

  #addSubscription(
    topic: Topic,
    what: Pick<SocketSubscription, 'channel' | 'symbol' | 'fields'>,
  ): void {
    const subscription = new SocketSubscription({
      ...what,
      subscriber: this,
      topic,
      writer: this.#writer,
    });
    this.#subscriptions.set(what.channel, subscription);
    topic.subscribe(subscription);
  }

  #reply(answer: Answer): void {
    if (answer !== undefined) this.#writer.sendOrClose(jsonFrame(answer));
  }
}
