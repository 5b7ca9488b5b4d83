// Faults in acts of operators that move money, and in approvals of withdrawals. Tests must detect
// each.

import type { Fault } from '../fault.ts';

const TERMS = 'features/payments/admin/money-terms.ts';
const CREDIT = 'features/payments/admin/credit.ts';
const BURN = 'features/payments/admin/burn.ts';
const TRADE = 'features/trading/admin/direct-trade.ts';
const FEES = 'features/payments/admin/settle-fees.ts';
const DEPOSIT = 'features/payments/admin/review-deposit.ts';
const WITHDRAWAL = 'features/payments/admin/review-withdrawal.ts';
const REVIEW = 'features/payments/admin/withdrawal-review.ts';
const CODES = 'features/referral/codes.ts';

export const MONEY_ACT_FAULTS: readonly Fault[] = [
  {
    name: 'a credit has no value, so nobody approves it',
    file: CREDIT,
    find: '...(!is_pending && { money: { currency, amount } }),',
    replace: '...(is_pending && { money: { currency, amount } }),',
  },
  {
    name: 'a held burn counts for nothing',
    file: BURN,
    find: '      money: { currency, amount },\n',
    replace: '      ...(!is_pending && { money: { currency, amount } }),\n',
  },
  {
    name: 'money of the house moves like that of people',
    file: TERMS,
    find: 'if (house === undefined) return undefined;',
    replace: 'if (house !== null) return undefined;',
  },
  {
    name: 'of the sides of a trade the cheaper one counts',
    file: TERMS,
    find: 'parseDecimal(second.value)) >= 0 ? one : other',
    replace: 'parseDecimal(second.value)) >= 0 ? other : one',
  },
  {
    name: 'the maker of a trade does not gain by it',
    file: TRADE,
    find: 'beneficiaries: [maker, taker],',
    replace: 'beneficiaries: [taker],',
  },
  {
    name: 'one person settles the fees',
    file: FEES,
    find: 'approvals: 1,',
    replace: 'approvals: 0,',
  },
  {
    name: 'a reviewed deposit is credited without a value',
    file: DEPOSIT,
    find: '...(isCredit && { money: { currency, amount } }),',
    replace: '',
  },
  {
    name: 'a review keeps the steps before a refused one',
    file: WITHDRAWAL,
    find: 'if (taken instanceof Refused) return taken;',
    replace: 'if (taken instanceof Refused) break;',
  },
  {
    name: 'a key approves a withdrawal',
    file: WITHDRAWAL,
    find: '{ user, isProven, isAlone, nowMs }',
    replace: '{ user, isProven: true, isAlone, nowMs }',
  },
  {
    name: 'a withdrawal is approved without a second factor',
    file: REVIEW,
    find: "  if (!isProven) return new Refused('withdrawal_approval_needs_factor');\n",
    replace: '',
  },
  {
    name: 'an operator of an hour approves a withdrawal',
    file: REVIEW,
    find: 'power: APPROVAL_POWER, nowMs }))',
    replace: 'power: APPROVAL_POWER, nowMs: nowMs + 86_400_000 }))',
  },
  {
    name: 'two accounts of one person approve a withdrawal',
    file: REVIEW,
    find: 'own ?? (await findSharedMark(connection, user, others))',
    replace: 'own',
  },
  {
    name: 'an operator ends what another one is paying',
    file: REVIEW,
    find: 'const released = await releaseIn(connection, name, payer);',
    replace: 'const released = await releaseIn(connection, name, { ...payer, isAdmin: true });',
  },
  {
    name: 'an operator changes where a withdrawal goes',
    file: WITHDRAWAL,
    find: "if (address !== null && row.kind !== 'burn')",
    replace: "if (address !== null && row.kind === 'transfer')",
  },
  {
    name: 'a user takes the affiliation code of another user',
    file: CODES,
    find: 'affiliation_code = upper($1) and id <> $2)',
    replace: 'affiliation_code = upper($1) and id = 0)',
  },
  {
    name: 'the approval of somebody who lost the power counts',
    file: REVIEW,
    find: 'await holdersOf(connection, APPROVAL_POWER, before)',
    replace: 'before.slice()',
  },
];
