// An operator role: its allowed calls, and permissions that a path cannot express.

import type { Static } from 'typebox';
import {
  DecimalOrNull,
  DecimalOrNullIn,
  Timestamp,
  Type,
  textIn,
} from '../../../protocol/wire/index.ts';

const Call = Type.String({ description: 'For example `/admin/users:get`; `*` is every endpoint.' });

export const Role = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    color: Type.String(),
    permissions: Type.Array(Call),
    configs: Type.Array(Type.String(), { description: 'Kit keys that the role can change.' }),
    restrictions: Type.Object({
      powers: Type.Array(Type.String()),
      money_ceiling: DecimalOrNull,
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Role' },
);
export type Role = Static<typeof Role>;

const LISTED_MAX = 500;
const NameIn = Type.String({ minLength: 1, maxLength: 100, pattern: '^[ -~]*$' });

export const RestrictionsIn = Type.Object(
  {
    powers: Type.Optional(Type.Array(NameIn, { maxItems: 50 })),
    money_ceiling: Type.Optional(DecimalOrNullIn),
  },
  { title: 'RestrictionsIn', additionalProperties: false },
);

/** Absent fields in a change keep their value. */
export const roleContentIn = {
  description: Type.Optional(textIn({ maxLength: 500 })),
  color: Type.Optional(Type.String({ maxLength: 20, pattern: '^[#a-zA-Z0-9(),. %]*$' })),
  permissions: Type.Optional(
    Type.Array(NameIn, {
      maxItems: LISTED_MAX,
      description: 'Entries from `GET /v2/admin/endpoints`.',
    }),
  ),
  configs: Type.Optional(Type.Array(NameIn, { maxItems: LISTED_MAX })),
  restrictions: Type.Optional(Type.Union([RestrictionsIn, Type.Null()])),
  otp_code: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Your second factor; empty if the session has just verified a passkey.',
    }),
  ),
};
