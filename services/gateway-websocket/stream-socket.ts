// One client's socket: handles its messages, keeps its subscriptions, and calls the topics. Handles
// messages in order, even if one is delayed. Must know neither NATS nor HTTP.

import type { Caller } from '../../features/auth/index.ts';
import { AccessFault, addressGroup } from '../../infra/access/index.ts';
import type { Watch } from '../../infra/bus/index.ts';
import { TokenBucket } from '../../infra/limits/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import {
  type CloseReason,
  errorAnswer,
  STREAM_MESSAGES_MAX,
  STREAM_MESSAGES_WITHIN_MS,
  STREAM_PING_BYTES_MAX,
  STREAM_PINGS_MAX,
  STREAM_REFUSALS_MAX,
  streamTexts,
} from '../../protocol/index.ts';
import type { ClientBudget } from './client-budgets.ts';
import { type ClientMessage, readClientMessage } from './client-message.ts';
import { jsonFrame } from './frame.ts';
import { type Credentials, credentialsOfMessage, type SocketIdentity } from './identify-socket.ts';
import type { LoopTurns, Steps } from './loop-turns.ts';
import { MessageRate } from './message-rate.ts';
import { SocketWriter, type SocketWriterLimits, type Traffic, type Wire } from './socket-writer.ts';
import { SubscriptionSet } from './subscription-set.ts';
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
  readonly turns: LoopTurns;
  identify(credentials: Credentials, address: string): SocketIdentity | Promise<SocketIdentity>;
  /** Returns whether the caller can subscribe to operator topics. */
  mayOperate(caller: Caller): boolean;
  /** Returns the client's budget; sockets without a caller use the address. */
  budgetOf(addressGroup: string, caller: Caller | undefined): ClientBudget;
  /** Response to clients whose budget is spent. */
  readonly budgetSpent: string;
  /** Called when the socket is closed because it kept exceeding a limit. */
  offended(addressGroup: string): void;
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
// A client refused at this rate can continue.
const REFUSALS_PER_SECOND = 1;
// Limit on messages queued behind one that needs the database.
const MESSAGES_WAITING_MAX = 64;

/** open ──closed by either side──▶ ended: no subscriptions, nothing is sent. */
export class StreamSocket implements Subscriber {
  readonly id: number;
  readonly #options: StreamSocketOptions;
  readonly #writer: SocketWriter;
  readonly #subscriptions: SubscriptionSet;
  readonly #closeTasks = new Set<() => void>();
  readonly #rate = new MessageRate({
    max: STREAM_MESSAGES_MAX,
    withinMs: STREAM_MESSAGES_WITHIN_MS,
  });
  // Pings have their own limit, outside the message rate.
  readonly #pings = new MessageRate({ max: STREAM_PINGS_MAX, withinMs: STREAM_MESSAGES_WITHIN_MS });
  readonly #channels: TokenBucket;
  readonly #refusals: TokenBucket;
  #budget: ClientBudget;
  #waiting: ClientMessage[] = [];
  #isBusy = false;
  #caller: Caller | undefined;
  #untilMs: number | undefined;
  /** True if the client was active since the last tick. Connecting counts. */
  #wasActive = true;
  /** Tick after the client's last activity, in running time. */
  #activeMs = 0;
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
    const { clock, limits, mayOperate, topics } = dependencies;
    // A socket can use its full subscription limit immediately.
    const { subscriptionsMax } = limits;
    const perSecond = subscriptionsMax / (STREAM_MESSAGES_WITHIN_MS / 1_000);
    const nowMs = clock.elapsedMs();
    this.#channels = new TokenBucket({ burst: subscriptionsMax, perSecond }, nowMs);
    const refusals = { burst: STREAM_REFUSALS_MAX, perSecond: REFUSALS_PER_SECOND };
    this.#refusals = new TokenBucket(refusals, nowMs);
    this.#budget = dependencies.budgetOf(addressGroup(options.address), options.caller);
    this.#subscriptions = new SubscriptionSet({
      subscriber: this,
      writer: this.#writer,
      topics,
      subscriptionsMax,
      mayOperate,
      charge: (weight) => this.#charge(weight),
      reply: (answer) => this.#reply(answer),
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

  /** Called when the client has sent something, so the socket is not idle. */
  onActivity(): void {
    this.#wasActive = true;
  }

  /** Charges limits before parsing the message, so a refused message costs next to nothing. */
  receive(bytes: Buffer): void {
    if (!this.isOpen) return;
    const { dependencies } = this.#options;
    this.onActivity();
    dependencies.received();
    const isShort = bytes.length <= STREAM_PING_BYTES_MAX;
    if (!this.#budget.takeMessage(bytes.length)) this.#refuse(dependencies.budgetSpent);
    else if (!isShort && !this.#takeMessage()) this.#refuse(streamTexts.rateLimited);
    else this.#read(bytes.toString(), isShort);
  }

  /** Handles a control frame. Returns false if it must not be answered. */
  receiveControl(bytes: number): boolean {
    if (!this.isOpen) return false;
    this.onActivity();
    const nowMs = this.#options.dependencies.clock.elapsedMs();
    if (this.#budget.takeMessage(bytes) && this.#pings.take(nowMs)) return true;
    this.#refuse(streamTexts.rateLimited);
    return false;
  }

  onDrain(): void {
    this.#writer.onDrain();
  }

  /**
   * Called periodically with the gateway's running time. Closes the socket if its credentials have
   * expired or its data is stuck.
   */
  tick(runningMs: number): void {
    // Compared with the time of day, because a timer would not follow a system time change.
    const { clock } = this.#options.dependencies;
    if (this.#untilMs !== undefined && clock.nowMs() >= this.#untilMs) this.close('revoked');
    else this.#writer.tick(runningMs);
  }

  /** Returns how long the client has been idle, in running time, exact to one tick. */
  idleMs(runningMs: number): number {
    if (this.#wasActive) this.#activeMs = runningMs;
    this.#wasActive = false;
    return runningMs - this.#activeMs;
  }

  /** Called when markets might have been listed since the last call. */
  subscribeToNew(): void {
    if (this.isOpen) this.#subscriptions.subscribeToNew();
  }

  close(why: CloseReason): void {
    this.#writer.close(why);
  }

  /** Called when the socket is closed or closing. Sends nothing more. Can be called again. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting = [];
    this.#subscriptions.end();
    const tasks = [...this.#closeTasks];
    this.#closeTasks.clear();
    for (const task of tasks) task();
  }

  readonly #isKnown = (op: string): boolean =>
    OWN_OPERATIONS.includes(op) || Object.hasOwn(this.#options.dependencies.operations, op);

  #read(text: string, isShort: boolean): void {
    const message = readClientMessage(text, this.#isKnown);
    const isPing = isShort && 'op' in message && message.op === 'ping';
    const nowMs = this.#options.dependencies.clock.elapsedMs();
    const isTaken = isPing ? this.#pings.take(nowMs) : !isShort || this.#takeMessage();
    if (!isTaken) this.#refuse(streamTexts.rateLimited);
    else if ('error' in message) this.#reply(message);
    else if (message.op === 'ping') this.#reply({ message: streamTexts.pong });
    else if (!this.#isBusy) this.#handle(message);
    else if (this.#waiting.length < MESSAGES_WAITING_MAX) this.#waiting.push(message);
    else this.close('tooMuch');
  }

  #takeMessage(): boolean {
    return this.#rate.take(this.#options.dependencies.clock.elapsedMs());
  }

  #charge(weight: number): StreamError | undefined {
    const { budgetSpent, clock, limits } = this.#options.dependencies;
    const isTaken = this.#channels.take(weight, clock.elapsedMs());
    if (isTaken && this.#budget.takeChannels(weight)) return undefined;
    this.#countRefusal();
    return { error: isTaken ? budgetSpent : streamTexts.tooManyChannels(limits.subscriptionsMax) };
  }

  /** Responds to a message that exceeds a limit. */
  #refuse(error: string): void {
    this.#countRefusal();
    this.#reply({ error });
  }

  /** Closes a socket that continues after many refusals. */
  #countRefusal(): void {
    const { address, dependencies } = this.#options;
    if (this.#refusals.take(1, dependencies.clock.elapsedMs())) return;
    dependencies.offended(addressGroup(address));
    this.close('tooMuch');
  }

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
        return this.#runInTurns(this.#subscriptions.subscribe(args, fields));
      case 'unsubscribe':
        return this.#runInTurns(this.#subscriptions.unsubscribe(args));
    }
    return this.#options.dependencies.operations[op]({ subscriber: this, args, fields });
  }

  #runInTurns(steps: Steps): Answer | Promise<Answer> {
    const { turns } = this.#options.dependencies;
    const batch = (task: () => void) => this.#writer.batch(task);
    return turns.run({ client: this.#budget.client, steps, batch })?.then(() => undefined);
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
      this.#budget = dependencies.budgetOf(addressGroup(address), identity.caller);
      this.#greet(identity.caller);
      return undefined;
    };
    return identified instanceof Promise ? identified.then(take) : take(identified);
  }

  #greet({ email }: Caller): void {
    this.#reply({ message: streamTexts.authenticated(email) });
  }

  #reply(answer: Answer): void {
    if (answer !== undefined) this.#writer.sendOrClose(jsonFrame(answer));
  }
}
