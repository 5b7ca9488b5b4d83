// Translations are of texts that exist, have the same holes, and say what is missing.

import assert from 'node:assert/strict';
import test from 'node:test';
import { accessErrors } from '../errors/access-errors.ts';
import { ERROR_KEYS, type ErrorKey, errorAnswer, errors } from '../errors.ts';
import { LANGUAGES, translations } from './translated.ts';

const HOLES = /\{[a-z_]+\}/g;

/** Only those who sign meet these, and they are answered in English. */
const ofKeys: readonly string[] = Object.keys(accessErrors).filter((key) =>
  accessErrors[key as keyof typeof accessErrors].text.includes('Access Denied'),
);

/** About what only programs send. */
const FOR_PROGRAMMERS: readonly ErrorKey[] = [
  'several_credentials',
  'token_type_not_allowed',
  'session_invalid',
  'body_malformed',
  'body_key_misspelt',
  'order_by_unknown',
  'too_many_candles',
  'method_not_allowed',
  'body_too_large',
  'feature_not_supported',
  'order_id_invalid',
  'market_order_must_not_name_a_price',
  'market_order_must_be_immediate',
  'client_order_id_too_long',
  'client_order_id_must_be_printable_ascii',
  'client_order_id_already_used',
  'note_invalid',
  'timeout_out_of_range',
  'switches_limit_reached',
  'quote_currencies_missing',
  'asset_invalid',
];

/** About what only operators do. */
const FOR_OPERATORS: readonly ErrorKey[] = [
  'user_not_found',
  'deposit_not_found',
  'deposit_ended',
  'transaction_id_used',
  'transaction_id_ambiguous',
  'transaction_change_unclear',
  'issuance_cap_exceeded',
  'users_must_be_different',
  'users_are_in_one_group',
  'fees_account_is_empty',
  'command_refused',
  'command_failed',
];

/** Users may meet these, and no language has them yet. */
const MISSING: readonly ErrorKey[] = [
  'date_invalid',
  'too_many_rows',
  'post_only_order_must_rest',
  'post_only_order_must_not_have_stop',
  'stop_price_below_minimum',
  'stop_price_above_maximum',
  'exchange_capacity_reached',
  'waiting_stop_cannot_be_amended',
  'quote_of_another_user',
  'quote_failed',
  'quote_amount_missing',
  'amount_must_be_positive',
  'deposits_are_off',
  'amount_not_a_multiple',
  'withdrawal_limits_missing',
  'withdrawals_not_allowed_for_level',
  'withdrawal_price_unknown',
  'withdrawals_limit_reached',
  'withdrawal_repeated',
  'withdrawal_not_confirmed',
];

test('there is a file for each of the seventeen languages but English', () => {
  assert.equal(LANGUAGES.length, 17);
  assert.deepEqual(
    Object.keys(translations).sort(),
    LANGUAGES.filter((language) => language !== 'en').sort(),
  );
});

for (const [language, texts] of Object.entries(translations)) {
  test(`${language} translates texts that exist, with the same holes`, () => {
    for (const [key, text] of Object.entries(texts)) {
      assert.ok(Object.hasOwn(errors, key), `${key} is not in the catalogue`);
      const english = errors[key as ErrorKey].text;
      const holes = (of: string) => (of.match(HOLES) ?? []).sort();
      assert.deepEqual(holes(text), holes(english), `${language} ${key}`);
      assert.notEqual(text, english, `${language} ${key}`);
    }
  });

  test(`${language} lacks exactly what is listed as missing`, () => {
    const untold = new Set<string>([...ofKeys, ...FOR_PROGRAMMERS, ...FOR_OPERATORS]);
    const missing = ERROR_KEYS.filter((key) => !Object.hasOwn(texts, key) && !untold.has(key));
    assert.deepEqual([...missing].sort(), [...MISSING].sort());
  });
}

test('a session is answered in its language, and told which it is', () => {
  assert.deepEqual(errorAnswer('symbol_invalid', 'de', { symbol: 'x-y' }), {
    status: 400,
    body: { message: 'Ungültiges Handelspaar: x-y', lang: 'de', code: 1002 },
  });
});

test('what a language does not have is said in English, and called so', () => {
  assert.deepEqual(errorAnswer('several_credentials', 'de').body, {
    message: 'Access denied: Multiple authentication methods were sent',
    lang: 'en',
    code: 91,
  });
});
