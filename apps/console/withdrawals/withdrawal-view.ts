// A withdrawal as operators process it: its stage, the policy lines, the approvals given and
// needed, and the actions possible now.

import type { AuditEntry, DepositOrWithdrawalOfUser } from '../../../client/index.ts';
import { formatDecimal } from '../../decimals/index.ts';
import { may, type Operator } from '../access.ts';
import type { NameOf } from '../parts/plain-name.ts';

export type Withdrawal = DepositOrWithdrawalOfUser;
export type Stage = 'review' | 'approved' | 'claimed' | 'completed' | 'dismissed' | 'rejected';

export function stageOf(row: Withdrawal): Stage {
  if (row.rejected) return 'rejected';
  if (row.dismissed) return 'dismissed';
  if (row.status) return 'completed';
  if (row.processing) return 'claimed';
  return row.waiting ? 'review' : 'approved';
}

export interface VerdictLine {
  readonly rule: string;
  readonly result: 'pass' | 'review' | 'refuse';
  readonly reviews: number;
  readonly value: string;
  readonly limit: string;
}

/** Values that are limits. */
const LIMITS = ['min', 'max', 'from', 'limit', 'hourMax', 'dayMax', 'isRequired', 'percent'];

/** Rejections first, then reviews, then passed lines; none is dropped. */
export function verdictOf(
  { policy = [] }: Pick<Withdrawal, 'policy'>,
  nameOf: NameOf,
): VerdictLine[] {
  const rank = { refuse: 0, review: 1, pass: 2 } as const;
  return policy
    .map(({ facts, result, reviews, rule }) => {
      const entries = Object.entries(facts).filter(([, fact]) => fact !== null && fact !== '');
      return {
        rule,
        result,
        reviews,
        value: factsText(
          entries.filter(([name]) => !LIMITS.includes(name)),
          nameOf,
        ),
        limit: factsText(
          entries.filter(([name]) => LIMITS.includes(name)),
          nameOf,
        ),
      };
    })
    .toSorted((one, other) => rank[one.result] - rank[other.result]);
}

function factsText(facts: readonly (readonly [string, unknown])[], nameOf: NameOf): string {
  if (facts.length === 0) return '–';
  if (facts.length === 1) return factText(...facts[0], nameOf);
  return facts
    .map(([name, fact]) => `${nameOf('fact', name)} ${factText(name, fact, nameOf)}`)
    .join(', ');
}

/** Fields whose values are names. */
const NAMED_FACTS = ['state', 'kind', 'proof', 'screening', 'limit'];

const PLAIN = { language: 'en', digits: 'latn' } as const;

function factText(name: string, fact: unknown, nameOf: NameOf): string {
  if (typeof fact === 'boolean') return nameOf('yesNo', String(fact));
  if (/Ms$/.test(name) && typeof fact === 'number') return timeText(fact);
  const text = String(fact);
  if (name === 'currency' || name === 'missing') return text.toUpperCase();
  return /^[a-z]+(?:_[a-z]+)*$/.test(text) && NAMED_FACTS.includes(name)
    ? nameOf('value', text)
    : formatDecimal(text, PLAIN);
}

/** Formats policy times, in milliseconds since 1970; 0 means none. */
function timeText(ms: number): string {
  return ms > 0 ? new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z') : '–';
}

export interface Approvals {
  readonly given: number;
  readonly needed: number;
  /** IDs of the operators who have approved. */
  readonly by: readonly number[];
}

/**
 * Returns the approvals given and needed. The strictest policy line decides how many are needed.
 * Each operator counts once, based on the steps in the audit. Returns undefined if the entries are
 * undefined, because the role cannot read the audit.
 */
export function approvalsOf(
  row: Withdrawal,
  entries: readonly AuditEntry[] | undefined,
): Approvals | undefined {
  const needed = Math.max(0, ...(row.policy ?? []).map(({ reviews }) => reviews));
  if (entries === undefined) return undefined;
  const by = entries.flatMap(({ after, operator_id: id }) => {
    const { steps } = (after ?? {}) as { steps?: unknown };
    return id !== null && Array.isArray(steps) && steps.includes('approve') ? [id] : [];
  });
  const people = [...new Set(by)];
  return { given: people.length, needed, by: people };
}

export type WithdrawalAct =
  | 'approve'
  | 'claim'
  | 'release'
  | 'complete'
  | 'reject'
  | 'dismiss'
  | 'hold';

/** Returns the actions that stage and role allow. Approving twice or for oneself is not allowed. */
export function actsOn(
  row: Withdrawal,
  operator: Pick<Operator, 'id' | 'permissions' | 'powers'>,
  approvals: Approvals | undefined,
): readonly WithdrawalAct[] {
  const stage = stageOf(row);
  const isOwn = row.user_id === operator.id;
  const acts: WithdrawalAct[] = [];
  if (may(operator, 'approveWithdrawal') && stage === 'review' && !isOwn) {
    if (approvals?.by.includes(operator.id) !== true) acts.push('approve');
  }
  if (may(operator, 'settleWithdrawal')) {
    if (stage === 'approved') acts.push('claim', 'complete');
    if (stage === 'claimed') acts.push('complete', 'release');
    if (stage === 'review' || stage === 'approved') acts.push('reject', 'dismiss');
  }
  const isOpen = stage === 'review' || stage === 'approved';
  if (isOpen && !isOwn && may(operator, 'holdUser')) acts.push('hold');
  return acts;
}

export interface AddressHistory {
  /** Number of this user's earlier completed withdrawals to the address. */
  readonly paidBefore: number;
  /** Number of other users who withdrew or requested a withdrawal to it. */
  readonly otherUsers: readonly number[];
}

export function addressHistory(
  row: Withdrawal,
  sameAddress: readonly Withdrawal[],
): AddressHistory {
  const others = sameAddress.filter(({ id }) => id !== row.id);
  return {
    paidBefore: others.filter(({ status, user_id: user }) => status && user === row.user_id).length,
    otherUsers: [
      ...new Set(others.flatMap(({ user_id: user }) => (user === row.user_id ? [] : [user]))),
    ],
  };
}

/** Sorts oldest first; among equals, those that need more approvals first. */
export function sortedQueue(rows: readonly Withdrawal[]): readonly Withdrawal[] {
  const needs = ({ policy = [] }: Withdrawal) => Math.max(0, ...policy.map((one) => one.reviews));
  return rows.toSorted(
    (one, other) => one.created_at.localeCompare(other.created_at) || needs(other) - needs(one),
  );
}
