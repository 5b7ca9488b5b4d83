// The error catalog: status, code and text of each key. Every error response uses one entry;
// keys and codes are never reused.

import { userActErrors } from '../features/accounts/api/index.ts';
import { approvalErrors } from '../features/approvals/api/index.ts';
import { accessErrors, identityErrors } from '../features/auth/api/index.ts';
import { custodyErrors } from '../features/custody/api/index.ts';
import { setUpErrors } from '../features/exchange-config/api/index.ts';
import { healthErrors } from '../features/health/api/index.ts';
import { marketErrors } from '../features/listings/api/index.ts';
import {
  addressBookErrors,
  fiatErrors,
  moneyErrors,
  withdrawalFlowErrors,
  withdrawalPolicyErrors,
} from '../features/payments/api/index.ts';
import { peopleErrors } from '../features/pii-access/api/index.ts';
import { liabilityErrors } from '../features/proofs/api/index.ts';
import { referralErrors } from '../features/referral/api/index.ts';
import { ledgerErrors } from '../features/reports/api/index.ts';
import { stakingErrors } from '../features/staking/api/index.ts';
import { subAccountErrors } from '../features/sub-accounts/api/index.ts';
import { surveillanceErrors } from '../features/surveillance/api/index.ts';
import { orderErrors } from '../features/trading/api/index.ts';
import { requestErrors } from './errors/request-errors.ts';
import { translated } from './languages/translations.ts';
import type { ErrorBody, ErrorEntry } from './wire/index.ts';

export const errors = {
  ...accessErrors,
  ...identityErrors,
  ...requestErrors,
  ...orderErrors,
  ...moneyErrors,
  ...withdrawalFlowErrors,
  ...fiatErrors,
  ...addressBookErrors,
  ...withdrawalPolicyErrors,
  ...subAccountErrors,
  ...referralErrors,
  ...stakingErrors,
  ...setUpErrors,
  ...userActErrors,
  ...approvalErrors,
  ...marketErrors,
  ...ledgerErrors,
  ...surveillanceErrors,
  ...peopleErrors,
  ...healthErrors,
  ...liabilityErrors,
  ...custodyErrors,
};

export type ErrorKey = keyof typeof errors;
export const ERROR_KEYS = Object.keys(errors) as readonly ErrorKey[];

export function isErrorKey(text: string): text is ErrorKey {
  return Object.hasOwn(errors, text);
}

/** Values for the placeholders in a text. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
}

/**
 * Clients that sign match the English texts, so they must get `en`. Sessions get their user's
 * language, or English if a text has no translation.
 */
export function errorAnswer(
  key: ErrorKey,
  language = 'en',
  details: ErrorDetails = {},
): ErrorAnswer {
  const { code, fields = [], status, text }: ErrorEntry = errors[key];
  const translation = language === 'en' ? undefined : translated(language, key);
  const message = filled(translation ?? text, details);
  const lang = translation === undefined ? 'en' : language;
  const shown = Object.fromEntries(fields.map((name) => [name, details[name]]));
  return { status, body: { message, lang, code, ...shown } };
}

// An unfilled placeholder at the end of a text is removed with the punctuation before it:
// `Invalid coin: {currency}` becomes `Invalid coin`.
const HOLE = /\{([a-z_]+)\}/g;
const LAST_HOLE = /[\s:,;]*\{([a-z_]+)\}$/;

function filled(text: string, details: ErrorDetails): string {
  if (!text.includes('{')) return text;
  const last = LAST_HOLE.exec(text);
  const isOpen = last !== null && !Object.hasOwn(details, last[1]);
  const closed = isOpen ? text.slice(0, last.index) : text;
  return closed.replace(HOLE, (hole, name: string) =>
    Object.hasOwn(details, name) ? `${details[name]}` : hole,
  );
}
