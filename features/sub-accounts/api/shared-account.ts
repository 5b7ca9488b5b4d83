// The access of another person to an account, as its owner or as the guest sees it.

import { type Static, Type } from 'typebox';
import { Timestamp } from '../../../protocol/wire/index.ts';

export const SharedAccount = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String({ description: "The other person's address." }),
    label: Type.String(),
    active: Type.Boolean({ description: 'False while the owner has paused it.' }),
    created_at: Timestamp,
  },
  { title: 'SharedAccount' },
);

export type SharedAccount = Static<typeof SharedAccount>;
