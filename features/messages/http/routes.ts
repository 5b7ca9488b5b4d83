// The handlers of messages, for the gateway.

export { announcementsRoutes } from './announcements-routes.ts';
export { operatorAnnouncementsRoutes } from './operator-announcements-routes.ts';
export { operatorMailsRoutes } from './operator-mails-routes.ts';
export { supportRoutes } from './support-routes.ts';
