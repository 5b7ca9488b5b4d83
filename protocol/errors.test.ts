// The error catalog: a golden file fixes its codes and texts, and the texts that clients match
// are exact.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { REFUSALS, type Refusal } from '../core/messages/index.ts';
import { ERROR_KEYS, type ErrorKey, errorAnswer, errors } from './errors.ts';
import { notTakenError, refusalError } from './refusal-errors.ts';

type Frozen = Record<string, { code: number; text: string }>;

const golden = JSON.parse(
  readFileSync(join(import.meta.dirname, 'golden/errors.json'), 'utf8'),
) as Frozen;

test('every promised error keeps its code and text', () => {
  for (const [key, { code, text }] of Object.entries(golden)) {
    assert.ok(Object.hasOwn(errors, key), `${key} is gone`);
    const entry = errors[key as ErrorKey];
    assert.deepEqual({ code: entry.code, text: entry.text }, { code, text }, key);
  }
});

test('every error is in protocol/golden/errors.json: run `npm run fix`', () => {
  assert.deepEqual(
    ERROR_KEYS.filter((key) => !Object.hasOwn(golden, key)),
    [],
  );
});

test('codes are unique', () => {
  const codes = Object.values(errors).map(({ code }) => code as number);
  assert.deepEqual(
    codes.filter((code, at) => codes.indexOf(code) !== at),
    [],
  );
});

test('codes are those that clients know, up to 1009, or Rialto codes, from 2000', () => {
  for (const [key, { code }] of Object.entries(errors)) {
    const isKnown = (code >= 10 && code <= 245) || (code >= 1001 && code <= 1009);
    assert.ok(isKnown || (code >= 2000 && code <= 2999), `${key} ${code}`);
  }
});

const matched: [key: ErrorKey, status: number, substring: string][] = [
  ['request_expired', 401, 'Access denied: Access Denied: API request is expired'],
  ['session_invalid', 401, 'Invalid token'],
  ['credentials_missing', 401, 'Access denied: no auth token sent'],
  ['token_type_not_allowed', 401, 'Access denied: invalid token type'],
  ['scope_missing', 403, 'not authorized'],
  ['role_missing', 403, 'User is not authorized to access this endpoint'],
  ['order_must_exist', 404, 'Order not found'],
  ['order_id_invalid', 400, 'Invalid order id'],
  ['available_balance_too_small', 400, 'Insufficient balance to perform the order'],
  ['balance_too_small', 400, 'Insufficient balance'],
  [
    'post_only_order_would_trade',
    400,
    'Error 1001 - Order rejected. Order could not be submitted as this order was set to a post ' +
      'only order.',
  ],
  ['post_only_order_must_be_limit', 400, 'Error 1001 - POST ONLY order can not be of type market'],
  ['size_below_minimum', 400, 'Order size is out of the limits'],
  ['size_above_maximum', 400, 'Order size is out of the limits'],
  ['quote_token_used', 400, 'Token has been used'],
  ['quote_has_expired', 400, 'Quote has expired'],
  ['quote_token_unknown', 400, 'Invalid quote'],
  ['quote_failed', 400, 'Error calculating the quote'],
  ['no_liquidity_within_limits', 400, 'The order with the current size can not be filled'],
  ['quoted_price_no_longer_available', 400, 'Order is not filled'],
  ['no_rows_for_csv', 400, 'No data to convert to CSV'],
  ['outcome_unknown', 504, 'Outcome unknown'],
];

for (const [key, status, substring] of matched) {
  test(`${key} is ${status} and contains the text that clients match`, () => {
    const answer = errorAnswer(key);
    assert.equal(answer.status, status);
    assert.ok(answer.body.message.includes(substring), answer.body.message);
  });
}

test('placeholders are filled from the details, and not inside filled values', () => {
  const { body } = errorAnswer('network_invalid', 'en', { network: '{currency}', currency: 'btc' });
  assert.equal(body.message, 'Invalid network {currency} for btc');
});

test('an unfilled placeholder at the end is removed', () => {
  assert.deepEqual(errorAnswer('symbol_invalid'), {
    status: 400,
    body: { message: 'Invalid symbol', lang: 'en', code: 1002 },
  });
  assert.equal(errorAnswer('body_malformed').body.message, 'Request body is not valid JSON');
});

test('details from the prototype are ignored', () => {
  const details = Object.create({ symbol: 'btc-usdt' }) as Record<string, string>;
  assert.equal(errorAnswer('symbol_invalid', 'en', details).body.message, 'Invalid symbol');
});

test('an unknown language, or one named like an object property, falls back to English', () => {
  for (const language of ['xx', '', '__proto__', 'constructor']) {
    assert.deepEqual(errorAnswer('order_must_exist', language).body, {
      message: 'Order not found',
      lang: 'en',
      code: 10,
    });
  }
});

test('every engine refusal has an error', () => {
  const refusals = REFUSALS.filter((refusal) => refusal !== 'none') as Exclude<Refusal, 'none'>[];
  for (const refusal of refusals) assert.ok(Object.hasOwn(errors, refusalError(refusal)), refusal);
});

test('a command that was certainly not accepted is 503, or 500 for a gateway bug', () => {
  const statuses = (['busy', 'too_old', 'no_leader', 'malformed', 'not_permitted'] as const).map(
    (reason) => errors[notTakenError(reason)].status,
  );
  assert.deepEqual(statuses, [503, 503, 503, 500, 500]);
});
