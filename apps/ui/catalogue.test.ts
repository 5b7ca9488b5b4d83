// Every language has exactly the English keys with the same placeholders.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill, LoadedWords, loadWords, pluralForms } from './catalogue.ts';
import { LANGUAGES } from './preferences.ts';
import { AREAS } from './word-files.ts';

function placesOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)[|}]/g)].map(([, name]) => name))].sort();
}

for (const language of LANGUAGES) {
  test(`${language} has every English key`, async () => {
    const [english, words] = [await loadWords('en', AREAS), await loadWords(language, AREAS)];
    assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(words)) {
      assert.notEqual(text.trim(), '', key);
      assert.deepEqual(placesOf(text), placesOf(english[key as keyof typeof english]), key);
    }
  });
}

test('values replace their placeholders, isolated in right-to-left text', () => {
  assert.equal(fill('Buy {size} {coin}', { size: '0.1', coin: 'BTC' }, 'en'), 'Buy 0.1 BTC');
  assert.equal(fill('{a}', { a: '-1' }, 'fa'), '\u2066-1\u2069');
  assert.equal(fill('{age}', { age: '97 ثانیه' }, 'fa'), '\u206897 ثانیه\u2069');
  assert.equal(fill('{missing}', {}, 'en'), '{missing}');
});

for (const language of LANGUAGES) {
  test(`plurals in ${language} have every form of the language`, async () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, text] of Object.entries(await loadWords(language, AREAS))) {
      for (const [, forms] of text.matchAll(/\{\w+\|([^}]*)\}/g)) {
        const categories = [...pluralForms(forms).keys()].sort();
        assert.deepEqual(categories, [...pluralCategories].sort(), key);
      }
    }
  });
}

test('a plural follows the number and the language', async () => {
  const table = [
    ['en', 1, '1 day'],
    ['en', 2, '2 days'],
    ['de', 1, '1 Tag'],
    ['es', 1_000_000, '1000000 días'],
    ['ar', 1, 'يوم واحد'],
    ['ar', 2, 'يومان'],
    ['ar', 3, '\u20663\u2069 أيام'],
    ['ar', 11, '\u206611\u2069 يومًا'],
    ['ar', 100, '\u2066100\u2069 يوم'],
    ['fa', 2, '\u20662\u2069 روز'],
    ['ja', 2, '2 日'],
  ] as const;
  for (const [language, days, text] of table) {
    const words = await loadWords(language, ['money']);
    assert.equal(fill(words['stake.days'], { days }, language), text);
    assert.equal(fill(words['stake.days'], { days: String(days) }, language), text);
  }
});

test("each area is added to a language's texts once", async () => {
  const loaded = new LoadedWords('de');
  await loaded.add(['shell']);
  assert.equal(loaded.words['shell.close'], 'Schließen');
  assert.equal(loaded.words['trade.buy'], undefined);
  await Promise.all([loaded.add(['trade']), loaded.add(['trade', 'shell'])]);
  assert.equal(loaded.words['trade.buy'], 'Kaufen');
  assert.deepEqual(loaded.areas, ['shell', 'trade']);
});
