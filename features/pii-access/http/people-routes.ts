// The routes of people as operators find and see them.

import type { HandlersOf } from '../../../platform/http/index.ts';
import { listUsers } from './list-users.ts';
import { paymentRoutes } from './payment-routes.ts';
import { revealRoutes } from './reveal-routes.ts';

export const peopleRoutes: HandlersOf<'people'> = {
  getUsers: listUsers,
  getUsersFile: listUsers,
  ...revealRoutes,
  ...paymentRoutes,
};
