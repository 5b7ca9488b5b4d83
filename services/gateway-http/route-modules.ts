// Every feature's routes, composed: the protocol groups its routes by feature, and each group has
// one module here. A missing module, a missing handler and a handler without a route are all type
// errors; the protocol's own types reject a route name that two groups use.

import { type Route, type RouteGroups, routeGroups } from '../../protocol/index.ts';
import { accountRoutes } from './account/account-routes.ts';
import { chartsRoutes } from './charts/charts-routes.ts';
import { depositsRoutes } from './deposits/deposits-routes.ts';
import { developmentRoutes } from './development/development-routes.ts';
import { exchangeRoutes } from './exchange/exchange-routes.ts';
import type { Handler, HandlersOf } from './handler.ts';
import { marketDataRoutes } from './market-data/market-data-routes.ts';
import { ordersRoutes } from './orders/orders-routes.ts';
import { quotesRoutes } from './quotes/quotes-routes.ts';
import { udfRoutes } from './udf/udf-routes.ts';
import { withdrawalsRoutes } from './withdrawals/withdrawals-routes.ts';

export type RouteModules = { readonly [Group in keyof RouteGroups]: HandlersOf<Group> };

export const routeModules: RouteModules = {
  exchange: exchangeRoutes,
  marketData: marketDataRoutes,
  charts: chartsRoutes,
  udf: udfRoutes,
  account: accountRoutes,
  deposits: depositsRoutes,
  withdrawals: withdrawalsRoutes,
  orders: ordersRoutes,
  quotes: quotesRoutes,
  development: developmentRoutes,
};

/** A route with its handler, which trusts that it is called with what its route describes. */
export interface ServedRoute {
  readonly name: string;
  readonly route: Route;
  readonly handler: Handler<Route>;
}

export function servedRoutes(modules: RouteModules): ServedRoute[] {
  return Object.entries(routeGroups).flatMap(([group, routes]) => {
    const handlers: object = modules[group as keyof RouteGroups];
    return Object.entries<Route>(routes).map(([name, route]) => ({
      name,
      route,
      handler: handlers[name as keyof typeof handlers] as Handler<Route>,
    }));
  });
}
