// Labels for sign-in results.

import type { Word } from '../../ui/index.ts';

const WORDS: Readonly<Record<string, Word>> = {
  password_wrong: 'sessions.outcome.password_wrong',
  blocked: 'sessions.outcome.blocked',
  email_not_verified: 'sessions.outcome.email_not_verified',
  not_verified: 'sessions.outcome.not_verified',
  not_activated: 'sessions.outcome.not_activated',
  factor_missing: 'sessions.outcome.factor_missing',
  factor_wrong: 'sessions.outcome.factor_wrong',
  suspicious: 'sessions.outcome.suspicious',
};

/** Returns the label for a failed sign-in; a plain "Failed" for results of later versions. */
export function outcomeWord(outcome: string): Word {
  return WORDS[outcome] ?? 'sessions.outcome.failed';
}
