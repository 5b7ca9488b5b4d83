// Rows of the operators' lists across all users. Email addresses and usernames are masked as the
// operator's role requires.

import type { Static } from 'typebox';
import { sample, Timestamp, Type, type WireDecimal } from '../../../protocol/wire/index.ts';
import { Wallet } from '../../accounts/api/index.ts';
import { UserLogin } from '../../auth/api/index.ts';
import { NetworkId, OrderInList } from '../../trading/api/index.ts';

export const OrderOfUser = Type.Object(
  { ...OrderInList.properties, network_id: NetworkId },
  { title: 'OrderOfUser' },
);
export type OrderOfUser = Static<typeof OrderOfUser>;

/** Amounts are texts, as existing clients expect. */
export const BalanceOfUser = Type.Object(
  {
    user_id: Type.Integer(),
    network_id: NetworkId,
    symbol: Type.String(),
    balance: Type.String({ description: 'A decimal.' }),
    available: Type.String({ description: 'A decimal.' }),
    updated_at: Timestamp,
  },
  { title: 'BalanceOfUser' },
);
export type BalanceOfUser = Static<typeof BalanceOfUser>;

export interface TotalBalance {
  updated_at: string;
  [coinBalanceOrAvailable: string]: WireDecimal | string;
}

/** The same fields as a balance, without a user. */
export const TotalBalance = Type.Unsafe<TotalBalance>({
  title: 'TotalBalance',
  type: 'object',
  properties: { updated_at: { type: 'string', format: 'date-time' } },
  required: ['updated_at'],
  patternProperties: { '^[a-z0-9]+_(?:balance|available)$': { type: 'number' } },
});

const IdOrNull = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'Null if no account has the entered address.',
});

export const LoginOfUser = Type.Object(
  { ...UserLogin.properties, user_id: IdOrNull, UserId: sample(IdOrNull, 7) },
  { title: 'LoginOfUser' },
);
export type LoginOfUser = Static<typeof LoginOfUser>;

export const WalletOfUser = Type.Object(
  {
    ...Wallet.properties,
    user_id: Type.Integer(),
    network_id: NetworkId,
    updated_at: Timestamp,
    User: Type.Object({
      id: Type.Integer(),
      email: Type.String(),
      exchange_id: Type.Integer(),
    }),
  },
  { title: 'WalletOfUser' },
);
export type WalletOfUser = Static<typeof WalletOfUser>;

/** The referrer, in the field `email`. */
export const RefererOfUser = Type.Object(
  {
    email: Type.Optional(
      Type.Object({
        created_at: Timestamp,
        updated_at: Timestamp,
        referer: Type.Object({ id: Type.Integer(), email: Type.String() }),
      }),
    ),
  },
  { title: 'RefererOfUser' },
);
export type RefererOfUser = Static<typeof RefererOfUser>;

export const OperatedExchange = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    display_name: Type.String(),
    url: Type.String(),
    active: Type.Boolean(),
    is_trial: Type.Boolean(),
    plan: Type.String({ description: 'From the kit; self-hosted exchanges have no plans.' }),
    period: Type.String({ description: 'From the kit.' }),
    expiry: Timestamp,
    created_at: Timestamp,
    coins: Type.Array(Type.String()),
    pairs: Type.Array(Type.String()),
  },
  { title: 'OperatedExchange' },
);
export type OperatedExchange = Static<typeof OperatedExchange>;
