// What a socket may do, in numbers that clients may rely on.

export const STREAM_PATH = '/stream';

/** So many messages within so long; pings are not counted. */
export const STREAM_MESSAGES_MAX = 20;
export const STREAM_MESSAGES_WITHIN_MS = 3_000;

/** Who has not sent anything for so long is hung up on. */
export const STREAM_IDLE_MS = 60_000;

/** Of one message of a client. */
export const STREAM_MESSAGE_BYTES_MAX = 65_536;

/** Of one subscription. */
export const STREAM_ARGS_MAX = 500;
