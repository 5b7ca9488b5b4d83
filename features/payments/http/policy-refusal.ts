// The error that clients get if the policy refuses a withdrawal: the reason, and its end if it has
// one. Nothing else of the policy's facts leaves the gateway.

import { compareDecimals, parseDecimal } from '../../../core/money/index.ts';
import { ApiRefusal } from '../../../platform/http/index.ts';
import { timeText, withdrawalError } from '../../../protocol/index.ts';
import type { PolicyLine } from '../policy/withdrawal-policy.ts';
import type { PolicyRefused } from '../withdrawals/requests.ts';

export interface RefusedTerms {
  readonly currency: string;
  readonly network: string | null;
}

export function policyRefusal(
  { line, refusal }: Pick<PolicyRefused, 'line' | 'refusal'>,
  { currency, network }: RefusedTerms,
): ApiRefusal {
  if (refusal === 'min_max') return boundRefusal(line.facts);
  const { untilMs } = line.facts;
  return new ApiRefusal(withdrawalError(refusal), {
    currency,
    network: network ?? '',
    ...(line.tellUser === 'end_time' && { until: timeText(Number(untilMs)) }),
  });
}

/** Not by the maximum: one of 0 is none. */
function boundRefusal({ amount, max, min }: PolicyLine['facts']): ApiRefusal {
  const isBelow = compareDecimals(parseDecimal(`${amount}`), parseDecimal(`${min}`)) < 0;
  return isBelow
    ? new ApiRefusal('amount_below_minimum', { min: `${min}` })
    : new ApiRefusal('amount_above_maximum', { max: `${max}` });
}
