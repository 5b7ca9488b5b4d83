// Handlers for the values of the withdrawal policy.

import type { Pool } from '../../../infra/postgres/index.ts';
import type { HandlersOf } from '../../../platform/http/index.ts';
import { decimal } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct, plainDecimal } from '../../approvals/http/index.ts';
import { type PolicyValues, setWithdrawalPolicyAct } from '../admin/withdrawal-policy.ts';
import { readPolicySettings } from '../policy/policy-settings.ts';

const DECIMALS = {
  one_review_from: 'oneReviewFrom',
  two_reviews_from: 'twoReviewsFrom',
  new_address_from: 'newAddressFrom',
  fresh_funds_from: 'freshFundsFrom',
  outflow_per_hour_max: 'outflowPerHourMax',
} as const satisfies Readonly<Record<string, keyof PolicyValues>>;
const NUMBERS = {
  fresh_funds_hours: 'freshFundsHours',
  new_for_hours: 'newForHours',
  open_max: 'openMax',
  per_hour_max: 'perHourMax',
} as const satisfies Readonly<Record<string, keyof PolicyValues>>;

export async function policyJson(registry: Pool) {
  const settings = await readPolicySettings(registry);
  return {
    currency: settings.currency,
    one_review_from: decimal(settings.oneReviewFrom),
    two_reviews_from: decimal(settings.twoReviewsFrom),
    new_address_from: decimal(settings.newAddressFrom),
    fresh_funds_from: decimal(settings.freshFundsFrom),
    outflow_per_hour_max: decimal(settings.outflowPerHourMax),
    fresh_funds_hours: settings.freshFundsHours,
    new_for_hours: settings.newForHours,
    open_max: settings.openMax,
    per_hour_max: settings.perHourMax,
  };
}

export const setWithdrawalPolicy: HandlersOf<'operatorMoney'>['setWithdrawalPolicy'] = (
  call,
  dependencies,
) => {
  const change: Record<string, string | number> = {};
  for (const [name, own] of Object.entries(DECIMALS)) {
    const given = call.body[name as keyof typeof DECIMALS];
    if (given === undefined) continue;
    const text = plainDecimal(given);
    if (text instanceof Refused) return text;
    change[own] = text;
  }
  for (const [name, own] of Object.entries(NUMBERS)) {
    const given = call.body[name as keyof typeof NUMBERS];
    if (given !== undefined) change[own] = given;
  }
  return answerAct(call, dependencies, setWithdrawalPolicyAct, change, () =>
    policyJson(dependencies.registry),
  );
};
