// Values of the withdrawal policy: how the form shows them, and the request with only the changed
// ones.

import type { WithdrawalPolicy, WithdrawalPolicyIn } from '../../../client/index.ts';
import { compare, isDecimal } from '../../decimals/index.ts';
import type { Needed } from '../approvals/consent.ts';

/** In the order of the form. Amounts are in the currency of the thresholds. */
export const POLICY_FIELDS = [
  { name: 'one_review_from', kind: 'amount', isLooserUpward: true },
  { name: 'two_reviews_from', kind: 'amount', isLooserUpward: true },
  { name: 'new_address_from', kind: 'amount', isLooserUpward: true },
  { name: 'fresh_funds_from', kind: 'amount', isLooserUpward: true },
  { name: 'fresh_funds_hours', kind: 'hours', isLooserUpward: false },
  { name: 'new_for_hours', kind: 'hours', isLooserUpward: false },
  { name: 'open_max', kind: 'count', isLooserUpward: true },
  { name: 'per_hour_max', kind: 'count', isLooserUpward: true },
  { name: 'outflow_per_hour_max', kind: 'amount', isLooserUpward: true },
] as const;

export type PolicyField = (typeof POLICY_FIELDS)[number];
export type PolicyDraft = Readonly<Record<PolicyField['name'], string>>;

export function draftOf(policy: WithdrawalPolicy): PolicyDraft {
  return Object.fromEntries(
    POLICY_FIELDS.map(({ name }) => [name, String(policy[name])]),
  ) as PolicyDraft;
}

export interface PolicyChange {
  readonly body: WithdrawalPolicyIn;
  /** Approvals in team mode: a change that makes reviews rarer needs one. */
  readonly approvals: Needed;
}

/** Returns undefined if nothing changed or a value is invalid. */
export function policyChange(
  policy: WithdrawalPolicy,
  draft: PolicyDraft,
): PolicyChange | undefined {
  const isValid = POLICY_FIELDS.every(({ kind, name }) =>
    kind === 'amount' ? isDecimal(draft[name]) : /^\d{1,6}$/.test(draft[name]),
  );
  if (!isValid || compare(draft.two_reviews_from, draft.one_review_from) < 0) return undefined;
  const changed = POLICY_FIELDS.filter(
    ({ name }) => compare(draft[name], String(policy[name])) !== 0,
  );
  if (changed.length === 0) return undefined;
  const isLooser = changed.some(
    ({ isLooserUpward, name }) => compare(draft[name], String(policy[name])) > 0 === isLooserUpward,
  );
  const body = Object.fromEntries(
    changed.map(({ kind, name }) => [name, kind === 'amount' ? draft[name] : Number(draft[name])]),
  );
  return { body, approvals: isLooser ? 1 : 0 };
}
