// Masks of a user. Personal values are masked, unless the role sees them unmasked (`pii.unmasked`)
// and the user is in a review opened by another operator, or a reveal is open.

import type { UserId } from '../../../core/money/index.ts';
import type { Power } from '../../approvals/index.ts';
import { maskAddress, maskBank, maskDocument, maskMeta } from '../masked-values.ts';
import { hideText, maskEmail, maskEnding, maskName, maskText } from '../masks.ts';
import type { PersonalView } from '../personal-view.ts';

/** Reasons to see more of a user than the masks. */
export interface Sight {
  /** A document or a bank account is pending a review that the operator did not open. */
  readonly isInReview?: boolean;
  /** Fields revealed to the operator, with their wire names. */
  readonly revealed?: ReadonlySet<string>;
}

type Mask = (value: unknown) => unknown;

const text =
  (mask: (value: string) => string): Mask =>
  (value) =>
    typeof value === 'string' ? mask(value) : value;

const fields =
  (mask: (value: Readonly<Record<string, unknown>>) => unknown): Mask =>
  (value) =>
    isObject(value) ? mask(value) : value;

/** Personal fields of a user. */
const MASKS: Readonly<Record<string, Mask>> = {
  email: text(maskEmail),
  // Until the user chooses one, it is the first part of the email address.
  username: text(maskText),
  full_name: text(maskName),
  phone_number: text(maskEnding),
  dob: () => null,
  gender: () => null,
  nationality: text(hideText),
  address: fields(maskAddress),
  id_data: fields(maskDocument),
  bank_account: (value) => (Array.isArray(value) ? value.map(fields(maskBank)) : value),
  // Written by operators, but about a user.
  note: text(hideText),
  meta: fields(maskMeta),
};

/** Names of a user's personal fields. */
export const PERSONAL_FIELDS: readonly string[] = Object.keys(MASKS);

/** Returns the same row with its personal fields masked. */
export function maskedUser<Row extends object>(
  user: Row,
  powers: ReadonlySet<Power>,
  { isInReview = false, revealed }: Sight = {},
): Row {
  if (isInReview && powers.has('pii.unmasked')) return user;
  const masked = Object.entries(user).map(([name, value]) => {
    const isClear = !Object.hasOwn(MASKS, name) || revealed?.has(name) === true;
    return [name, isClear ? value : MASKS[name](value)];
  });
  return Object.fromEntries(masked) as Row;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A deployment has one exchange. */
export const EXCHANGE_ID = 1;

export function shownUser(id: UserId, email: string, view: PersonalView) {
  return { id, email: view.email(email), exchange_id: EXCHANGE_ID };
}
