// Stored choices survive, and invalid stored values fall back to the first choice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directionOf, readPreferences } from './preferences.ts';

test('the language follows the browser until the user chooses one', () => {
  assert.equal(readPreferences(null, ['fr-FR', 'de-AT', 'en']).language, 'de');
  assert.equal(readPreferences(null, ['fr']).language, 'en');
  assert.equal(readPreferences('{"language":"fa"}', ['de']).language, 'fa');
});

test('unknown values fall back to the first choice', () => {
  for (const stored of [null, '', '{', '[]', '7', 'null', '{"theme":"pink","confirms":"no"}']) {
    const { confirms, density, theme } = readPreferences(stored, []);
    assert.deepEqual([theme, confirms, density], ['dark', true, 'compact'], String(stored));
  }
});

test('Arabic script runs from right to left', () => {
  assert.deepEqual(
    [directionOf('fa'), directionOf('ar'), directionOf('ja')],
    ['rtl', 'rtl', 'ltr'],
  );
});

test('an app with fewer languages uses only those', () => {
  const stored = JSON.stringify({ language: 'ja', theme: 'light' });
  const { language, theme } = readPreferences(stored, ['de', 'fa-IR'], ['en', 'fa']);
  assert.deepEqual([language, theme], ['fa', 'light']);
  assert.equal(readPreferences(null, ['de'], ['en', 'fa']).language, 'en');
});
