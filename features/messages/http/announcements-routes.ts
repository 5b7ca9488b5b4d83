// The list of announcements that are shown now.

import { answerList, type HandlersOf, momentFilter } from '../../../platform/http/index.ts';
import { announcementOf, shownAnnouncements } from '../announcements/announcements.ts';
import { ANNOUNCEMENT_SORT_COLUMNS, announcementJson } from './announcement-json.ts';

export const announcementsRoutes: HandlersOf<'announcements'> = {
  getAnnouncements(call, { clock, exchange, registry }) {
    const { end_date, start_date } = call.query;
    return answerList(call, {
      ...shownAnnouncements,
      pool: registry,
      clock,
      values: [new Date(clock.nowMs()), momentFilter(start_date), momentFilter(end_date)],
      sortColumns: ANNOUNCEMENT_SORT_COLUMNS,
      write: (row) => JSON.stringify(announcementJson(announcementOf(row))),
      fileName: `${exchange.name}-announcements`,
    });
  },
};
