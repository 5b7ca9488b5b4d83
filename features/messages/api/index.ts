// Wire definitions for messages: routes, schemas and errors.

export {
  Announcement,
  announcementRoutes,
  operatorAnnouncementRoutes,
} from './announcement-routes.ts';
export { operatorMailRoutes } from './operator-mail-routes.ts';
export { supportRoutes } from './support-routes.ts';
