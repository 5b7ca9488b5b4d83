// Tests the error for each rejecting rule of the withdrawal policy, and the values in its text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorKey, errorAnswer } from '../../../protocol/index.ts';
import { policyRefusal } from './policy-refusal.ts';
import type { PolicyLine, RefusingRule } from './withdrawal-policy.ts';

const UNTIL_MS = Date.parse('2026-01-02T03:04:05.000Z');
const END = '2026-01-02T03:04:05.000Z';

const table: Record<RefusingRule, [status: number, code: number, text: string]> = {
  account_active: [401, 129, 'Access denied: This account is deactivated'],
  not_sub_account: [
    403,
    2400,
    'Sub-accounts cannot withdraw. Transfer the amount to the main account first',
  ],
  level: [403, 1007, 'Your verification level is too low for withdrawals'],
  factor_proven: [
    403,
    2219,
    'Send a current otp_code or confirm with your passkey; API keys need can_withdraw',
  ],
  credential_hold: [403, 242, `Withdrawals are disabled for your account until ${END}`],
  asset_open: [400, 1006, 'Withdrawals are disabled for btc'],
  network: [400, 2202, 'Invalid network trx for btc'],
  address: [400, 2203, 'Invalid address for btc'],
  own_deposit_address: [400, 2401, 'This is one of your own deposit addresses'],
  book_only: [
    403,
    2341,
    'Withdrawals are limited to your address book, and this address is not in it',
  ],
  address_not_active: [403, 2402, `This address can be used for withdrawals from ${END}`],
  min_max: [400, 2204, 'The amount must be at least 1'],
  no_limit_set: [
    403,
    2207,
    'Withdrawals are not available: no withdrawal limit is set for your level',
  ],
  limit_is_off: [403, 2208, 'Your level does not allow btc withdrawals'],
  price_missing: [
    503,
    2210,
    'No price is available for this coin, so your limit cannot be checked. Try again later or ' +
      'contact support',
  ],
  day_limit: [400, 228, 'You have reached the 24-hour withdrawal limit for your level'],
  month_limit: [400, 2209, 'You have reached the monthly withdrawal limit for your level'],
  fiat_to_bank: [400, 2406, 'btc can only be withdrawn to a verified bank account'],
  open_requests: [
    400,
    2407,
    'You have too many open withdrawals. Wait for one to finish, or cancel one',
  ],
  transfer_needs_review: [
    403,
    2405,
    'This transfer would need a review, which transfers between users do not support. Send a ' +
      'smaller amount, or withdraw to an address',
  ],
  screening_refuse: [403, 2403, 'This withdrawal cannot be processed. Contact support'],
};

for (const [rule, [status, code, text]] of Object.entries(table)) {
  test(`${rule}: ${status} ${text}`, () => {
    const hasEnd = rule === 'credential_hold' || rule === 'address_not_active';
    const line: PolicyLine = {
      rule: rule as RefusingRule,
      result: 'refuse',
      reviews: 0,
      facts: { untilMs: UNTIL_MS, amount: '0.5', min: '1', max: '2', sum: 'secret' },
      tellUser: hasEnd ? 'end_time' : 'reason',
    };
    const { details, key } = refusedBy(line, 'trx');
    const answer = errorAnswer(key, 'en', details);
    assert.deepEqual([answer.status, answer.body.code, answer.body.message], [status, code, text]);
    assert.equal(JSON.stringify(details).includes('secret'), false);
  });
}

const bounds: [amount: string, min: string, max: string, text: string][] = [
  ['9.99', '10', '0', 'The amount must be at least 10'],
  ['0.5', '1', '2', 'The amount must be at least 1'],
  ['2.01', '1', '2', 'The amount must be at most 2'],
  ['10', '9', '9.5', 'The amount must be at most 9.5'],
];

for (const [amount, min, max, text] of bounds) {
  test(`${amount} with the minimum ${min} and the maximum ${max}: ${text}`, () => {
    const rule = 'min_max' as const;
    const facts = { amount, min, max };
    const line: PolicyLine = { rule, result: 'refuse', reviews: 0, facts, tellUser: 'reason' };
    const { details, key } = refusedBy(line, null);
    assert.equal(errorAnswer(key, 'en', details).body.message, text);
  });
}

function refusedBy(line: PolicyLine, network: string | null) {
  const refused = policyRefusal({
    lines: [line],
    verdict: { kind: 'refuse', rule: line.rule as RefusingRule },
    input: { network, requested: { currency: 'btc' } },
  });
  assert.ok(refused);
  const key: ErrorKey = refused.key;
  return { key, details: refused.details };
}
