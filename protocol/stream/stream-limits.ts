// Limits of a socket, which clients may rely on.

export const STREAM_PATH = '/stream';

/** Rate limit of client messages; pings are not counted. */
export const STREAM_MESSAGES_MAX = 20;
export const STREAM_MESSAGES_WITHIN_MS = 3_000;

/** Clients that send nothing for this long are disconnected. */
export const STREAM_IDLE_MS = 60_000;

/** Size limit of a client message. */
export const STREAM_MESSAGE_BYTES_MAX = 65_536;

/** Channels per subscribe request. */
export const STREAM_ARGS_MAX = 500;
