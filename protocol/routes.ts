// Every call of the interface, by name. Handlers, documents and tests are typed by this object or
// made from it; what is not here cannot be called.

import { developmentRoutes } from './routes/development-routes.ts';
import { chartRoutes, describingRoutes, marketRoutes } from './routes/market-routes.ts';
import { operatorRoutes } from './routes/operator-routes.ts';
import { batchRoutes, orderRoutes } from './routes/order-routes.ts';
import { quoteRoutes } from './routes/quote-routes.ts';
import { udfRoutes } from './routes/udf-routes.ts';
import { userRoutes, withdrawalRoutes } from './routes/user-routes.ts';

export const routes = {
  ...describingRoutes,
  ...marketRoutes,
  ...chartRoutes,
  ...udfRoutes,
  ...userRoutes,
  ...withdrawalRoutes,
  ...orderRoutes,
  ...batchRoutes,
  ...quoteRoutes,
  ...operatorRoutes,
  ...developmentRoutes,
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
