// Limits of a frame in bytes and records. Part of the format: readers rely on them to bound their
// allocations.

export const FRAME_BYTES_MAX = 8 * 1024 * 1024;
export const COMMANDS_PER_FRAME_MAX = 65_536;
/** Further poisoned commands go into a later frame. */
export const POISONED_PER_FRAME_MAX = 256;
/** One command can cause many events; FRAME_BYTES_MAX is usually the tighter limit. */
export const EVENTS_PER_FRAME_MAX = 1_048_576;
/** Encoder and decoder reject longer texts. */
export const TEXT_BYTES_MAX = 1_024;
/** A record is one byte for the kind's code, two for the length of the fields, then the fields. */
export const RECORD_HEADER_BYTES = 3;
