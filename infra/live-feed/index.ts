// Live feed: how the publisher's data is called, and a gateway's copy of all public data.

export * from './book-messages.ts';
export { BOOK_LEVELS, type Depth, type DepthLevel } from './depth.ts';
export * from './feed-subjects.ts';
export type { FeedKind, FeedValue } from './feed-values.ts';
export * from './live-feed.ts';
export * from './private-stream.ts';
