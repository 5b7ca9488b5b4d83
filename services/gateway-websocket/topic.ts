// The contract between sockets and topics: a socket asks a topic to send it something, a topic
// sends frames to whoever follows. Neither knows how the other does it.

import type { Caller } from '../../domain/credentials/index.ts';
import type { Watch } from '../../infra/bus/index.ts';
import type { Frame } from './frame.ts';

/** Told to the client as `{"error": …}`. It never closes the socket. */
export interface StreamError {
  readonly error: string;
}

/** Told to the client as `{"message": …}`. */
export interface StreamNotice {
  readonly message: string;
}

/** A socket, as far as topics may know it. */
export interface Subscriber {
  /** Of this process, never used twice. */
  readonly id: number;
  /** Undefined until the socket has said who it is; does not change after that. */
  readonly caller: Caller | undefined;
  readonly isOpen: boolean;
  /** The task runs once, when the socket has closed, for whatever reason. */
  watchClose(task: () => void): Watch;
}

/**
 * One socket that follows one channel, from `follow` to `unfollow`: the same object in both, and
 * in between. Sending never waits.
 */
export interface ChannelSubscription {
  readonly subscriber: Subscriber;
  /** As the client knows it: `orderbook:btc-usdt`, `order:7`, `price`. */
  readonly channel: string;
  /** What the channel is of: a market, a coin; undefined when it is of nothing in particular. */
  readonly symbol: string | undefined;
  /** What stood beside `op` and `args` in the message that subscribed: `resume_from`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /**
   * For what a snapshot can replace. False when too much waits for the socket: the frame is left
   * out, as are all that follow, until the topic was asked to `refresh`.
   */
  send(frame: Frame): boolean;
  /** For what must not be lost: when too much waits for the socket, it is closed instead. */
  sendOrClose(frame: Frame): void;
}

/** A channel that a subscription asks for. */
export interface Channel {
  readonly name: string;
  readonly symbol: string | undefined;
}

export interface Topic {
  /** Who may follow it: the socket asks for that before anything else. */
  readonly audience: 'anyone' | 'user' | 'operator';
  /**
   * Which channels `topic:symbol` means, or why it means none. Without a symbol it may be several,
   * one for each market; asked again from time to time, so that new markets are followed too.
   */
  channels(
    symbol: string | undefined,
    caller: Caller | undefined,
  ): readonly Channel[] | StreamError;
  /** Sends the first message, now or later, and then what is new. Called once for a subscription. */
  subscribe(subscription: ChannelSubscription): void;
  /** Called once, also when the socket has closed. Nothing may be sent to it afterwards. */
  unsubscribe(subscription: ChannelSubscription): void;
  /** The socket left something out and has room again: it gets a fresh snapshot. */
  refresh(subscription: ChannelSubscription): void;
}

/** What a client sent with an `op` of its own. */
export interface OperationCall {
  readonly subscriber: Subscriber;
  readonly args: readonly unknown[];
  /** What stood beside `op` and `args`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

type OperationAnswer = StreamError | StreamNotice | undefined;

/** An `op` beyond those that sockets know themselves. Rejecting is a fault, not a refusal. */
export type Operation = (call: OperationCall) => OperationAnswer | Promise<OperationAnswer>;

/** A part of the gateway that brings topics and operations with it. */
export interface TopicModule {
  /** By the name in front of the colon. */
  readonly topics: Readonly<Record<string, Topic>>;
  readonly operations?: Readonly<Record<string, Operation>>;
  /** Before the sockets are closed because the process is about to end. */
  stopping?(): void;
  /** After the sockets have been closed. */
  stop(): void | Promise<void>;
}
