// Responses for the operators' console in addition to the lists: search, timeline, exports and
// their hashes.

import type { Static } from 'typebox';
import {
  FreeObject,
  field,
  oneOf,
  StringOrNull,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
} from '../../../protocol/wire/index.ts';

const IntegerOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

export const SearchResult = Type.Object(
  {
    type: Type.String({ description: 'For example `user`, `order` or `deposit`.' }),
    id: Type.String(),
    user_id: IntegerOrNull,
    title: Type.String({ description: 'Readable description; personal values are masked.' }),
    at: TimestampOrNull,
    path: Type.String({ description: 'The endpoint that shows it.' }),
  },
  { title: 'SearchResult' },
);
export type SearchResult = Static<typeof SearchResult>;

export const SearchAnswer = Type.Object(
  {
    count: Type.Integer(),
    data: Type.Array(SearchResult),
    is_complete: Type.Boolean({
      description: 'False if the search by part of a name took too long and was stopped.',
    }),
  },
  { title: 'SearchAnswer' },
);
export type SearchAnswer = Static<typeof SearchAnswer>;

export const WORK_QUEUES = [
  'approvals',
  'withdrawals',
  'deposits',
  'bank_accounts',
  'findings',
  'reveals',
] as const;
export type WorkQueue = (typeof WORK_QUEUES)[number];

export const Work = Type.Object(
  {
    control_mode: field(oneOf(['solo', 'team']), 'The control mode of the exchange.', 'team'),
    is_mode_chosen: Type.Boolean({
      description: 'False until an administrator has chosen the mode.',
    }),
    queues: field(
      Type.Array(
        Type.Object(
          {
            name: oneOf(WORK_QUEUES),
            waiting: Type.Integer({ description: 'Counted up to 1,000.' }),
            oldest_at: field(TimestampOrNull, 'When the oldest item arrived; null if none.'),
          },
          { title: 'WorkQueue' },
        ),
      ),
      'Only queues that your role can decide.',
    ),
  },
  { title: 'Work' },
);
export type Work = Static<typeof Work>;

export const TIMELINE_TYPES = [
  'account',
  'login',
  'device',
  'session',
  'security',
  'api_key',
  'bank_account',
  'payment_detail',
  'address_book',
  'deposit',
  'withdrawal',
  'stake',
  'operator',
  'reveal',
  'mail',
] as const;
export type TimelineType = (typeof TIMELINE_TYPES)[number];

export const TimelineEntry = Type.Object(
  {
    at: Timestamp,
    type: oneOf(TIMELINE_TYPES),
    event: sample(
      Type.String({ description: 'For example `success`, `completed` or `user.freeze`.' }),
      'login',
    ),
    id: Type.String({ description: 'The ID of the login, deposit, audit entry and so on.' }),
    details: FreeObject,
  },
  { title: 'TimelineEntry' },
);

export const Timeline = Type.Object(
  {
    data: Type.Array(TimelineEntry),
    next: sample(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'Send it as `before` to get the next page; null on the last page.',
      }),
      null,
    ),
    types: Type.Array(oneOf(TIMELINE_TYPES), {
      description: 'The types in this response: the requested ones that your role can read.',
    }),
  },
  { title: 'Timeline' },
);
export type Timeline = Static<typeof Timeline>;

export const EXPORT_STATES = ['sending', 'complete', 'broken'] as const;

export const ListExport = Type.Object(
  {
    id: Type.Integer({ description: 'Same as the `x-export-id` header of the response.' }),
    operator_id: Type.Integer(),
    list: Type.String({ description: 'For example `orders`.' }),
    format: Type.String(),
    filters: field(FreeObject, 'The filters of the list.'),
    state: Type.String({ description: `One of: ${EXPORT_STATES.join(', ')}.` }),
    rows: field(IntegerOrNull, 'Number of rows.', 120),
    bytes: IntegerOrNull,
    sha256: StringOrNull,
    started_at: Timestamp,
    ended_at: TimestampOrNull,
  },
  {
    title: 'ListExport',
    description:
      'For a broken export, rows, bytes and hash cover the data handed to the connection; null ' +
      'if the gateway stopped.',
  },
);
export type ListExport = Static<typeof ListExport>;
