// Socket limits, on which clients can rely.

export const STREAM_PATH = '/stream';

/** Rate limit for client messages; pings are not counted. */
export const STREAM_MESSAGES_MAX = 20;
export const STREAM_MESSAGES_WITHIN_MS = 3_000;

/** Clients that send nothing for this long are disconnected. */
export const STREAM_IDLE_MS = 60_000;

/** Size limit for a client message. */
export const STREAM_MESSAGE_BYTES_MAX = 65_536;

/** Channels per subscribe request. */
export const STREAM_ARGS_MAX = 500;

/** Length limit for an argument that names a topic. */
export const STREAM_TOPIC_LENGTH_MAX = 128;

/** Limit on errors and notices of repeats in reply to one message; equal ones are sent once. */
export const STREAM_ANSWERS_MAX = 20;

/** Longer pings count as messages. */
export const STREAM_PING_BYTES_MAX = 64;

/** Limit on pings in the message rate window, including protocol pings. */
export const STREAM_PINGS_MAX = 60;

/** Messages over a limit until the socket is closed; one more is granted every second. */
export const STREAM_REFUSALS_MAX = 100;

/** Budget of a client (an address or a user) across all its sockets. */
export const STREAM_CLIENT_BUDGET = {
  messages: { burst: 1_000, perSecond: 100 },
  bytes: { burst: 4_194_304, perSecond: 262_144 },
  channels: { burst: 10_000, perSecond: 1_000 },
} as const;

/** Timeout for cancel on disconnect, in seconds. */
export const CANCEL_ON_DISCONNECT_MIN = 5;
export const CANCEL_ON_DISCONNECT_MAX = 3_600;
