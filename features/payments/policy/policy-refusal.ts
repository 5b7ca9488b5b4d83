// Error shown to users if the policy rejects a withdrawal: the reason, and when it ends if it does.
// No other policy detail reaches users.

import { compareDecimals, parseDecimal } from '../../../core/money/index.ts';
import { Refused, timeText } from '../../../protocol/wire/index.ts';
import type { PolicyDecision, PolicyInput, PolicyLine, RefusingRule } from './withdrawal-policy.ts';

const ERRORS = {
  account_active: 'account_deactivated',
  not_sub_account: 'withdrawal_from_sub_account',
  level: 'level_too_low',
  factor_proven: 'withdrawal_not_confirmed',
  credential_hold: 'withdrawals_blocked',
  asset_open: 'withdrawals_are_off',
  network: 'network_invalid',
  fiat_to_bank: 'fiat_needs_bank_account',
  address: 'address_invalid',
  own_deposit_address: 'withdrawal_to_own_address',
  book_only: 'withdrawal_address_not_in_book',
  address_not_active: 'withdrawal_address_not_active',
  no_limit_set: 'withdrawal_limits_missing',
  limit_is_off: 'withdrawals_not_allowed_for_level',
  price_missing: 'withdrawal_price_unknown',
  day_limit: 'withdrawal_limit_reached',
  month_limit: 'withdrawal_month_limit_reached',
  open_requests: 'too_many_open_withdrawals',
  screening_refuse: 'withdrawal_needs_support',
  transfer_needs_review: 'transfer_needs_review',
} as const satisfies Record<Exclude<RefusingRule, 'min_max'>, string>;

export interface DecidedRequest extends PolicyDecision {
  readonly input: Pick<PolicyInput, 'network'> & {
    readonly requested: Pick<PolicyInput['requested'], 'currency'>;
  };
}

/** Returns undefined unless a rule rejects. */
export function policyRefusal({ input, lines, verdict }: DecidedRequest) {
  if (verdict.kind !== 'refuse') return undefined;
  const { rule } = verdict;
  const { facts, tellUser } = lines.find((line) => line.rule === rule) as PolicyLine;
  if (rule === 'min_max') return boundRefusal(facts);
  return new Refused(ERRORS[rule], {
    currency: input.requested.currency,
    network: input.network ?? '',
    ...(tellUser === 'end_time' && { until: timeText(Number(facts.untilMs)) }),
  });
}

/** A maximum of 0 means no limit. */
function boundRefusal({ amount, max, min }: PolicyLine['facts']) {
  const isBelow = compareDecimals(parseDecimal(`${amount}`), parseDecimal(`${min}`)) < 0;
  return isBelow
    ? new Refused('amount_below_minimum', { min: `${min}` })
    : new Refused('amount_above_maximum', { max: `${max}` });
}
