// Notices and errors of the stream. Clients match some of these texts, so none may change.

import { STREAM_MESSAGES_MAX, STREAM_MESSAGES_WITHIN_MS } from './stream-limits.ts';

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
  rateLimited:
    `Rate limit exceeded: at most ${STREAM_MESSAGES_MAX} messages in ` +
    `${STREAM_MESSAGES_WITHIN_MS / 1_000} seconds`,

  tooManySubscriptions: (max: number) => `Too many subscriptions: at most ${max} for a socket`,
  unavailable: 'Temporarily unavailable, try again',
} as const;

/** Codes and reasons of close frames. */
export const closeReasons = {
  /** Existing clients expect neither code nor reason. */
  idle: { code: undefined, reason: '' },
  stopping: { code: 1001, reason: 'the gateway is about to stop' },
  revoked: { code: 1008, reason: 'the credentials were revoked' },
  intakeStopped: { code: 1013, reason: 'the stream is stopped at present: connect again later' },
  tooSlow: { code: 1013, reason: 'too slow: connect again and subscribe' },
  tooMuch: { code: 1008, reason: 'too many messages' },
  fault: { code: 1011, reason: 'our fault: connect again' },
} as const;

export type CloseReason = keyof typeof closeReasons;
