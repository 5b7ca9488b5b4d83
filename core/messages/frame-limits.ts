// The bounds of a frame in bytes and records. Part of the format: readers rely on them to bound
// what a frame may make them allocate.

export const FRAME_BYTES_MAX = 8 * 1024 * 1024;
export const COMMANDS_PER_FRAME_MAX = 65_536;
/** What fails beyond this goes into a later frame. */
export const POISONED_PER_FRAME_MAX = 256;
/** One command may give many events, so only the bytes bound them more tightly than this. */
export const EVENTS_PER_FRAME_MAX = 1_048_576;
/** A longer text is refused by encoder and decoder alike. */
export const TEXT_BYTES_MAX = 1_024;
/** A record is its kind's code, one byte, the length of its fields, two bytes, and those. */
export const RECORD_HEADER_BYTES = 3;
