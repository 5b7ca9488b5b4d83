// The handlers of messages, for the gateway.

export {
  announcementsRoutes,
  operatorAnnouncementsRoutes,
} from './announcements-routes.ts';
export { operatorMailsRoutes } from './operator-mails-routes.ts';
export { supportRoutes } from './support-routes.ts';
