// Acts of operators on the payment details of people: add, change with a decision, remove. Never on
// their own.

import type { UserId } from '../../core/money/index.ts';
import type { JsonObject } from '../audit/index.ts';
import {
  insertPaymentDetail,
  listPaymentDetails,
  PAYMENT_DETAILS_MAX,
  type PaymentDetail,
  type PaymentRefusal,
  removePaymentDetail,
  updatePaymentDetail,
  type VerificationStatus,
} from '../bank-accounts/index.ts';
import { type ActContext, ActRefused, type Assessment, defineAct } from '../operators/index.ts';

/** '' and null leave a field as it is, or at its default. */
export type PaymentPayload = {
  readonly user: number;
  /** 0 for a new one. */
  readonly id: number;
  readonly name: string;
  readonly label: string | null;
  /** JSON; details may have fractions. */
  readonly details: string;
  readonly isP2p: boolean | null;
  readonly isFiatControl: boolean | null;
  readonly status: VerificationStatus | '';
};
export type PaymentNamed = { readonly user: number; readonly id: number };

export const ADD_PAYMENT = defineAct<PaymentPayload, PaymentNamed>({
  name: 'payment.add',
  votePower: 'approve.access',
  assess: assessPayment,
  async execute(context, payload) {
    const { details, isFiatControl, isP2p, label, name, status } = payload;
    const user = await lockUser(context, payload.user);
    const added = await insertPaymentDetail(context.connection, context.vault, user, {
      name,
      label: label ?? '',
      details: details === '' ? {} : JSON.parse(details),
      isP2p: isP2p ?? false,
      isFiatControl: isFiatControl ?? false,
      ...(status !== '' && { status }),
    });
    const detail = acceptedOf(added);
    return {
      result: { user, id: detail.id },
      subject: user,
      after: factsOf(detail),
      personal: { after: contentOf(detail) },
    };
  },
});

export const CHANGE_PAYMENT = defineAct<PaymentPayload, PaymentNamed>({
  name: 'payment.change',
  votePower: 'approve.access',
  assess: assessPayment,
  async execute(context, payload) {
    const { connection, vault } = context;
    const { details, id, isFiatControl, isP2p, label, name, status } = payload;
    const user = await lockUser(context, payload.user);
    const [before] = await listPaymentDetails(connection, vault, user, { id });
    const changed = await updatePaymentDetail(connection, vault, user, {
      id,
      ...(name !== '' && { name }),
      ...(label !== null && { label }),
      ...(details !== '' && { details: JSON.parse(details) }),
      ...(isP2p !== null && { isP2p }),
      ...(isFiatControl !== null && { isFiatControl }),
      ...(status !== '' && { status }),
    });
    const detail = acceptedOf(changed);
    return {
      result: { user, id },
      subject: user,
      before: factsOf(before),
      after: factsOf(detail),
      personal: { before: contentOf(before), after: contentOf(detail) },
    };
  },
});

export const REMOVE_PAYMENT = defineAct<PaymentNamed, PaymentNamed>({
  name: 'payment.remove',
  votePower: 'approve.access',
  assess: assessPayment,
  async execute(context, { id, user: given }) {
    const { connection, vault } = context;
    const user = await lockUser(context, given);
    const [before] = await listPaymentDetails(connection, vault, user, { id });
    const isRemoved = await removePaymentDetail(connection, { user, id });
    if (before === undefined || !isRemoved) throw new ActRefused('payment_detail_unknown');
    return {
      result: { user, id },
      subject: user,
      before: factsOf(before),
      personal: { before: contentOf(before) },
    };
  },
});

async function assessPayment(
  { operator }: ActContext,
  { user }: { readonly user: number },
): Promise<Assessment> {
  if (operator.user === user) throw new ActRefused('bank_account_own');
  return {
    object: `user ${user}`,
    objectVersion: '',
    approvals: 0,
    beneficiaries: [user as UserId],
    shown: [{ label: 'User', value: `${user}` }],
  };
}

async function lockUser({ connection }: ActContext, user: number): Promise<UserId> {
  const { rows } = await connection.query(
    `select from users where id = $1 and kind = 'person' for no key update`,
    [user],
  );
  if (rows.length === 0) throw new ActRefused('user_not_found');
  return user as UserId;
}

function acceptedOf(answer: PaymentDetail | PaymentRefusal): PaymentDetail {
  if (answer === 'personal_data_erased') throw new ActRefused('user_not_found');
  if (typeof answer === 'string') throw new ActRefused(answer, { max: PAYMENT_DETAILS_MAX });
  return answer;
}

function factsOf({ id, isFiatControl, isP2p, status }: PaymentDetail): JsonObject {
  return { id, status, isP2p, isFiatControl };
}

/** As text: details may have fractions. */
function contentOf({ details, label, name }: PaymentDetail): JsonObject {
  return { name, label, details: JSON.stringify(details) };
}
