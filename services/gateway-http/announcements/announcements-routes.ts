// The list of announcements that are shown now.

import { announcementOf, shownAnnouncements } from '../../../domain/announcements/index.ts';
import { type Announcement, timeText } from '../../../protocol/index.ts';
import type { HandlersOf } from '../handler.ts';
import { momentFilter } from '../lists/list-filters.ts';
import { answerList, type Row } from '../lists/lists.ts';

const SORT_COLUMNS = {
  id: 'a.id',
  created_at: 'a.created_at',
  updated_at: 'a.updated_at',
  start_date: 'a.start_date',
  end_date: 'a.end_date',
  title: 'a.title',
  type: 'a.type',
};

export const announcementsRoutes: HandlersOf<'announcements'> = {
  getAnnouncements(call, { clock, exchange, registry }) {
    const { end_date, start_date } = call.query;
    return answerList(call, {
      ...shownAnnouncements,
      pool: registry,
      clock,
      values: [new Date(clock.nowMs()), momentFilter(start_date), momentFilter(end_date)],
      sortColumns: SORT_COLUMNS,
      write: (row) => JSON.stringify(announcementJson(row)),
      fileName: `${exchange.name}-announcements`,
    });
  },
};

function announcementJson(row: Row): Announcement {
  const { createdAt, endDate, startDate, updatedAt, ...one } = announcementOf(row);
  return {
    id: one.id,
    title: one.title,
    message: one.message,
    type: one.type,
    start_date: timeOrNull(startDate),
    end_date: timeOrNull(endDate),
    is_popup: one.isPopup,
    is_navbar: one.isNavbar,
    is_dropdown: one.isDropdown,
    created_at: timeText(createdAt.getTime()),
    updated_at: timeText(updatedAt.getTime()),
  };
}

function timeOrNull(time: Date | null): string | null {
  return time === null ? null : timeText(time.getTime());
}
