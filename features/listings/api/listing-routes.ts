// Coins, pairs and their fees, listed and described by operators. Significant changes need approval
// from other operators.

import type { Static } from 'typebox';
import { MARKET_STATUSES } from '../../../core/messages/index.ts';
import {
  act,
  CurrencyIn,
  Decimal,
  DecimalIn,
  DecimalOrNullIn,
  defineRoute,
  FreeObject,
  field,
  mapOf,
  OPERATOR_BODY_BYTES_MAX,
  oneOf,
  pagedList,
  person,
  SymbolIn,
  sample,
  Timestamp,
  Type,
  textIn,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { ListedCoin, ListedPair } from './listed-market.ts';

/** Fees of one user level, in percent by pair. Public. */
export const Tier = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    icon: Type.String(),
    description: Type.String(),
    note: field(Type.String(), "The operator's description of the tier.", 'Verified users'),
    deposit_limit: field(Decimal, 'Daily deposits in the native currency; 0 for no limit.', 0),
    withdrawal_limit: field(Decimal, 'Daily withdrawals in the native currency.', 10000),
    native_currency_limit: Type.Boolean(),
    fees: field(
      Type.Object({
        maker: field(mapOf(Decimal), 'Maker fees in percent, by market.'),
        taker: field(mapOf(Decimal), 'Taker fees in percent, by market.'),
      }),
      'The fees of the tier.',
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Tier' },
);
export type Tier = Static<typeof Tier>;

const COIN_TYPES = ['blockchain', 'fiat', 'other'] as const;
const nullable = (maxLength: number) =>
  Type.Unsafe<string | null>({ anyOf: [textIn({ maxLength }), { type: 'null' }] });
const StatusIn = oneOf(MARKET_STATUSES, 'Orders can always be canceled.');
const percentIn = (description: string) =>
  Type.Unsafe<number | string>({ ...DecimalIn, description });

const FeesIn = Type.Unsafe<Record<string, Record<string, unknown>> | null>({
  anyOf: [{ type: 'object' }, { type: 'null' }],
  description: 'By network: `value`, `symbol`, `active`, `type`, `min`, `max`; or a number.',
});

const coinFields = {
  withdrawal_fee: Type.Optional(DecimalIn),
  withdrawal_fees: Type.Optional(FeesIn),
  min: Type.Optional(DecimalIn),
  max: Type.Optional(DecimalIn),
  increment_unit: Type.Optional(DecimalIn),
  logo: Type.Optional(nullable(2_000)),
  meta: Type.Optional(FreeObject),
  estimated_price: Type.Optional(DecimalOrNullIn),
  type: Type.Optional(oneOf(COIN_TYPES)),
  network: Type.Optional(nullable(200)),
  standard: Type.Optional(nullable(100)),
  allow_deposit: Type.Optional(Type.Boolean()),
  allow_withdrawal: Type.Optional(Type.Boolean()),
  description: Type.Optional(nullable(10_000)),
  is_public: Type.Optional(Type.Boolean()),
  active: Type.Optional(Type.Boolean()),
};

const SizesIn = {
  min_size: Type.Optional(DecimalIn),
  min_price: Type.Optional(DecimalIn),
};

export const listingRoutes = {
  getCoins: defineRoute({
    method: 'GET',
    path: '/v2/admin/coins',
    summary: 'Every coin with its settings',
    description: 'Includes coins that are not public.',
    tag: 'operator',
    permission: person,
    roles: ['manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: Type.Object({ currency: Type.Optional(CurrencyIn) }),
    status: 200,
    response: pagedList(ListedCoin),
  }),
  createCoin: defineRoute({
    method: 'POST',
    path: '/v2/admin/coin',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'List a coin',
    description: 'The number of decimals cannot be changed later.',
    ...act,
    permission: person,
    roles: ['manager'],
    body: Type.Object(
      {
        symbol: Type.String({ minLength: 1, maxLength: 15 }),
        code: field(
          Type.Optional(Type.String({ maxLength: 15 })),
          'The symbol of the coin.',
          'btc',
        ),
        fullname: textIn({ minLength: 1, maxLength: 100 }),
        decimals: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 18,
            description: 'Number of decimals; by default those of `increment_unit`, or 8.',
          }),
        ),
        issuance_cap: Type.Optional(
          percentIn(
            'The engine never issues more than this. 1,000 by default: raise it as needed.',
          ),
        ),
        ...coinFields,
      },
      { title: 'CoinIn' },
    ),
    response: ListedCoin,
    mayWait: true,
  }),
  changeCoin: defineRoute({
    method: 'PUT',
    path: '/v2/admin/coin',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Change the settings of a coin',
    description: 'Omitted fields keep their values.',
    ...act,
    permission: person,
    roles: ['manager'],
    body: Type.Object(
      {
        code: CurrencyIn,
        fullname: Type.Optional(textIn({ minLength: 1, maxLength: 100 })),
        issuance_cap: Type.Optional(percentIn('Raising it more than tenfold needs two approvals.')),
        ...coinFields,
      },
      { title: 'CoinChangeIn' },
    ),
    response: ListedCoin,
    mayWait: true,
  }),
  getPairs: defineRoute({
    method: 'GET',
    path: '/v2/admin/pairs',
    summary: 'Every pair with its settings',
    description: 'Includes band, reference price and status.',
    tag: 'operator',
    permission: person,
    roles: ['manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: Type.Object({ pair: Type.Optional(SymbolIn) }),
    status: 200,
    response: pagedList(ListedPair),
  }),
  createPair: defineRoute({
    method: 'POST',
    path: '/v2/admin/pair',
    summary: 'List a pair; its sizes and prices cannot be changed later',
    description: 'The pair starts in the given status; orders are accepted when it is `full`.',
    ...act,
    permission: person,
    roles: ['manager'],
    body: Type.Object(
      {
        name: field(SymbolIn, 'The symbol of the market.', 'btc-usdt'),
        code: Type.Optional(SymbolIn),
        pair_base: CurrencyIn,
        pair_2: CurrencyIn,
        increment_size: DecimalIn,
        increment_price: DecimalIn,
        max_size: DecimalIn,
        max_price: DecimalIn,
        ...SizesIn,
        estimated_price: Type.Optional(
          percentIn('The reference price of the price band; required unless `band` is 0.'),
        ),
        active: Type.Optional(Type.Boolean()),
        is_public: Type.Optional(Type.Boolean()),
        status: Type.Optional(StatusIn),
        band: Type.Optional(percentIn('Percent; 10 by default.')),
        slippage: Type.Optional(percentIn('Percent; 5 by default.')),
        maker_fee: Type.Optional(percentIn('Percent, for every tier; 0.5 by default.')),
        taker_fee: Type.Optional(percentIn('Percent, for every tier; 0.5 by default.')),
      },
      { title: 'PairIn' },
    ),
    response: ListedPair,
    mayWait: true,
  }),
  changePair: defineRoute({
    method: 'PUT',
    path: '/v2/admin/pair',
    summary: 'Change the status or description of a pair',
    description:
      'Open orders are kept when the status changes. `auction` collects orders without matching; ' +
      'a later `full` first trades them at one price.',
    ...act,
    permission: person,
    roles: ['manager'],
    body: Type.Object(
      {
        code: SymbolIn,
        ...SizesIn,
        max_size: Type.Optional(DecimalIn),
        max_price: Type.Optional(DecimalIn),
        increment_size: Type.Optional(DecimalIn),
        increment_price: Type.Optional(DecimalIn),
        is_public: Type.Optional(Type.Boolean()),
        active: Type.Optional(Type.Boolean()),
        estimated_price: Type.Optional(DecimalOrNullIn),
        circuit_breaker: Type.Optional(
          Type.Boolean({ description: 'Whether the pair has a price band.' }),
        ),
        status: Type.Optional(StatusIn),
        auction_seconds: sample(
          Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 604_800,
              description:
                'With status `auction`: duration of the auction. If omitted, `full` ends it.',
            }),
          ),
          600,
        ),
      },
      { title: 'PairChangeIn' },
    ),
    response: ListedPair,
    mayWait: true,
  }),
  setBand: defineRoute({
    method: 'PUT',
    path: '/v2/admin/pair/band',
    summary: 'Set the price band and slippage cap of a pair',
    description: 'Orders outside the band are rejected; market orders stop at the slippage cap.',
    ...act,
    permission: person,
    roles: ['manager'],
    body: Type.Object(
      {
        code: field(SymbolIn, 'The market.', 'btc-usdt'),
        band: Type.Optional(percentIn('Percent; 0 for no band.')),
        slippage: Type.Optional(percentIn('Percent; 0 for no cap.')),
        reference_price: Type.Optional(
          percentIn(
            'If left out, the engine keeps its own reference price, which follows the trades.',
          ),
        ),
      },
      { title: 'BandIn' },
    ),
    response: ListedPair,
    mayWait: true,
    isRialtoOnly: true,
  }),
  setPairFees: defineRoute({
    method: 'PUT',
    path: '/v2/admin/pair/fees',
    summary: 'Set pair fees by tier, in percent',
    description: 'Applies to orders placed after the change.',
    ...act,
    permission: person,
    roles: ['manager'],
    body: Type.Object(
      {
        pair: Type.Optional(SymbolIn),
        fees: Type.Unsafe<Record<string, Record<string, unknown>>>({
          type: 'object',
          description: '`maker` and `taker` by pair and tier; with `pair`, by tier.',
        }),
      },
      { title: 'PairFeesIn' },
    ),
    response: mapOf(mapOf(Type.Object({ maker: Decimal, taker: Decimal }))),
    mayWait: true,
  }),
  createTier: defineRoute({
    method: 'POST',
    path: '/v2/admin/tier',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Add a tier with its fees',
    description: "Tiers are numbered; a user's verification level selects the tier.",
    ...act,
    permission: person,
    roles: ['manager'],
    body: Type.Object(
      {
        level: Type.Integer({ minimum: 1, maximum: 63 }),
        name: textIn({ minLength: 1, maxLength: 100 }),
        icon: textIn({ maxLength: 2_000 }),
        description: textIn({ maxLength: 10_000 }),
        note: Type.Optional(textIn({ maxLength: 10_000 })),
        fees: Type.Object(
          {
            maker: field(mapOf(DecimalIn), 'Maker fees in percent, by market.'),
            taker: field(mapOf(DecimalIn), 'Taker fees in percent, by market.'),
          },
          { description: 'Percent by pair; a missing pair has the fees of tier 1.' },
        ),
      },
      { title: 'TierIn' },
    ),
    response: Tier,
    mayWait: true,
  }),
  changeTier: defineRoute({
    method: 'PUT',
    path: '/v2/admin/tier',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Change the name and texts of a tier',
    description: 'To change fees, use `/v2/admin/pair/fees`.',
    ...act,
    permission: person,
    roles: ['manager'],
    body: Type.Object(
      {
        level: Type.Integer({ minimum: 1, maximum: 63 }),
        name: Type.Optional(textIn({ minLength: 1, maxLength: 100 })),
        icon: Type.Optional(textIn({ maxLength: 2_000 })),
        description: Type.Optional(textIn({ maxLength: 10_000 })),
        note: Type.Optional(textIn({ maxLength: 10_000 })),
        native_currency_limit: Type.Optional(Type.Boolean()),
      },
      { title: 'TierChangeIn' },
    ),
    response: Tier,
    mayWait: true,
  }),
} as const;
