// Policy texts for a withdrawal: why it is pending or was rejected.

import type { DepositOrWithdrawal } from '../../../client/index.ts';
import type { Word } from '../../ui/index.ts';

export type PolicyLine = NonNullable<DepositOrWithdrawal['policy']>[number];

const WORDS: Readonly<Record<string, Word>> = {
  under_review: 'policy.underReview',
  contact_support: 'policy.contactSupport',
  credential_hold: 'policy.credentialHold',
  address_not_active: 'policy.addressNotActive',
  book_only: 'policy.bookOnly',
  day_limit: 'policy.dayLimit',
  month_limit: 'policy.monthLimit',
};

/** `time` formats the end of a rule that expires automatically. */
export function policyWords(
  { rule, until }: Pick<PolicyLine, 'rule' | 'until'>,
  time: (text: string) => string,
): { readonly word: Word; readonly values: Readonly<Record<string, string>> } {
  const word = WORDS[rule];
  if (word === undefined) {
    return { word: 'policy.other', values: { rule: rule.replaceAll('_', ' ') } };
  }
  return { word, values: { time: until === undefined ? '–' : time(until) } };
}
