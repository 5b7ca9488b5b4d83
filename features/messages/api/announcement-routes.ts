// Announcements: the public list, and the routes for operators who write them.

import type { Static } from 'typebox';
import {
  BooleanIn,
  defineRoute,
  field,
  listQuery,
  Message,
  NO_QUERY,
  OPERATOR_BODY_BYTES_MAX,
  pagedList,
  Timestamp,
  TimestampOrNull,
  Type,
  textIn,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';

export const Announcement = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String({ description: 'Plain text.' }),
    message: Type.String({ description: 'HTML, sanitized when it was saved.' }),
    type: field(Type.String(), 'The announcement type.', 'market'),
    start_date: field(TimestampOrNull, 'When it is first shown; null for immediately.', null),
    end_date: field(TimestampOrNull, 'When it is no longer shown; null for no end.', null),
    is_popup: Type.Boolean(),
    is_navbar: Type.Boolean(),
    is_dropdown: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Announcement' },
);
export type Announcement = Static<typeof Announcement>;

export const announcementRoutes = {
  getAnnouncements: defineRoute({
    method: 'GET',
    path: '/v2/announcements',
    summary: 'Current announcements, newest first',
    description: 'HTML in announcements is sanitized when it is saved.',
    tag: 'exchange',
    permission: { who: 'anyone' },
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery({}),
    status: 200,
    response: pagedList(Announcement),
  }),
} as const;

const tag = 'operator';
const reads = { who: 'operator', scope: 'can_read', sessions: true } as const;
const writes = { who: 'operator', scope: 'can_withdraw', sessions: true } as const;

const MomentOrNullIn = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 40,
  format: 'date-time',
});
const TitleIn = textIn({ minLength: 1, maxLength: 400, description: 'Plain text.' });
const MessageIn = textIn({ maxLength: 40_000, description: 'HTML; unsafe parts are removed.' });

const contentIn = {
  type: Type.Optional(
    Type.String({ maxLength: 64, description: 'A type for clients, in one word.' }),
  ),
  start_date: Type.Optional(MomentOrNullIn),
  end_date: Type.Optional(MomentOrNullIn),
  is_popup: Type.Optional(Type.Boolean()),
  is_navbar: Type.Optional(Type.Boolean()),
  is_dropdown: Type.Optional(Type.Boolean()),
};

export const operatorAnnouncementRoutes = {
  listAnnouncements: defineRoute({
    method: 'GET',
    path: '/v2/admin/announcements',
    summary: 'All announcements, including past and future ones, newest first',
    description: 'Filter by where the announcement is shown.',
    tag,
    permission: reads,
    roles: ['supervisor', 'communicator', 'announcer', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery({
      is_popup: Type.Optional(BooleanIn),
      is_navbar: Type.Optional(BooleanIn),
      is_dropdown: Type.Optional(BooleanIn),
    }),
    status: 200,
    response: pagedList(Announcement),
  }),
  createAnnouncement: defineRoute({
    method: 'POST',
    path: '/v2/admin/announcements',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Create an announcement',
    description: 'HTML is sanitized before it is stored.',
    tag,
    permission: writes,
    roles: ['supervisor', 'communicator', 'announcer'],
    effect: 'write',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    body: Type.Object(
      { title: TitleIn, message: MessageIn, ...contentIn },
      { title: 'AnnouncementIn', additionalProperties: false },
    ),
    status: 200,
    response: Announcement,
  }),
  changeAnnouncement: defineRoute({
    method: 'PUT',
    path: '/v2/admin/announcements',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Change an announcement; omitted fields keep their values',
    description: 'HTML is sanitized before it is stored.',
    tag,
    permission: writes,
    roles: ['supervisor', 'communicator', 'announcer'],
    effect: 'write',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    body: Type.Object(
      {
        id: Type.Integer(),
        title: Type.Optional(TitleIn),
        message: Type.Optional(MessageIn),
        ...contentIn,
      },
      { title: 'AnnouncementChangeIn', additionalProperties: false },
    ),
    status: 200,
    response: Announcement,
  }),
  removeAnnouncement: defineRoute({
    method: 'DELETE',
    path: '/v2/admin/announcements',
    summary: 'Remove an announcement',
    description: 'It disappears from all apps immediately.',
    tag,
    permission: writes,
    roles: ['supervisor', 'communicator', 'announcer'],
    effect: 'write',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    body: Type.Object(
      { id: Type.Integer() },
      { title: 'AnnouncementRemovalIn', additionalProperties: false },
    ),
    status: 200,
    response: Message,
  }),
} as const;
