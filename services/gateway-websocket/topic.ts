// Contract between sockets and topics: a socket subscribes to a topic's channels, and the topic
// sends frames to its subscriptions. Neither may know the other's implementation.

import type { Caller } from '../../features/auth/index.ts';
import type { Watch } from '../../infra/bus/index.ts';
import type { Frame } from './frame.ts';

/** Sent to the client as `{"error": …}`. It never closes the socket. */
export interface StreamError {
  readonly error: string;
}

/** Sent to the client as `{"message": …}`. */
export interface StreamNotice {
  readonly message: string;
}

/** A socket, as topics see it. */
export interface Subscriber {
  /** Unique within the process, never reused. */
  readonly id: number;
  /** Undefined until the socket is authenticated; constant afterwards. */
  readonly caller: Caller | undefined;
  readonly isOpen: boolean;
  /** Runs the task once, when the socket has closed for any reason. */
  watchClose(task: () => void): Watch;
}

/**
 * One socket's subscription to one channel: the same object is passed to `subscribe`, `refresh` and
 * `unsubscribe`. Sending never blocks.
 */
export interface ChannelSubscription {
  readonly subscriber: Subscriber;
  /** Channel name for clients: `orderbook:btc-usdt`, `order:7`, `price`. */
  readonly channel: string;
  /** The channel's market or coin; undefined if it has none. */
  readonly symbol: string | undefined;
  /** Fields other than `op` and `args` in the subscribe message, such as `resume_from`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /**
   * For frames that a snapshot can replace. Returns false if too much is unsent: this frame and all
   * later ones are dropped until the socket calls `refresh`.
   */
  send(frame: Frame): boolean;
  /** For frames that must not be lost: if too much is unsent, the socket is closed instead. */
  sendOrClose(frame: Frame): void;
}

/** A channel that a subscribe message names. */
export interface Channel {
  readonly name: string;
  readonly symbol: string | undefined;
}

export interface Topic {
  /** Required kind of caller; the socket checks it first. */
  readonly audience: 'anyone' | 'user' | 'operator';
  /** Cost of subscribing to a channel, relative to a ten-level book. */
  readonly weight: number;
  /**
   * Returns the channels that `topic:symbol` names, or an error. Without a symbol there can be one
   * per market; the socket calls again periodically to include new markets.
   */
  channels(
    symbol: string | undefined,
    caller: Caller | undefined,
  ): readonly Channel[] | StreamError;
  /** Sends the first message, now or later, and then updates. Called once per subscription. */
  subscribe(subscription: ChannelSubscription): void;
  /** Called once, even if the socket has closed. Nothing must be sent afterwards. */
  unsubscribe(subscription: ChannelSubscription): void;
  /** Called when the socket dropped frames and has room again. Sends a new snapshot. */
  refresh(subscription: ChannelSubscription): void;
}

/** A client's message with a module's operation. */
export interface OperationCall {
  readonly subscriber: Subscriber;
  readonly args: readonly unknown[];
  /** Fields other than `op` and `args`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

type OperationAnswer = StreamError | StreamNotice | undefined;

/** An operation beyond the socket's own. A rejected promise is a fault, not a refusal. */
export type Operation = (call: OperationCall) => OperationAnswer | Promise<OperationAnswer>;

/** A part of the gateway that provides topics and operations. */
export interface TopicModule {
  /** By the name before the colon. */
  readonly topics: Readonly<Record<string, Topic>>;
  readonly operations?: Readonly<Record<string, Operation>>;
  /** Called before the sockets are closed at shutdown. */
  stopping?(): void;
  /** Called after the sockets are closed. */
  stop(): void | Promise<void>;
}
