// An announcement as clients see it.

import {
  type Announcement as AnnouncementJson,
  timeText,
  timeTextOrNull,
} from '../../../protocol/index.ts';
import type { Announcement } from '../announcements/announcements.ts';

export const ANNOUNCEMENT_SORT_COLUMNS = {
  id: 'a.id',
  created_at: 'a.created_at',
  updated_at: 'a.updated_at',
  start_date: 'a.start_date',
  end_date: 'a.end_date',
  title: 'a.title',
  type: 'a.type',
};

export function announcementJson(announcement: Announcement): AnnouncementJson {
  const { createdAt, endDate, startDate, updatedAt, ...one } = announcement;
  return {
    id: one.id,
    title: one.title,
    message: one.message,
    type: one.type,
    start_date: timeTextOrNull(startDate),
    end_date: timeTextOrNull(endDate),
    is_popup: one.isPopup,
    is_navbar: one.isNavbar,
    is_dropdown: one.isDropdown,
    created_at: timeText(createdAt.getTime()),
    updated_at: timeText(updatedAt.getTime()),
  };
}
