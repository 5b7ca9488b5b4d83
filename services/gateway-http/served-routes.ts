// Every route with its handler. The protocol groups its routes by feature, and each feature's
// folder exports the handlers for its group. A missing or unknown handler is a type error. An
// operator chooses which modules a process serves.

import {
  accountRoutes,
  profileRoutes,
  userActsRoutes,
} from '../../features/accounts/http/routes.ts';
import { approvalsRoutes, rolesRoutes } from '../../features/approvals/http/routes.ts';
import { auditsRoutes } from '../../features/audit/http/routes.ts';
import {
  apiKeysRoutes,
  developmentRoutes,
  factorsRoutes,
  loginRoutes,
  sessionsRoutes,
  signUpRoutes,
} from '../../features/auth/http/routes.ts';
import { custodyRoutes } from '../../features/custody/http/routes.ts';
import { kitRoutes, setUpRoutes } from '../../features/exchange-config/http/routes.ts';
import { healthRoutes } from '../../features/health/http/routes.ts';
import { switchRoutes } from '../../features/kill-switches/http/routes.ts';
import {
  controlRoutes,
  exchangeRoutes,
  listingRoutes,
} from '../../features/listings/http/routes.ts';
import {
  chartsRoutes,
  marketDataRoutes,
  udfRoutes,
} from '../../features/market-data/http/routes.ts';
import {
  announcementsRoutes,
  operatorAnnouncementsRoutes,
  operatorMailsRoutes,
  supportRoutes,
} from '../../features/messages/http/routes.ts';
import {
  addressBookRoutes,
  bankAccountsRoutes,
  depositAddressesRoutes,
  depositsRoutes,
  fiatRoutes,
  operatorMoneyRoutes,
  withdrawalsRoutes,
} from '../../features/payments/http/routes.ts';
import { guardRead } from '../../features/pii-access/http/index.ts';
import { peopleRoutes } from '../../features/pii-access/http/routes.ts';
import { statisticsRoutes } from '../../features/portfolio/http/routes.ts';
import { liabilitiesRoutes } from '../../features/proofs/http/routes.ts';
import { reconciliationRoutes } from '../../features/reconciliation/http/routes.ts';
import { referralRoutes } from '../../features/referral/http/routes.ts';
import {
  consoleRoutes,
  ledgerRoutes,
  operatorListsRoutes,
  statementsRoutes,
} from '../../features/reports/http/routes.ts';
import { stakingRoutes } from '../../features/staking/http/routes.ts';
import {
  sharedAccountsRoutes,
  subAccountsRoutes,
} from '../../features/sub-accounts/http/routes.ts';
import { surveillanceRoutes } from '../../features/surveillance/http/routes.ts';
import { ordersRoutes, quotesRoutes } from '../../features/trading/http/routes.ts';
import type { BrowserApp } from '../../infra/access/index.ts';
import type { Handler, HandlersOf } from '../../platform/http/index.ts';
import { type Route, type RouteGroups, routeGroups } from '../../protocol/index.ts';

export type Features = { readonly [Group in keyof RouteGroups]: HandlersOf<Group> };

export const features: Features = {
  exchange: exchangeRoutes,
  marketData: marketDataRoutes,
  charts: chartsRoutes,
  udf: udfRoutes,
  account: accountRoutes,
  statistics: statisticsRoutes,
  liabilities: liabilitiesRoutes,
  statements: statementsRoutes,
  referral: referralRoutes,
  staking: stakingRoutes,
  profile: profileRoutes,
  addressBook: addressBookRoutes,
  apiKeys: apiKeysRoutes,
  sessions: sessionsRoutes,
  deposits: depositsRoutes,
  operatorMoney: operatorMoneyRoutes,
  withdrawals: withdrawalsRoutes,
  bankAccounts: bankAccountsRoutes,
  depositAddresses: depositAddressesRoutes,
  fiat: fiatRoutes,
  announcements: announcementsRoutes,
  support: supportRoutes,
  operatorLists: operatorListsRoutes,
  orders: ordersRoutes,
  quotes: quotesRoutes,
  login: loginRoutes,
  factors: factorsRoutes,
  signUp: signUpRoutes,
  subAccounts: subAccountsRoutes,
  sharedAccounts: sharedAccountsRoutes,
  audits: auditsRoutes,
  setUp: setUpRoutes,
  approvals: approvalsRoutes,
  listing: listingRoutes,
  control: controlRoutes,
  switches: switchRoutes,
  reconciliation: reconciliationRoutes,
  custody: custodyRoutes,
  health: healthRoutes,
  surveillance: surveillanceRoutes,
  console: consoleRoutes,
  ledger: ledgerRoutes,
  roles: rolesRoutes,
  kit: kitRoutes,
  operatorAnnouncements: operatorAnnouncementsRoutes,
  operatorMails: operatorMailsRoutes,
  userActs: userActsRoutes,
  people: peopleRoutes,
  development: developmentRoutes,
};

export const GATEWAY_MODULES = ['public', 'user', 'admin', 'identity'] as const;
export type GatewayModule = (typeof GATEWAY_MODULES)[number];

export interface ServedRoute {
  readonly name: string;
  readonly route: Route;
  readonly handler: Handler<Route>;
}

/** Returns the routes of the given modules. Development routes exist only if `isDevelopment`. */
export function servedRoutes(
  modules: readonly GatewayModule[],
  { isDevelopment }: { readonly isDevelopment: boolean },
): ServedRoute[] {
  return allRoutes().filter(
    ({ route }) =>
      modules.includes(moduleOf(route)) && (isDevelopment || route.onlyInDevelopment !== true),
  );
}

/**
 * admin:    operators only, and the setup. In production a separate process serves operators, with
 *           all modules: they log in there and nowhere else.
 * identity: routes that hash passwords, and declare it. A separate process can serve them.
 * user: callers with credentials, and everything below `/v2/user`, so a proxy can route by path.
 * public:   everything else.
 */
export function moduleOf({ module, path, permission }: Route): GatewayModule {
  if (permission.who === 'operator') return 'admin';
  if (module !== undefined) return module;
  return permission.who !== 'anyone' || path.startsWith('/v2/user/') ? 'user' : 'public';
}

function allRoutes(): ServedRoute[] {
  return Object.entries(routeGroups).flatMap(([group, routes]) => {
    // The types of `features` pair each route with its handler; a loop over both loses the types.
    const handlers: object = features[group as keyof RouteGroups];
    return Object.entries<Route>(routes).map(([name, route]) => {
      const handler = handlers[name as keyof typeof handlers] as Handler<Route>;
      return { name, route, handler: guardRead(route, handler) };
    });
  });
}

const BOTH: readonly BrowserApp[] = ['terminal', 'console'];
const TERMINAL: readonly BrowserApp[] = ['terminal'];
const CONSOLE: readonly BrowserApp[] = ['console'];
/** Writes by which users manage their own login. */
const LOGIN_TAGS = ['login', 'second factors', 'sign-up and passwords'];
const LOGOUT = '/v2/logout';

/**
 * Returns the web apps whose session cookie authenticates the route. A fault in one app cannot act
 * in the other: the terminal for operators, or the console with a user's own money. Tokens and keys
 * are not affected.
 */
export function appsOfRoute({ effect, path, permission, tag }: Route): readonly BrowserApp[] {
  if (permission.who === 'operator') return CONSOLE;
  if (permission.who === 'anyone' || effect === 'read') return BOTH;
  return LOGIN_TAGS.includes(tag) || path === LOGOUT ? BOTH : TERMINAL;
}

/**
 * Endpoints of other exchanges with this interface, which return 501 with a reason instead of 404.
 */
const NOT_OFFERED: readonly [path: string, reason: string][] = [
  ['/v2/admin/broker', 'there are no brokers; quick trade uses the order books'],
  ['/v2/admin/p2p', 'there is no trading from person to person'],
  ['/v2/p2p', 'there is no trading from person to person'],
  ['/v2/plugins', 'there are no plugins; programs use API keys'],
  ['/v2/admin/plugins', 'there are no plugins; programs use API keys'],
  ['/v2/admin/upload', 'host images yourself and write their addresses into the kit'],
  ['/v2/admin/order/match', 'orders are filled by their order book only'],
  ['/v2/admin/send-email-test', 'the notifier has the mail server in its environment'],
  ['/v2/admin/network-credentials', 'there is no remote network'],
  ['/v2/admin/dash-token', 'there is no remote network'],
];

/** Returns the reason, or undefined for an unknown path. */
export function reasonNotOffered(path: string): string | undefined {
  const found = NOT_OFFERED.find(([start]) => path === start || path.startsWith(`${start}/`));
  return found?.[1];
}
