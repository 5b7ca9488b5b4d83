// A user as operators see it. Personal fields are masked, unless the operator may see this person:
// a reveal opens named fields of one user.

import { type Static, Type } from 'typebox';
import { oneOf, StringOrNull, Timestamp, TimestampOrNull } from '../../../protocol/wire/index.ts';
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
    email: Type.String({ description: 'Masked: `m•••@d•••.com`.' }),
    full_name: Type.String({ description: 'Masked: the initials.' }),
    phone_number: Type.String({ description: 'Masked: the last two digits.' }),
    note: Type.String({ description: 'Of operators; the user never sees it.' }),
    flagged: Type.Boolean(),
    role: StringOrNull,
    state: Type.String({ description: 'unverified, active, frozen, closing, closed or erased.' }),
    balance: Type.Optional(Balance),
    wallet: Type.Optional(Type.Array(Wallet)),
  },
  { title: 'OperatorUser' },
);
export type OperatorUser = Static<typeof OperatorUser>;

/** Personal fields that can be revealed. */
export const REVEALED_FIELDS = [
  'email',
  'username',
  'full_name',
  'phone_number',
  'dob',
  'gender',
  'nationality',
  'address',
  'id_data',
  'bank_account',
] as const;

const revealProperties = {
  id: Type.Integer(),
  operator_id: Type.Integer(),
  user_id: Type.Integer(),
  fields: Type.Array(Type.String()),
  reason: Type.String(),
  ticket: Type.String(),
  created_at: Timestamp,
  expires_at: Timestamp,
  reviewer_id: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  verdict: Type.Unsafe<'justified' | 'unjustified' | null>({
    anyOf: [oneOf(['justified', 'unjustified']), { type: 'null' }],
  }),
  comment: Type.String(),
  reviewed_at: TimestampOrNull,
};

export const Reveal = Type.Object(revealProperties, { title: 'Reveal' });
export type Reveal = Static<typeof Reveal>;

export const RevealedUser = Type.Object(
  { ...revealProperties, user: OperatorUser },
  { title: 'RevealedUser' },
);
export type RevealedUser = Static<typeof RevealedUser>;
