// Operator actions on users' payment details: add, change with a decision, remove. Operators can
// never change their own.

import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { maskBank, maskText, unmaskFields, unmaskText } from '../../pii-access/index.ts';
import type { VerificationStatus } from '../api/bank-account.ts';
import {
  insertPaymentDetail,
  listPaymentDetails,
  type PaymentDetail,
  removePaymentDetail,
  updatePaymentDetail,
} from '../banks/payment-details.ts';
import { lockPerson } from './banks.ts';

/** '' and null keep the field's value or default. */
export type PaymentPayload = {
  readonly user: number;
  /** 0 for a new one. */
  readonly id: number;
  readonly name: string;
  readonly label: string | null;
  /** JSON text, because details can contain fractions. */
  readonly details: string;
  readonly isP2p: boolean | null;
  readonly isFiatControl: boolean | null;
  readonly status: VerificationStatus | '';
};
export type PaymentNamed = { readonly user: number; readonly id: number };

type PaymentContent = Pick<PaymentDetail, 'details' | 'label' | 'name'>;

export const addPaymentAct = defineAct({
  name: 'payment.add',
  votePower: 'approve.access',
  personal: ['name', 'label', 'details'],
  async prepare(context: ActContext, payload: PaymentPayload) {
    const { details, isFiatControl, isP2p, label, name, status } = payload;
    const person = await lockPerson(context, payload.user);
    if (person instanceof Refused) return person;
    const { assessed, user } = person;
    const content = unmasked({ name, label, details });
    if (content instanceof Refused) return content;
    return {
      ...assessed,
      async run() {
        const detail = await insertPaymentDetail(context.connection, context.vault, user, {
          ...content,
          isP2p: isP2p ?? false,
          isFiatControl: isFiatControl ?? false,
          operator: context.operator.user,
          ...(status !== '' && { status }),
        });
        if (detail instanceof Refused) return detail;
        const result: PaymentNamed = { user, id: detail.id };
        return {
          result,
          subject: user,
          after: factsOf(detail),
          personal: { after: contentOf(detail) },
        };
      },
    };
  },
});

export const changePaymentAct = defineAct({
  name: 'payment.change',
  votePower: 'approve.access',
  personal: ['name', 'label', 'details'],
  async prepare(context: ActContext, payload: PaymentPayload) {
    const { connection, vault } = context;
    const { details, id, isFiatControl, isP2p, label, name, status } = payload;
    const found = await lockDetail(context, payload);
    if (found instanceof Refused) return found;
    const { assessed, before, user } = found;
    const content = unmasked({ name, label, details }, before);
    if (content instanceof Refused) return content;
    return {
      ...assessed,
      async run() {
        const detail = await updatePaymentDetail(connection, vault, user, {
          id,
          ...content,
          operator: context.operator.user,
          ...(isP2p !== null && { isP2p }),
          ...(isFiatControl !== null && { isFiatControl }),
          ...(status !== '' && { status }),
        });
        if (detail instanceof Refused) return detail;
        const result: PaymentNamed = { user, id };
        return {
          result,
          subject: user,
          before: factsOf(before),
          after: factsOf(detail),
          personal: { before: contentOf(before), after: contentOf(detail) },
        };
      },
    };
  },
});

export const removePaymentAct = defineAct({
  name: 'payment.remove',
  votePower: 'approve.access',
  async prepare(context: ActContext, payload: PaymentNamed) {
    const found = await lockDetail(context, payload);
    if (found instanceof Refused) return found;
    const { assessed, before, user } = found;
    return {
      ...assessed,
      async run() {
        const { id } = before;
        await removePaymentDetail(context.connection, { user, id });
        const result: PaymentNamed = { user, id };
        return {
          result,
          subject: user,
          before: factsOf(before),
          personal: { before: contentOf(before) },
        };
      },
    };
  },
});

async function lockDetail(context: ActContext, { id, user: given }: PaymentNamed) {
  const person = await lockPerson(context, given);
  if (person instanceof Refused) return person;
  const { connection, vault } = context;
  const [before] = await listPaymentDetails(connection, vault, person.user, { id });
  return before === undefined ? new Refused('payment_detail_unknown') : { ...person, before };
}

/** Operators see masked values. A mask sent back unchanged keeps the stored value. */
function unmasked(
  { details, label, name }: Pick<PaymentPayload, 'details' | 'label' | 'name'>,
  present: PaymentContent = { name: '', label: '', details: {} },
) {
  const ownName = name === '' ? present.name : unmaskText(name, present.name, maskText);
  if (ownName instanceof Refused) return ownName;
  const ownLabel = label === null ? present.label : unmaskText(label, present.label, maskText);
  if (ownLabel instanceof Refused) return ownLabel;
  const own =
    details === '' ? present.details : unmaskFields(JSON.parse(details), present.details, maskBank);
  if (own instanceof Refused) return own;
  return { name: ownName, label: ownLabel, details: own };
}

function factsOf({ id, isFiatControl, isP2p, status }: PaymentDetail): JsonObject {
  return { id, status, isP2p, isFiatControl };
}

/** Text, because details can contain fractions. */
function contentOf({ details, label, name }: PaymentDetail): JsonObject {
  return { name, label, details: JSON.stringify(details) };
}
