// Acts of operators on the payment details of people: add, change with a decision, remove. Never on
// their own.

import {
  type ActContext,
  ActRefused,
  type Assessment,
  defineAct,
  findTarget,
  lockTarget,
  objectOf,
  userLabel,
} from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { maskBank, maskText, unmaskFields, unmaskText } from '../../pii-access/index.ts';
import type { VerificationStatus } from '../api/bank-account.ts';
import {
  insertPaymentDetail,
  listPaymentDetails,
  PAYMENT_DETAILS_MAX,
  type PaymentDetail,
  type PaymentRefusal,
  removePaymentDetail,
  updatePaymentDetail,
} from '../banks/payment-details.ts';

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

type PaymentContent = Pick<PaymentDetail, 'details' | 'label' | 'name'>;

const PERSON = { isPerson: true } as const;

export const addPaymentAct = defineAct<PaymentPayload, PaymentNamed>({
  name: 'payment.add',
  votePower: 'approve.access',
  personal: ['name', 'label', 'details'],
  assess: assessPayment,
  async execute(context, payload) {
    const { details, isFiatControl, isP2p, label, name, status } = payload;
    const { id: user } = await lockTarget(context, payload.user, PERSON);
    const added = await insertPaymentDetail(context.connection, context.vault, user, {
      ...unmasked({ name, label, details }),
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

export const changePaymentAct = defineAct<PaymentPayload, PaymentNamed>({
  name: 'payment.change',
  votePower: 'approve.access',
  personal: ['name', 'label', 'details'],
  assess: assessPayment,
  async execute(context, payload) {
    const { connection, vault } = context;
    const { details, id, isFiatControl, isP2p, label, name, status } = payload;
    const { id: user } = await lockTarget(context, payload.user, PERSON);
    const [before] = await listPaymentDetails(connection, vault, user, { id });
    if (before === undefined) throw new ActRefused('payment_detail_unknown');
    const changed = await updatePaymentDetail(connection, vault, user, {
      id,
      ...unmasked({ name, label, details }, before),
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

export const removePaymentAct = defineAct<PaymentNamed, PaymentNamed>({
  name: 'payment.remove',
  votePower: 'approve.access',
  assess: assessPayment,
  async execute(context, { id, user: given }) {
    const { connection, vault } = context;
    const { id: user } = await lockTarget(context, given, PERSON);
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
  context: ActContext,
  { user }: { readonly user: number },
): Promise<Assessment> {
  const target = await findTarget(context, user, PERSON);
  return {
    object: objectOf(target.id),
    objectVersion: '',
    approvals: 0,
    beneficiaries: [target.id],
    shown: userLabel(target),
  };
}

/** Operators read masks. One that they send back as they read it keeps its value. */
function unmasked(
  { details, label, name }: Pick<PaymentPayload, 'details' | 'label' | 'name'>,
  present: PaymentContent = { name: '', label: '', details: {} },
): PaymentContent {
  return {
    name: name === '' ? present.name : unmaskText(name, present.name, maskText),
    label: label === null ? present.label : unmaskText(label, present.label, maskText),
    details:
      details === ''
        ? present.details
        : unmaskFields(JSON.parse(details), present.details, maskBank),
  };
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
