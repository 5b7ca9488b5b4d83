// Language files translate existing keys, with the placeholders of the English text. Missing keys
// are listed in docs/api/translations.md; they fail no test.

import assert from 'node:assert/strict';
import test from 'node:test';
import { type ErrorKey, errorAnswer, errors } from '../errors.ts';
import { missingTranslations, translations } from './translations.ts';

const PLACEHOLDERS = /\{[a-z_]+\}/g;

test('sixteen languages are translated', () => {
  assert.deepEqual(
    Object.keys(translations),
    'de es fa fr id it ja ko mn nl pt ru tr ur vi zh'.split(' '),
  );
});

for (const [language, texts] of Object.entries(translations)) {
  test(`${language}.json has only known keys, and the placeholders of the English text`, () => {
    for (const [key, text] of Object.entries(texts)) {
      assert.ok(Object.hasOwn(errors, key), `${key} is not in the catalog`);
      const english = errors[key as ErrorKey].text;
      const placeholders = (of: string) => (of.match(PLACEHOLDERS) ?? []).sort();
      assert.deepEqual(placeholders(text), placeholders(english), `${language} ${key}`);
      assert.notEqual(text, english, `${language} ${key}`);
    }
  });
}

test('words that clients search for in a message are kept in every language', () => {
  for (const [language, texts] of Object.entries(translations)) {
    for (const [key, text] of Object.entries(texts)) {
      const english = errors[key as ErrorKey].text;
      for (const word of ['OTP', 'captcha']) {
        if (english.includes(word)) assert.ok(text.includes(word), `${language} ${key}: ${word}`);
      }
    }
  }
});

test('texts that only programs and operators see are not missing in any language', () => {
  const missing = missingTranslations('de', errors);
  assert.ok(!missing.includes('several_credentials'));
  assert.ok(!missing.includes('deposit_not_found'));
  assert.ok(!missing.includes('symbol_invalid'));
  assert.deepEqual(missingTranslations('xx', { a: { status: 400, code: 1, text: 'A' } }), ['a']);
});

test('a session gets its language, and `lang` names it', () => {
  assert.deepEqual(errorAnswer('symbol_invalid', 'de', { symbol: 'x-y' }), {
    status: 400,
    body: { message: 'Ungültiges Handelspaar: x-y', lang: 'de', code: 1002 },
  });
});

test('a missing translation falls back to English, and `lang` is en', () => {
  assert.deepEqual(errorAnswer('several_credentials', 'de').body, {
    message: 'Access denied: Multiple authentication methods were sent',
    lang: 'en',
    code: 91,
  });
});
