// A user's sub-accounts: create, remove, enter, and move money between them. A sub-account trades;
// it cannot withdraw, and has no sub-accounts.

import type { Static } from 'typebox';
import {
  CurrencyIn,
  DecimalIn,
  defineRoute,
  field,
  Message,
  NO_QUERY,
  oneOf,
  StringOrNull,
  Timestamp,
  Type,
  textIn,
  UserIdIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { DescriptionIn } from '../../payments/api/index.ts';

/** A sub-account as its parent sees it. */
export const SubAccount = Type.Object(
  {
    id: Type.Integer(),
    label: Type.String(),
    color: StringOrNull,
    virtual: Type.Boolean(),
    email: Type.String({ description: 'A name; it receives no email.' }),
    username: Type.String(),
    verification_level: Type.Integer({ description: "The parent's value." }),
    is_subaccount: Type.Literal(true),
    created_at: Timestamp,
  },
  { title: 'SubAccount' },
);

export type SubAccount = Static<typeof SubAccount>;

const tag = 'sub-accounts';
/** A user's session, or a key that can move money. */
const mayMoveMoney = { who: 'user', scope: 'can_withdraw', sessions: true } as const;

export const subAccountRoutes = {
  getSubAccounts: defineRoute({
    method: 'GET',
    path: '/v2/subaccounts',
    summary: 'Your sub-accounts, oldest first',
    description: 'Includes label and state of each sub-account.',
    tag,
    permission: { who: 'user', scope: 'any', sessions: true },
    effect: 'read',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: Type.Object(
      { count: Type.Integer(), data: Type.Array(SubAccount) },
      { title: 'SubAccounts' },
    ),
  }),
  createSubAccount: defineRoute({
    method: 'POST',
    path: '/v2/subaccount',
    summary: 'Create a sub-account',
    description:
      'A sub-account has its own balances, orders and keys, and no access to yours. Withdrawal ' +
      'limits apply to the account family.',
    tag,
    permission: mayMoveMoney,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        label: textIn({ minLength: 1, maxLength: 40 }),
        color: Type.Optional(textIn({ maxLength: 32 })),
        virtual: Type.Optional(Type.Boolean()),
        email: Type.Optional(textIn({ maxLength: 254 })),
        password: Type.Optional(Type.String({ maxLength: 256 })),
      },
      {
        title: 'SubAccountIn',
        additionalProperties: false,
        description: 'Sub-accounts have no login: `email` and `password` are rejected.',
      },
    ),
    status: 201,
    response: SubAccount,
  }),
  removeSubAccount: defineRoute({
    method: 'DELETE',
    path: '/v2/subaccount',
    summary: 'Remove an empty sub-account',
    description: 'Rejected while it has a balance or open orders.',
    tag,
    permission: mayMoveMoney,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      { subaccount_id: UserIdIn },
      { title: 'SubAccountNameIn', additionalProperties: false },
    ),
    status: 200,
    response: Message,
  }),
  transferToSubAccount: defineRoute({
    method: 'POST',
    path: '/v2/subaccount/transfer',
    summary: 'Move money between you and a sub-account, free and immediately',
    description:
      'Works in either direction. If the response is lost, send the same signed request again: ' +
      '' +
      'it counts once, and is rejected as already used if it was recorded.',
    tag,
    permission: mayMoveMoney,
    effect: 'write',
    isRecorded: true,
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    body: Type.Object(
      {
        subaccount_id: UserIdIn,
        currency: CurrencyIn,
        amount: DecimalIn,
        direction: field(
          oneOf(['to_sub', 'to_master']),
          '`to_sub`: from you to the sub-account; `to_master`: back.',
        ),
        description: Type.Optional(DescriptionIn),
      },
      { title: 'SubAccountTransferIn', additionalProperties: false },
    ),
    status: 200,
    response: Type.Object(
      { message: Type.String(), transaction_id: Type.String() },
      { title: 'SubAccountTransfer' },
    ),
  }),
  openSubAccount: defineRoute({
    method: 'POST',
    path: '/v2/subaccount/auth',
    summary: 'Open a session for a sub-account, for at most 24 hours',
    description: 'The session can trade and read; it cannot withdraw externally.',
    tag,
    permission: { who: 'person' },
    effect: 'write',
    worksReadOnly: true,
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    body: Type.Object(
      { subaccount_id: UserIdIn },
      { title: 'SubAccountSessionIn', additionalProperties: false },
    ),
    status: 200,
    response: Type.Object({ token: Type.String() }, { title: 'SubAccountSession' }),
  }),
} as const;
