// A user as an operator may see it. Personal values are masked, unless the role sees them in the
// clear (`pii.unmasked`) and the person waits for a review, or a reveal is open for them.

import type { Power } from '../../../domain/operators/index.ts';
import {
  hideText,
  maskEmail,
  maskEnding,
  maskName,
  maskText,
} from '../../../domain/people/index.ts';

/** The reasons to see more of a person than the masks. */
export interface Sight {
  /** A document or a bank account waits for a review. */
  readonly isInReview?: boolean;
  /** Fields that the operator has revealed, as on the wire. */
  readonly revealed?: ReadonlySet<string>;
}

type Mask = (value: unknown) => unknown;

const text =
  (mask: (value: string) => string): Mask =>
  (value) =>
    typeof value === 'string' ? mask(value) : value;

/** The fields of a user, a bank account or a payment detail that are personal. */
const MASKS: Readonly<Record<string, Mask>> = {
  email: text(maskEmail),
  // Until a person chooses one, it is the first part of the e-mail address.
  username: text(maskText),
  full_name: text(maskName),
  phone_number: text(maskEnding),
  dob: () => null,
  gender: () => false,
  nationality: text(hideText),
  address: (value) => hideTexts(value, new Set(['country'])),
  id_data: (value) => ({
    ...(hideTexts(value, new Set(['type'])) as object),
    ...(isObject(value) && { number: endingOf(value.number) }),
  }),
  bank_account: (value) => (Array.isArray(value) ? value.map(maskedBank) : value),
};

/** The names of personal fields of a user. */
export const PERSONAL_FIELDS: readonly string[] = Object.keys(MASKS);

/** The same row with its personal fields masked; other fields stay. */
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

/** A bank account with the names of its fields, the bank and the last two digits of numbers. */
export function maskedBank(account: unknown): unknown {
  if (!isObject(account)) return account;
  const shown = new Set(['id', 'type', 'status', 'message', 'bank_name']);
  return Object.fromEntries(
    Object.entries(account).map(([name, value]) => [
      name,
      shown.has(name) ? value : endingOf(value),
    ]),
  );
}

function endingOf(value: unknown): unknown {
  return typeof value === 'string' ? maskEnding(value) : hidden(value);
}

function hideTexts(value: unknown, shown: ReadonlySet<string>): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, shown.has(name) ? part : hidden(part)]),
  );
}

/** Numbers, such as a status, and empty values stay. */
function hidden(value: unknown): unknown {
  if (typeof value === 'string') return hideText(value);
  return isObject(value) || Array.isArray(value) ? null : value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
