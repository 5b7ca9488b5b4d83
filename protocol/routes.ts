// Every endpoint of the API, by name and by feature. Handlers, documents and tests are typed by
// these objects or generated from them. A route that is not listed here does not exist.

import { accountRoutes, profileRoutes, userActRoutes } from '../features/accounts/api/index.ts';
import { approvalRoutes, roleRoutes } from '../features/approvals/api/index.ts';
import { auditRoutes } from '../features/audit/api/index.ts';
import {
  apiKeyRoutes,
  developmentRoutes,
  factorRoutes,
  loginRoutes,
  sessionRoutes,
  signUpRoutes,
} from '../features/auth/api/index.ts';
import { custodyRoutes } from '../features/custody/api/index.ts';
import { kitRoutes, setUpRoutes } from '../features/exchange-config/api/index.ts';
import { healthRoutes } from '../features/health/api/index.ts';
import { switchRoutes } from '../features/kill-switches/api/index.ts';
import { controlRoutes, exchangeRoutes, listingRoutes } from '../features/listings/api/index.ts';
import { chartRoutes, marketDataRoutes, udfRoutes } from '../features/market-data/api/index.ts';
import {
  announcementRoutes,
  operatorAnnouncementRoutes,
  operatorMailRoutes,
  supportRoutes,
} from '../features/messages/api/index.ts';
import {
  addressBookRoutes,
  bankAccountRoutes,
  depositAddressRoutes,
  depositRoutes,
  fiatRoutes,
  operatorMoneyRoutes,
  withdrawalRoutes,
} from '../features/payments/api/index.ts';
import { peopleRoutes } from '../features/pii-access/api/index.ts';
import { statisticsRoutes } from '../features/portfolio/api/index.ts';
import { liabilityRoutes } from '../features/proofs/api/index.ts';
import { reconciliationRoutes } from '../features/reconciliation/api/index.ts';
import { referralRoutes } from '../features/referral/api/index.ts';
import {
  consoleRoutes,
  ledgerRoutes,
  operatorListRoutes,
  statementRoutes,
} from '../features/reports/api/index.ts';
import { stakingRoutes } from '../features/staking/api/index.ts';
import { sharedAccountRoutes, subAccountRoutes } from '../features/sub-accounts/api/index.ts';
import { surveillanceRoutes } from '../features/surveillance/api/index.ts';
import { orderRoutes, quoteRoutes } from '../features/trading/api/index.ts';

/** One group for each feature; the gateway has a module with the same name. */
export const routeGroups = {
  exchange: exchangeRoutes,
  marketData: marketDataRoutes,
  charts: chartRoutes,
  udf: udfRoutes,
  account: accountRoutes,
  statistics: statisticsRoutes,
  liabilities: liabilityRoutes,
  statements: statementRoutes,
  referral: referralRoutes,
  staking: stakingRoutes,
  profile: profileRoutes,
  addressBook: addressBookRoutes,
  apiKeys: apiKeyRoutes,
  sessions: sessionRoutes,
  deposits: depositRoutes,
  withdrawals: withdrawalRoutes,
  bankAccounts: bankAccountRoutes,
  depositAddresses: depositAddressRoutes,
  fiat: fiatRoutes,
  announcements: announcementRoutes,
  support: supportRoutes,
  operatorLists: operatorListRoutes,
  operatorMoney: operatorMoneyRoutes,
  orders: orderRoutes,
  quotes: quoteRoutes,
  login: loginRoutes,
  factors: factorRoutes,
  signUp: signUpRoutes,
  subAccounts: subAccountRoutes,
  sharedAccounts: sharedAccountRoutes,
  audits: auditRoutes,
  setUp: setUpRoutes,
  approvals: approvalRoutes,
  listing: listingRoutes,
  control: controlRoutes,
  switches: switchRoutes,
  reconciliation: reconciliationRoutes,
  custody: custodyRoutes,
  health: healthRoutes,
  surveillance: surveillanceRoutes,
  console: consoleRoutes,
  ledger: ledgerRoutes,
  roles: roleRoutes,
  kit: kitRoutes,
  operatorAnnouncements: operatorAnnouncementRoutes,
  operatorMails: operatorMailRoutes,
  userActs: userActRoutes,
  people: peopleRoutes,
  development: developmentRoutes,
} as const;

export const routes = {
  ...routeGroups.exchange,
  ...routeGroups.marketData,
  ...routeGroups.charts,
  ...routeGroups.udf,
  ...routeGroups.account,
  ...routeGroups.statistics,
  ...routeGroups.liabilities,
  ...routeGroups.statements,
  ...routeGroups.referral,
  ...routeGroups.staking,
  ...routeGroups.profile,
  ...routeGroups.addressBook,
  ...routeGroups.apiKeys,
  ...routeGroups.sessions,
  ...routeGroups.deposits,
  ...routeGroups.withdrawals,
  ...routeGroups.bankAccounts,
  ...routeGroups.depositAddresses,
  ...routeGroups.fiat,
  ...routeGroups.announcements,
  ...routeGroups.support,
  ...routeGroups.operatorLists,
  ...routeGroups.operatorMoney,
  ...routeGroups.orders,
  ...routeGroups.quotes,
  ...routeGroups.login,
  ...routeGroups.factors,
  ...routeGroups.signUp,
  ...routeGroups.subAccounts,
  ...routeGroups.sharedAccounts,
  ...routeGroups.audits,
  ...routeGroups.setUp,
  ...routeGroups.approvals,
  ...routeGroups.listing,
  ...routeGroups.control,
  ...routeGroups.switches,
  ...routeGroups.reconciliation,
  ...routeGroups.custody,
  ...routeGroups.health,
  ...routeGroups.surveillance,
  ...routeGroups.console,
  ...routeGroups.ledger,
  ...routeGroups.roles,
  ...routeGroups.kit,
  ...routeGroups.operatorAnnouncements,
  ...routeGroups.operatorMails,
  ...routeGroups.userActs,
  ...routeGroups.people,
  ...routeGroups.development,
} as const;

export type RouteGroups = typeof routeGroups;
export type Routes = typeof routes;

/** Names that two groups use. There must be none, because groups are merged by name. */
type SharedNames = {
  [Group in keyof RouteGroups]: keyof RouteGroups[Group] &
    NamesOf<Exclude<keyof RouteGroups, Group>>;
}[keyof RouteGroups];
type NamesOf<Group extends keyof RouteGroups> = Group extends unknown
  ? keyof RouteGroups[Group]
  : never;

/** Is `never`, and so a type error wherever names are used, if two groups share a name. */
export type RouteName = [SharedNames] extends [never] ? keyof Routes : never;
