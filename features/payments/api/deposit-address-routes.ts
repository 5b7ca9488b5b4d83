// Users' deposit addresses, and what the exchange knows about a transaction.

import {
  BooleanIn,
  CurrencyIn,
  Decimal,
  defineRoute,
  field,
  sample,
  Type,
  WEIGHT_HEAVY,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { DepositOrWithdrawal } from './deposit-withdrawal.ts';
import { NetworkIn, ReferenceIn } from './transfer-inputs.ts';

const DepositTerms = Type.Object(
  {
    min: field(Decimal, 'Smaller deposits are credited together once they reach it.', 1),
    confirmations_needed: field(Type.Integer(), 'Blocks until a deposit is credited, now.', 65),
    usual_seconds: sample(
      Type.Union([Type.Integer(), Type.Null()], {
        description: 'Median time until recent deposits were credited; null without any.',
      }),
      780,
    ),
  },
  {
    title: 'DepositTerms',
    description: 'When deposits are credited automatically. Absent if operators credit them.',
  },
);

/** The handler rejects sub-accounts with a specific text. */
const anyPerson = { who: 'person', anySession: true } as const;

export const depositAddressRoutes = {
  createAddress: defineRoute({
    method: 'GET',
    path: '/v2/user/create-address',
    summary: 'Your deposit address for a coin and a network; always the same one',
    description: 'The first request creates the address.',
    tag: 'user',
    permission: anyPerson,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: Type.Object({
      crypto: CurrencyIn,
      network: Type.Optional(NetworkIn),
    }),
    status: 201,
    response: Type.Object(
      {
        message: Type.String(),
        address: Type.String({ description: 'With a tag: `address:tag`.' }),
        crypto: Type.String(),
        network: Type.String(),
        terms: Type.Optional(DepositTerms),
      },
      { title: 'CreatedAddress' },
    ),
  }),
  checkTransaction: defineRoute({
    method: 'GET',
    path: '/v2/user/check-transaction',
    summary: 'Look up your deposit by transaction; does not query the blockchain',
    description:
      'Use it if a deposit is missing: it shows whether the exchange has seen the transaction.',
    tag: 'user',
    permission: anyPerson,
    effect: 'read',
    weight: WEIGHT_ROW,
    query: Type.Object({
      currency: CurrencyIn,
      transaction_id: ReferenceIn,
      address: ReferenceIn,
      network: NetworkIn,
      is_testnet: Type.Optional(BooleanIn),
    }),
    status: 200,
    response: Type.Object(
      {
        message: Type.String(),
        transaction: Type.Union([DepositOrWithdrawal, Type.Null()], {
          description: 'null if the exchange has no deposit of yours with this transaction.',
        }),
        is_own_address: Type.Boolean({
          description: 'Whether this is one of your deposit addresses.',
        }),
      },
      { title: 'CheckedTransaction' },
    ),
  }),
} as const;
