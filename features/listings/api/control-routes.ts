// Control of the exchange: limits, quick trades, frozen markets. Everything that loosens control
// needs approval from others.

import {
  act,
  CurrencyIn,
  DecimalIn,
  DecimalOrNullIn,
  defineRoute,
  field,
  NO_QUERY,
  OPERATOR_BODY_BYTES_MAX,
  oneOf,
  person,
  SymbolIn,
  Type,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { QuickTradePair, TransactionLimit } from './constants.ts';
import { EngineLimits, FrozenByCommand, limitProperties, RulesVersion } from './listed-market.ts';

const reads = { who: 'operator', scope: 'can_read', sessions: true } as const;
const trades = { who: 'operator', scope: 'can_trade', sessions: true } as const;
const limits = { who: 'operator', scope: 'can_withdraw', sessions: true } as const;

const idIn = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const IdOrNullIn = Type.Unsafe<number | null>({
  anyOf: [idIn, { type: 'null' }],
  description: 'The limit to change; by default the one with the same tier, type and currency.',
});

const engineLimitsIn = limitProperties(
  Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
);

export const controlRoutes = {
  getTransactionLimits: defineRoute({
    method: 'GET',
    path: '/v2/admin/transaction/limit',
    summary: 'Deposit and withdrawal limits by tier',
    description: 'One row per tier, type and coin.',
    tag: 'operator',
    permission: reads,
    roles: ['manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: Type.Array(TransactionLimit),
  }),
  setTransactionLimit: defineRoute({
    method: 'PUT',
    path: '/v2/admin/transaction/limit',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Set a deposit or withdrawal limit of a tier',
    description: 'One amount applies to 24 hours, the other to 30 days.',
    ...act,
    permission: limits,
    roles: ['manager'],
    body: Type.Object(
      {
        id: Type.Optional(IdOrNullIn),
        tier: Type.Integer({ minimum: 0, maximum: 63 }),
        type: Type.Optional(oneOf(['withdrawal', 'deposit'], '`withdrawal` by default.')),
        currency: CurrencyIn,
        limit_currency: Type.Optional(CurrencyIn),
        amount: DecimalIn,
        monthly_amount: Type.Optional(DecimalOrNullIn),
      },
      { title: 'TransactionLimitIn' },
    ),
    response: TransactionLimit,
    mayWait: true,
  }),
  deleteTransactionLimit: defineRoute({
    method: 'DELETE',
    path: '/v2/admin/transaction/limit',
    summary: 'Delete a deposit or withdrawal limit',
    description: 'The limits of the tier apply again.',
    ...act,
    permission: limits,
    roles: ['manager'],
    query: Type.Object({ id: idIn }),
    response: Type.Object({ message: Type.String(), id: Type.Integer() }),
    mayWait: true,
  }),
  setQuickTrade: defineRoute({
    method: 'PUT',
    path: '/v2/admin/quicktrade/config',
    summary: 'Enable or disable conversions for a pair',
    description: 'Quotes for the pair are rejected while conversions are disabled.',
    ...act,
    permission: trades,
    roles: ['manager'],
    body: Type.Object(
      {
        symbol: SymbolIn,
        type: Type.Optional(
          oneOf(['pro', 'broker', 'network'], 'Only `pro`, the pair’s own book, is supported.'),
        ),
        active: Type.Optional(Type.Boolean()),
      },
      { title: 'QuickTradeIn' },
    ),
    response: QuickTradePair,
    mayWait: true,
  }),
  getEngineLimits: defineRoute({
    method: 'GET',
    path: '/v2/admin/limits',
    summary: 'The engine limits',
    description: 'Engine capacities as recorded in the log.',
    tag: 'operator',
    permission: person,
    roles: ['manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: EngineLimits,
    isRialtoOnly: true,
  }),
  setEngineLimits: defineRoute({
    method: 'PUT',
    path: '/v2/admin/limits',
    summary: 'Raise engine limits',
    description: 'Capacities can only be raised. The engine reallocates its memory.',
    ...act,
    permission: person,
    roles: ['manager'],
    body: Type.Object(engineLimitsIn, { title: 'EngineLimitsIn', additionalProperties: false }),
    response: EngineLimits,
    mayWait: true,
    isRialtoOnly: true,
  }),
  getRulesVersion: defineRoute({
    method: 'GET',
    path: '/v2/admin/rules-version',
    summary: 'The rules version that the engine follows',
    description:
      'A release that changes engine behavior keeps the old rules until this version is raised.',
    tag: 'operator',
    permission: person,
    roles: [],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: RulesVersion,
    isRialtoOnly: true,
  }),
  setRulesVersion: defineRoute({
    method: 'PUT',
    path: '/v2/admin/rules-version',
    summary: 'Activate a later rules version',
    description:
      'Upgrade all sequencers, archivists and reconcilers first: a release that does not support ' +
      'the version stops. This cannot be undone.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      {
        version: field(
          Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          'The rules version to activate.',
          2,
        ),
      },
      { title: 'RulesVersionIn', additionalProperties: false },
    ),
    response: RulesVersion,
    mayWait: true,
    isRialtoOnly: true,
  }),
  setUserGroup: defineRoute({
    method: 'PUT',
    path: '/v2/admin/user/group',
    summary: 'Assign a user to a group that never trades with itself, or mark a house account',
    description: 'Use it for accounts with the same owner.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      {
        user_id: idIn,
        group: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: '0 for no group.',
          }),
        ),
        is_house: Type.Optional(
          Type.Boolean({ description: 'An account of the exchange, excluded from volume.' }),
        ),
      },
      { title: 'UserGroupIn' },
    ),
    response: Type.Object(
      { id: Type.Integer(), group: Type.Integer(), is_house: Type.Boolean() },
      { title: 'UserGroup' },
    ),
    mayWait: true,
    isRialtoOnly: true,
  }),
  getFrozen: defineRoute({
    method: 'GET',
    path: '/v2/admin/frozen',
    summary: 'Markets and channels frozen by a failed command',
    description: 'A failed command stops only its market or channel.',
    tag: 'operator',
    permission: person,
    roles: ['supervisor', 'manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: Type.Array(FrozenByCommand),
    isRialtoOnly: true,
  }),
  voidCommand: defineRoute({
    method: 'POST',
    path: '/v2/admin/void-command',
    summary: 'Void a failed command; its market then accepts cancellations',
    description: 'The command is permanently voided.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      { command: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) },
      { title: 'VoidCommandIn' },
    ),
    response: Type.Array(FrozenByCommand),
    mayWait: true,
    isRialtoOnly: true,
  }),
} as const;
