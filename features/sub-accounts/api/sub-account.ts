// A sub-account as its parent sees it.

import { type Static, Type } from 'typebox';
import { StringOrNull, Timestamp } from '../../../protocol/wire/index.ts';

export const SubAccount = Type.Object(
  {
    id: Type.Integer(),
    label: Type.String(),
    color: StringOrNull,
    virtual: Type.Boolean(),
    email: Type.String({ description: 'A name; it receives no mail.' }),
    username: Type.String(),
    verification_level: Type.Integer({ description: 'That of the parent.' }),
    is_subaccount: Type.Literal(true),
    created_at: Timestamp,
  },
  { title: 'SubAccount' },
);

export type SubAccount = Static<typeof SubAccount>;
