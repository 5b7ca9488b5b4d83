// Checks a withdrawal while it is typed, one line per rule that this page can check. The exchange
// checks all of them again, and others.

import type { AddressBook } from '../../../client/index.ts';
import { compare, isPositive } from '../../decimals/index.ts';

export type VerdictRule = 'factor' | 'hold' | 'form' | 'address' | 'minimum' | 'maximum';

export interface VerdictLine {
  readonly rule: VerdictRule;
  readonly result: 'passes' | 'fails' | 'open';
  /** Value that the rule compares with, or the time until which it fails. */
  readonly value: string;
}

export interface WithdrawalDraft {
  readonly amount: string;
  readonly address: string;
  readonly currency: string;
  readonly network: string;
}

export interface WithdrawalFacts {
  readonly hasFactor: boolean;
  /** End of a withdrawal hold. */
  readonly heldUntil: string | null;
  readonly book: AddressBook | undefined;
  /** Whether the network can pay the address; undefined until the exchange has checked it. */
  readonly isPayable: boolean | undefined;
  readonly min: string;
  readonly max: string | undefined;
  readonly nowMs: number;
}

export function verdictOn(draft: WithdrawalDraft, facts: WithdrawalFacts): VerdictLine[] {
  const { book, hasFactor, heldUntil, isPayable, max, min, nowMs } = facts;
  const isHeld = heldUntil !== null && Date.parse(heldUntil) > nowMs;
  const hasAmount = isPositive(draft.amount);
  const check = (isOk: boolean) => (hasAmount ? (isOk ? 'passes' : 'fails') : 'open');
  return [
    { rule: 'factor', result: hasFactor ? 'passes' : 'fails', value: '' },
    { rule: 'hold', result: isHeld ? 'fails' : 'passes', value: isHeld ? heldUntil : '' },
    { rule: 'form', result: formResult(draft.address, isPayable), value: '' },
    addressLine(draft, book, nowMs),
    { rule: 'minimum', result: check(hasAmount && compare(draft.amount, min) >= 0), value: min },
    {
      rule: 'maximum',
      result: max === undefined ? 'open' : check(hasAmount && compare(draft.amount, max) <= 0),
      value: max ?? '',
    },
  ];
}

function formResult(address: string, isPayable: boolean | undefined): VerdictLine['result'] {
  if (address === '' || isPayable === undefined) return 'open';
  return isPayable ? 'passes' : 'fails';
}

/** An unknown address fails only if the user allows none outside of the book. */
function addressLine(
  { address, currency, network }: WithdrawalDraft,
  book: AddressBook | undefined,
  nowMs: number,
): VerdictLine {
  if (address === '' || book === undefined) return { rule: 'address', result: 'open', value: '' };
  const entry = book.addresses.find(
    (one) => one.address === address && one.currency === currency && one.network === network,
  );
  if (entry === undefined) {
    return { rule: 'address', result: book.book_only ? 'fails' : 'passes', value: '' };
  }
  const isActive = Date.parse(entry.active_at) <= nowMs;
  return {
    rule: 'address',
    result: isActive ? 'passes' : 'fails',
    value: isActive ? '' : entry.active_at,
  };
}

export function isAllowed(lines: readonly VerdictLine[]): boolean {
  return lines.every(({ result }) => result === 'passes');
}
