// Message handlers for the gateway.

export {
  announcementsRoutes,
  operatorAnnouncementsRoutes,
} from './announcement-routes.ts';
export { operatorMailsRoutes } from './operator-mail-routes.ts';
export { supportRoutes } from './support-routes.ts';
