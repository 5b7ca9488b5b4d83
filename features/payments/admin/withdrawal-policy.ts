// Operator action on the values of the withdrawal policy. A change that makes any review rarer
// needs approval from another operator.

import { compareDecimals, parseDecimal } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import {
  describePolicySettings,
  type PolicySettings,
  readPolicySettings,
} from '../policy/policy-settings.ts';

/** The currency of the values is that of the thresholds, which has its own action. */
export type PolicyValues = Omit<PolicySettings, 'currency'>;
export type PolicyChange = { readonly [Name in keyof PolicyValues]?: PolicyValues[Name] };

/** Values whose increase makes reviews rarer. For the two spans of time, a decrease does. */
const LOOSER_UPWARD: Readonly<Record<keyof PolicyValues, boolean>> = {
  oneReviewFrom: true,
  twoReviewsFrom: true,
  newAddressFrom: true,
  freshFundsFrom: true,
  freshFundsHours: false,
  newForHours: false,
  openMax: true,
  perHourMax: true,
  outflowPerHourMax: true,
};
const NAMES = Object.keys(LOOSER_UPWARD) as (keyof PolicyValues)[];

export const setWithdrawalPolicyAct = defineAct({
  name: 'policy.set',
  votePower: 'approve.config',

  async prepare({ connection }: ActContext, change: PolicyChange) {
    const { currency, ...before } = await readPolicySettings(connection);
    const after = { ...before, ...change };
    if (compare(after.twoReviewsFrom, after.oneReviewFrom) < 0) {
      return new Refused('policy_reviews_reversed');
    }
    const changed = NAMES.filter((name) => compare(after[name], before[name]) !== 0);
    const isLooser = changed.some(
      (name) => compare(after[name], before[name]) > 0 === LOOSER_UPWARD[name],
    );
    return {
      object: 'withdrawal policy',
      objectVersion: NAMES.map((name) => before[name]).join(' '),
      approvals: isLooser ? 1 : 0,
      beneficiaries: [],
      shown: [
        { label: 'Currency', value: currency },
        ...changed.map((name) => ({ label: name, value: `${before[name]} → ${after[name]}` })),
      ],

      async run() {
        await describePolicySettings(connection, change);
        return { result: {}, before: { ...before }, after: { ...change } };
      },
    };
  },
});

function compare(one: string | number, other: string | number): number {
  return compareDecimals(parseDecimal(`${one}`), parseDecimal(`${other}`));
}
