// Bank accounts and payment details as clients see them, with a numeric status.

import {
  type BankAccount as BankAccountJson,
  type PaymentDetail as PaymentDetailJson,
  timeText,
} from '../../../protocol/index.ts';
import { VERIFICATION_STATUSES, type VerificationStatus } from '../api/bank-account.ts';
import type { BankAccount } from '../banks/bank-accounts.ts';
import type { PaymentDetail } from '../banks/payment-details.ts';

export function statusOf(number: number): VerificationStatus {
  return VERIFICATION_STATUSES[number];
}

export function bankAccountJson({ fields, id, message, status }: BankAccount): BankAccountJson {
  return {
    ...fields,
    id,
    status: VERIFICATION_STATUSES.indexOf(status),
    ...(message !== '' && { message }),
  };
}

export function paymentDetailJson(detail: PaymentDetail): PaymentDetailJson {
  return {
    id: detail.id,
    user_id: detail.user,
    name: detail.name,
    label: detail.label,
    details: detail.details,
    is_p2p: detail.isP2p,
    is_fiat_control: detail.isFiatControl,
    status: VERIFICATION_STATUSES.indexOf(detail.status),
    created_at: timeText(detail.createdAt.getTime()),
    updated_at: timeText(detail.updatedAt.getTime()),
  };
}
