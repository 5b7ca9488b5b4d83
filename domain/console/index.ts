// The console of operators: the search box, and the timeline of a user.

export { SEARCH_TYPES, type SearchType } from './look-ups.ts';
export {
  type Found,
  peopleIn,
  type SearchScope,
  searchExact,
  searchUsers,
} from './search.ts';
export {
  parseCursor,
  readTimeline,
  TIMELINE_TYPES,
  type TimelineEntry,
  type TimelineType,
} from './timeline.ts';
