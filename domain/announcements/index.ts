// Announcements of the operator to everyone.

export {
  type Announcement,
  type AnnouncementContent,
  type AnnouncementRefusal,
  allAnnouncements,
  announcementOf,
  changeAnnouncement,
  findAnnouncement,
  removeAnnouncement,
  shownAnnouncements,
  writeAnnouncement,
} from './announcements.ts';
export { safeHtml } from './safe-html.ts';
