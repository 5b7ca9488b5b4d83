// Announcements of the operator to everyone.

export {
  type Announcement,
  type AnnouncementContent,
  type AnnouncementRefusal,
  announcementOf,
  changeAnnouncement,
  removeAnnouncement,
  shownAnnouncements,
  writeAnnouncement,
} from './announcements.ts';
