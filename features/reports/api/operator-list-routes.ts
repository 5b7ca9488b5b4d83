// Operator reads across all users: orders, trades, balances, logins, sessions, deposit addresses
// and referral. Each list with `csv` has a twin at `/csv`.

import { SIDES } from '../../../core/messages/index.ts';
import {
  BooleanIn,
  CurrencyIn,
  defineRoute,
  FormatIn,
  field,
  listFile,
  listQuery,
  MomentIn,
  NO_QUERY,
  oneOf,
  pagedList,
  SymbolIn,
  shortListQuery,
  Type,
  textIn,
  UserIdIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { Balance } from '../../accounts/api/index.ts';
import { UserSession } from '../../auth/api/index.ts';
import { NetworkIn } from '../../payments/api/index.ts';
import { BalanceOfDay, TradingVolume } from '../../portfolio/api/index.ts';
import { Affiliation, ReferralCode, ReferralCodeIn } from '../../referral/api/index.ts';
import { OperatorTrade, ORDER_STATUSES, OrderIdIn } from '../../trading/api/index.ts';
import {
  BalanceOfUser,
  LoginOfUser,
  OperatedExchange,
  OrderOfUser,
  RefererOfUser,
  TotalBalance,
  WalletOfUser,
} from './operator-lists.ts';

const tag = 'operator';
const mayRead = { who: 'operator', scope: 'can_read', sessions: true } as const;
const mayCall = { who: 'operator', scope: 'any', sessions: true } as const;
const person = { ...mayCall, personOnly: true } as const;
const list = {
  method: 'GET',
  tag,
  permission: mayRead,
  effect: 'read',
  weight: WEIGHT_LIST,
  status: 200,
} as const;
const ofUser = { user_id: Type.Optional(UserIdIn) };

const getOrdersOfUsers = defineRoute({
  ...list,
  lookUp: true,
  path: '/v2/admin/orders',
  roles: ['supervisor', 'manager', 'support', 'auditor'],
  summary: 'Orders of all users, newest first',
  description: 'Open and closed orders, each with its user.',
  query: shortListQuery({
    ...ofUser,
    symbol: Type.Optional(SymbolIn),
    side: Type.Optional(oneOf(SIDES)),
    status: Type.Optional(oneOf([...ORDER_STATUSES, 'open'], '`open` is `new` and `pfilled`.')),
    open: field(Type.Optional(BooleanIn), '`true` for open orders, `false` for closed ones.'),
    id: Type.Optional(OrderIdIn),
    format: FormatIn,
  }),
  response: pagedList(OrderOfUser),
  csv: true,
});

const getTradesOfUsers = defineRoute({
  ...list,
  lookUp: true,
  path: '/v2/admin/trades',
  roles: ['supervisor', 'manager', 'support', 'auditor'],
  summary: 'Trades of all users with both sides, newest first',
  description: 'One row per trade, with both users, both orders and both fees.',
  query: shortListQuery({
    ...ofUser,
    symbol: Type.Optional(SymbolIn),
    side: Type.Optional(oneOf(SIDES, "The taker's side.")),
    format: FormatIn,
  }),
  response: pagedList(OperatorTrade),
  csv: true,
});

const { limit, order, order_by, page } = listQuery({}).properties;

const getBalancesOfUsers = defineRoute({
  ...list,
  lookUp: true,
  path: '/v2/admin/balances',
  roles: ['supervisor', 'manager', 'auditor'],
  summary: 'Balances of all users, one row per user and coin',
  description: 'Amounts are strings, as existing clients expect.',
  query: Type.Object({
    ...ofUser,
    type: Type.Optional(
      oneOf(
        ['person', 'sub', 'virtual', 'house'],
        'The account type; all except house accounts by default.',
      ),
    ),
    currency: Type.Optional(CurrencyIn),
    format: FormatIn,
    limit,
    page,
    order_by,
    order,
  }),
  response: pagedList(BalanceOfUser),
  csv: true,
});

const getLoginsOfUsers = defineRoute({
  ...list,
  lookUp: true,
  isPersonal: true,
  mayWait: true,
  path: '/v2/admin/logins',
  roles: ['supervisor', 'manager', 'support', 'kyc', 'auditor'],
  summary: 'Logins and failed attempts of all users, newest first',
  description: 'Includes address, device and outcome of each attempt.',
  query: shortListQuery({
    ...ofUser,
    status: Type.Optional(BooleanIn),
    country: Type.Optional(textIn({ maxLength: 2 })),
    ip: Type.Optional(textIn({ maxLength: 64 })),
    format: FormatIn,
  }),
  response: pagedList(LoginOfUser),
  csv: true,
});

const getWalletsOfUsers = defineRoute({
  ...list,
  lookUp: true,
  path: '/v2/admin/user/wallet',
  roles: ['supervisor', 'manager', 'support', 'auditor'],
  summary: 'Deposit addresses of all users, newest first',
  description: 'Each address belongs to one user.',
  query: shortListQuery({
    ...ofUser,
    currency: Type.Optional(CurrencyIn),
    address: Type.Optional(textIn({ maxLength: 256 })),
    is_valid: Type.Optional(BooleanIn),
    network: Type.Optional(NetworkIn),
    format: FormatIn,
  }),
  response: pagedList(WalletOfUser),
  csv: true,
});

const getSessionsOfUsers = defineRoute({
  ...list,
  lookUp: true,
  isPersonal: true,
  mayWait: true,
  permission: mayCall,
  roles: ['supervisor', 'manager', 'auditor'],
  path: '/v2/admin/user/sessions',
  summary: 'Sessions of all users, newest first',
  description: 'Open and closed sessions.',
  query: shortListQuery({
    ...ofUser,
    last_seen: Type.Optional(oneOf(['1h', '24h'], 'Only sessions used since then.')),
    status: Type.Optional(BooleanIn),
    format: FormatIn,
  }),
  response: pagedList(UserSession),
  csv: true,
});

const getBalanceHistoryOfUser = defineRoute({
  ...list,
  lookUp: true,
  weight: WEIGHT_HEAVY,
  path: '/v2/admin/user/balance-history',
  roles: ['supervisor', 'manager', 'support', 'auditor'],
  summary: 'Balances of a user at the end of each day, newest first',
  description: 'One row per day, at midnight UTC, with the value in the native currency.',
  query: listQuery({ user_id: UserIdIn, format: FormatIn }),
  response: pagedList(BalanceOfDay),
  csv: true,
});

export const operatorListRoutes = {
  getOrdersOfUsers,
  getOrdersOfUsersFile: listFile(getOrdersOfUsers),
  getTradesOfUsers,
  getTradesOfUsersFile: listFile(getTradesOfUsers),
  getBalancesOfUsers,
  getBalancesOfUsersFile: listFile(getBalancesOfUsers),
  getLoginsOfUsers,
  getLoginsOfUsersFile: listFile(getLoginsOfUsers),
  getWalletsOfUsers,
  getWalletsOfUsersFile: listFile(getWalletsOfUsers),
  getSessionsOfUsers,
  getSessionsOfUsersFile: listFile(getSessionsOfUsers),
  getBalanceHistoryOfUser,
  getBalanceHistoryOfUserFile: listFile(getBalanceHistoryOfUser),

  getTotalBalance: defineRoute({
    ...list,
    weight: WEIGHT_HEAVY,
    path: '/v2/admin/balance',
    roles: ['supervisor', 'manager', 'auditor'],
    summary: 'Total balances of all users',
    description: 'The amounts that the exchange owes its users, by coin.',
    query: NO_QUERY,
    response: TotalBalance,
  }),
  getBalanceOfUser: defineRoute({
    ...list,
    lookUp: true,
    weight: WEIGHT_ROW,
    path: '/v2/admin/user/balance',
    roles: ['supervisor', 'manager', 'support', 'auditor'],
    summary: 'The balances of a user',
    description: 'Total and available, by coin.',
    query: Type.Object({ user_id: UserIdIn }),
    response: Balance,
  }),
  getTradingVolumeOfUser: defineRoute({
    ...list,
    lookUp: true,
    weight: WEIGHT_HEAVY,
    permission: person,
    roles: ['supervisor', 'manager', 'support', 'auditor'],
    path: '/v2/admin/user/trading-volume',
    summary: "A user's traded volume by coin; the last 30 days by default",
    description: 'Volumes by coin, and their value in the native currency.',
    query: Type.Object({
      user_id: UserIdIn,
      from: Type.Optional(MomentIn),
      to: Type.Optional(MomentIn),
    }),
    response: TradingVolume,
  }),
  getRefererOfUser: defineRoute({
    ...list,
    lookUp: true,
    weight: WEIGHT_ROW,
    path: '/v2/admin/user/referer',
    roles: ['supervisor', 'manager', 'support', 'auditor'],
    summary: 'The referrer of a user',
    description: 'In the field `email`; an empty object if the user was not referred.',
    query: Type.Object({ user_id: UserIdIn }),
    response: RefererOfUser,
  }),
  getAffiliationsOfUser: defineRoute({
    ...list,
    lookUp: true,
    path: '/v2/admin/user/affiliation',
    roles: ['supervisor', 'manager', 'support', 'auditor'],
    summary: 'The users referred by a user, newest first',
    description: 'Includes the code and share of each user.',
    query: shortListQuery({ user_id: UserIdIn }),
    response: pagedList(Affiliation),
  }),
  getReferralCodesOfUsers: defineRoute({
    ...list,
    lookUp: true,
    permission: person,
    roles: ['supervisor', 'manager', 'support', 'auditor'],
    path: '/v2/admin/user/referral/code',
    summary: 'Referral codes of all users, newest first',
    description: 'Codes created by operators are not limited in number.',
    query: shortListQuery(ofUser),
    response: pagedList(ReferralCode),
  }),
  createReferralCodeForUser: defineRoute({
    method: 'POST',
    path: '/v2/admin/user/referral/code',
    summary: 'Create a referral code for a user, by default for yourself',
    description: 'The limit of three codes does not apply to operators.',
    tag,
    permission: person,
    roles: [],
    effect: 'write',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    body: Type.Object(
      { user_id: Type.Optional(UserIdIn), ...ReferralCodeIn.properties },
      { title: 'ReferralCodeForUserIn' },
    ),
    status: 200,
    response: ReferralCode,
  }),
  getOperatedExchange: defineRoute({
    ...list,
    weight: WEIGHT_ROW,
    permission: mayCall,
    roles: ['supervisor', 'manager', 'support', 'kyc', 'communicator', 'auditor'],
    path: '/v2/admin/exchange',
    summary: 'The exchange, its coins and pairs',
    description: 'Symbols only; `/v2/constants` has the settings.',
    query: NO_QUERY,
    response: OperatedExchange,
  }),
} as const;
