// A reveal: named personal fields of one user, unmasked for a while, with a reason.

import type { Static } from 'typebox';
import { field, oneOf, Timestamp, TimestampOrNull, Type } from '../../../protocol/wire/index.ts';
import { OperatorUser } from '../../accounts/api/index.ts';

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
  reviewer_id: field(
    Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    'The operator who reviewed it; null if not reviewed.',
    4,
  ),
  verdict: Type.Unsafe<'justified' | 'unjustified' | null>({
    anyOf: [oneOf(['justified', 'unjustified']), { type: 'null' }],
  }),
  comment: Type.String(),
  reviewed_at: field(TimestampOrNull, 'When it was reviewed; null if not reviewed.'),
};

export const Reveal = Type.Object(revealProperties, { title: 'Reveal' });
export type Reveal = Static<typeof Reveal>;

export const RevealedUser = Type.Object(
  { ...revealProperties, user: OperatorUser },
  { title: 'RevealedUser' },
);
export type RevealedUser = Static<typeof RevealedUser>;
