// The error that clients get if the policy refuses a withdrawal: the reason, and its end if it has
// one. Nothing else of the policy's facts leaves the gateway.

import type { PolicyRefused } from '../../../domain/transfers/index.ts';
import { timeText, withdrawalError } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';

export interface RefusedTerms {
  readonly currency: string;
  readonly network: string | null;
}

export function policyRefusal(
  { line, refusal }: Pick<PolicyRefused, 'line' | 'refusal'>,
  { currency, network }: RefusedTerms,
): ApiRefusal {
  const { max, min, untilMs } = line.facts;
  return new ApiRefusal(withdrawalError(refusal), {
    currency,
    network: network ?? '',
    ...(line.tellUser === 'end_time' && { until: timeText(Number(untilMs)) }),
    ...(refusal === 'min_max' && { min: `${min}`, max: `${max}` }),
  });
}
