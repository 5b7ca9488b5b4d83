// Announcements of the operator, for everyone.

import { Announcement } from '../resources/announcement.ts';
import { listQuery, pagedList } from '../resources/paged-list.ts';
import { defineRoute } from '../route.ts';
import { WEIGHT_LIST } from '../weights.ts';

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
