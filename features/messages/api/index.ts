// The wire of messages: its routes, schemas and errors.

export { Announcement } from './announcement.ts';
export { announcementRoutes } from './announcement-routes.ts';
export { operatorAnnouncementRoutes } from './operator-announcement-routes.ts';
export { operatorMailRoutes } from './operator-mail-routes.ts';
export { supportRoutes } from './support-routes.ts';
