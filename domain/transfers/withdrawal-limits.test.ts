// The verdict about a withdrawal: each hold and limit by itself, and the boundary of each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CurrencyAmount, type VerdictInput, withdrawalVerdict } from './withdrawal-limits.ts';

const NOW_MS = 1_700_000_000_000;

const btc = (atoms: string): CurrencyAmount => ({ currency: 'btc', atoms, scale: 8 });
const usdt = (atoms: string): CurrencyAmount => ({ currency: 'usdt', atoms, scale: 6 });
const limitOf = (amount: string, monthlyAmount: string, limitCurrency = 'btc', currency = 'btc') =>
  ({ limitCurrency, currency, amount, monthlyAmount }) as const;

/** Half a bitcoin, for a user with limits of one bitcoin a day and ten a month. */
const ALLOWED: VerdictInput = {
  nowMs: NOW_MS,
  isActivated: true,
  verificationLevel: 1,
  blockedUntilMs: 0,
  requested: btc('50000000'),
  limit: limitOf('1', '10'),
  withinDay: [],
  withinMonth: [],
  prices: {},
};

const EVERYTHING = limitOf('100', '0', 'default', 'usdt');

const verdicts: [string, Partial<VerdictInput>, ReturnType<typeof withdrawalVerdict>][] = [
  ['an ordinary one', {}, 'allowed'],
  ['a deactivated account', { isActivated: false }, 'account_is_deactivated'],
  ['level 0', { verificationLevel: 0 }, 'verification_level_too_low'],
  ['a hold until later', { blockedUntilMs: NOW_MS + 1 }, 'withdrawals_are_blocked'],
  ['a hold until now', { blockedUntilMs: NOW_MS }, 'allowed'],
  [
    'a key that withdraws only to the address book',
    { isBookOnly: true },
    'address_must_be_in_book',
  ],
  ['nothing', { requested: btc('0') }, 'amount_must_be_positive'],
  ['less than nothing', { requested: btc('-1') }, 'amount_must_be_positive'],
  ['no row of limits', { limit: null }, 'no_limit_is_set'],
  ['a day of -1', { limit: limitOf('-1', '0') }, 'withdrawals_are_disabled'],
  ['a month of -1', { limit: limitOf('0', '-1') }, 'withdrawals_are_disabled'],
  ['0 and 0', { limit: limitOf('0', '0'), withinMonth: [btc('9'.repeat(18))] }, 'allowed'],
  ['exactly the day', { withinDay: [btc('50000000')], withinMonth: [btc('50000000')] }, 'allowed'],
  ['an atom above the day', { withinDay: [btc('50000001')] }, 'day_limit_exceeded'],
  ['exactly the month', { withinMonth: [btc('950000000')] }, 'allowed'],
  ['an atom above the month', { withinMonth: [btc('950000001')] }, 'month_limit_exceeded'],
  [
    'a finer limit than the asset',
    { limit: limitOf('0.5000000000000001', '0'), requested: btc('50000001') },
    'day_limit_exceeded',
  ],
  [
    'a month without a day',
    { limit: limitOf('0', '1'), withinMonth: [btc('50000001')] },
    'month_limit_exceeded',
  ],
  ['several without a price', { limit: EVERYTHING, prices: {} }, 'price_is_missing'],
  ['a price of 0', { limit: EVERYTHING, prices: { btc: '0' } }, 'price_is_missing'],
  [
    'a name of every object',
    { limit: EVERYTHING, requested: named('toString') },
    'price_is_missing',
  ],
  [
    'several, exactly',
    { limit: EVERYTHING, withinDay: [usdt('40000000')], prices: { btc: '120' } },
    'allowed',
  ],
  [
    'several, a little more',
    { limit: EVERYTHING, withinDay: [usdt('40000001')], prices: { btc: '120' } },
    'day_limit_exceeded',
  ],
];

function named(currency: string): CurrencyAmount {
  return { currency, atoms: '1', scale: 0 };
}

for (const [name, change, verdict] of verdicts) {
  test(`the verdict about ${name} is ${verdict}`, () => {
    const input = { ...ALLOWED, ...change };
    assert.equal(withdrawalVerdict(input), verdict);
    const written = JSON.parse(JSON.stringify(input)) as VerdictInput;
    assert.equal(withdrawalVerdict(written), verdict, 'the same verdict from the stored JSON');
  });
}

test('a limit that is not a decimal throws', () => {
  const limit = limitOf('NaN', '0');
  assert.throws(() => withdrawalVerdict({ ...ALLOWED, limit }), RangeError);
});
