// Live feed: the names and codecs of the publisher's data, and a gateway's copy of all public data.

export {
  BOOK_KINDS,
  BOOK_SILENCE_MS_MAX,
  BOOK_SUBJECTS,
  type BookKind,
  type FullLevels,
  type FullOrders,
  INTEREST_EVERY_MS,
  INTEREST_LASTS_MS,
  type Interest,
  type LevelChanges,
  type LevelRow,
  type OrderChanges,
  type OrderRow,
} from './book-messages.ts';
export { BOOK_LEVELS, type Depth, type DepthLevel } from './depth.ts';
export {
  type FeedSubjects,
  FRAME_HEADER,
  feedSubjects,
  PART_HEADER,
  PREVIOUS_HEADER,
  PRIVATE_STREAM_KEEPS_MS,
  privateStreamName,
  TRADE_HEADER,
} from './feed-subjects.ts';
export type { FeedKind, FeedValue } from './feed-values.ts';
export { type FeedChange, LiveFeed } from './live-feed.ts';
export {
  decodeUserEvents,
  encodeUserEvents,
  frameOfUserEvents,
  type Position,
  type UserEvents,
  type UserMessage,
  type UserTopic,
} from './user-events.ts';
