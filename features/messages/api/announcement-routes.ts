// Announcements of the operator, for everyone.

import { defineRoute, listQuery, pagedList, WEIGHT_LIST } from '../../../protocol/wire/index.ts';
import { Announcement } from './announcement.ts';

export const announcementRoutes = {
  getAnnouncements: defineRoute({
    method: 'GET',
    path: '/v2/announcements',
    summary: 'Announcements that are shown now, newest first',
    description: 'HTML in announcements is made safe when it is written.',
    tag: 'exchange',
    permission: { who: 'anyone' },
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery({}),
    status: 200,
    response: pagedList(Announcement),
  }),
} as const;
