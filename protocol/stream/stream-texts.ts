// Stream notices and errors. Clients match some of these texts, so none must change.

import {
  CANCEL_ON_DISCONNECT_MAX,
  CANCEL_ON_DISCONNECT_MIN,
  STREAM_ANSWERS_MAX,
  STREAM_ARGS_MAX,
  STREAM_MESSAGES_MAX,
  STREAM_MESSAGES_WITHIN_MS,
  STREAM_TOPIC_LENGTH_MAX,
} from './stream-limits.ts';

const WINDOW = `in ${STREAM_MESSAGES_WITHIN_MS / 1_000} seconds`;

export const streamTexts = {
  welcome: 'Welcome!',
  authenticated: (email: string) => `User ${email} authenticated`,
  pong: 'pong',
  unsubscribed: (channel: string) => `Unsubscribed from channel ${channel}`,

  wrongInput: 'Error: wrong input',
  unsupportedType: 'unsupported message type',
  empty: 'message can not be empty',
  topicUnknown: (topic: string) => `Topic ${topic} is not supported`,
  symbolInvalid: 'Invalid symbol',
  authenticationRequired: 'Bearer or HMAC authentication required',
  notAuthorized: 'User is not authorized to access this endpoint',
  alreadySubscribed: (channel: string) => `Already subscribed to channel ${channel}`,
  notSubscribed: (channel: string) => `Not subscribed to channel ${channel}`,
  alreadyAuthenticated: 'Already authenticated',
  rateLimited: `Rate limit exceeded: at most ${STREAM_MESSAGES_MAX} messages ${WINDOW}`,
  tooManyChannels: (max: number) =>
    `Rate limit exceeded: at most ${max} channels ${WINDOW} for a socket`,
  /** Per second, across all sockets of one address or user. */
  budgetSpent: (most: { messages: number; bytes: number; channels: number }) =>
    `Rate limit exceeded: at most ${most.messages} messages, ${most.bytes} bytes and ` +
    `${most.channels} channels per second for all sockets of one address or user`,

  tooManySubscriptions: (max: number) => `Too many subscriptions: at most ${max} for a socket`,
  tooManyArguments: `Error: wrong input: at most ${STREAM_ARGS_MAX} args in a message`,
  argumentTooLong: `Error: wrong input: args have at most ${STREAM_TOPIC_LENGTH_MAX} characters`,
  answersLeftOut: (count: number) =>
    `${count} more answers left out: at most ${STREAM_ANSWERS_MAX} for a message`,
  noMarkets: (topic: string) => `Subscribed to ${topic}: no markets listed yet`,
  timeoutInvalid:
    `Error: wrong input: timeout must be 0 or a whole number of seconds from ` +
    `${CANCEL_ON_DISCONNECT_MIN} to ${CANCEL_ON_DISCONNECT_MAX}`,
  unavailable: 'Temporarily unavailable, try again',
} as const;

/** Codes and reasons for close frames. */
export const closeReasons = {
  /** Existing clients expect neither code nor reason. */
  idle: { code: undefined, reason: '' },
  stopping: { code: 1001, reason: 'the gateway is shutting down' },
  revoked: { code: 1008, reason: 'the credentials were revoked' },
  intakeStopped: { code: 1013, reason: 'the stream is temporarily stopped: reconnect later' },
  tooSlow: { code: 1013, reason: 'too slow: reconnect and subscribe again' },
  tooMuch: {
    code: 1008,
    reason: `too many messages: send at most ${STREAM_MESSAGES_MAX} ${WINDOW}`,
  },
  fault: { code: 1011, reason: 'internal error: reconnect' },
} as const;

export type CloseReason = keyof typeof closeReasons;
