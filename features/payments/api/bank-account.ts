// A user's bank account and payment detail. Both show their verification status.

import type { Static } from 'typebox';
import { FreeObject, Timestamp, Type, textIn } from '../../../protocol/wire/index.ts';

/** Verification status. The wire has the index; `empty` needs no verification. */
export const VERIFICATION_STATUSES = ['empty', 'pending', 'rejected', 'verified'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

const StatusNumber = Type.Integer({
  minimum: 0,
  maximum: VERIFICATION_STATUSES.length - 1,
  description: '0 not verified, 1 pending, 2 rejected, 3 verified.',
});

export const BankAccount = Type.Object(
  {
    id: Type.String({ description: '16 hexadecimal digits.' }),
    status: StatusNumber,
    type: Type.Optional(Type.String()),
    message: Type.Optional(Type.String({ description: 'Why an operator rejected it.' })),
  },
  {
    title: 'BankAccount',
    additionalProperties: true,
    description: 'Plus the fields that the operator defines for its type.',
  },
);
export type BankAccount = Static<typeof BankAccount>;

/** Bank account fields are texts; the operator defines them per type. */
export const BankAccountIn = Type.Object(
  { type: Type.Optional(textIn({ minLength: 1, maxLength: 64 })) },
  {
    title: 'BankAccountIn',
    additionalProperties: textIn({ maxLength: 256 }),
    description: 'For example `bank_name` and `account_number`.',
  },
);

export const PaymentDetail = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    name: Type.String(),
    label: Type.String(),
    details: FreeObject,
    is_p2p: Type.Boolean(),
    is_fiat_control: Type.Boolean(),
    status: StatusNumber,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'PaymentDetail' },
);
export type PaymentDetail = Static<typeof PaymentDetail>;
