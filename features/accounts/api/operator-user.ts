// A user as operators see it. Personal fields are masked, unless the operator is allowed to see
// this user.

import type { Static } from 'typebox';
import { field, StringOrNull, Type } from '../../../protocol/wire/index.ts';
import { Balance } from './balance.ts';
import { User, Wallet } from './user.ts';

const {
  balance: _balance,
  permissions: _permissions,
  wallet: _wallet,
  ...fields
} = User.properties;

export const OperatorUser = Type.Object(
  {
    ...fields,
    email: Type.String({ description: 'If masked: `m•••@d•••.com`.' }),
    full_name: Type.String({ description: 'If masked: the initials.' }),
    gender: field(Type.Union([Type.Boolean(), Type.Null()]), 'If masked: null.', false),
    phone_number: Type.String({ description: 'If masked: the last two digits.' }),
    note: Type.String({ description: 'Operator note; never shown to the user.' }),
    flagged: Type.Boolean(),
    role: StringOrNull,
    state: Type.String({ description: 'unverified, active, frozen, closing, closed or erased.' }),
    balance: Type.Optional(Balance),
    wallet: Type.Optional(Type.Array(Wallet)),
  },
  { title: 'OperatorUser' },
);
export type OperatorUser = Static<typeof OperatorUser>;
