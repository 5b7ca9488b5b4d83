// Every language has exactly the English keys with the same places for values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill, LoadedWords, loadWords } from './catalogue.ts';
import { LANGUAGES } from './preferences.ts';
import { AREAS } from './word-files.ts';

function placesOf(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
}

for (const language of LANGUAGES) {
  test(`${language} says everything that English says`, async () => {
    const [english, words] = [await loadWords('en', AREAS), await loadWords(language, AREAS)];
    assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(words)) {
      assert.notEqual(text.trim(), '', key);
      assert.deepEqual(placesOf(text), placesOf(english[key as keyof typeof english]), key);
    }
  });
}

test('values go into their places, isolated where text runs from right to left', () => {
  assert.equal(fill('Buy {size} {coin}', { size: '0.1', coin: 'BTC' }, 'ltr'), 'Buy 0.1 BTC');
  assert.equal(fill('{a}', { a: '-1' }, 'rtl'), '\u2066-1\u2069');
  assert.equal(fill('{age}', { age: '97 ثانیه' }, 'rtl'), '\u206897 ثانیه\u2069');
  assert.equal(fill('{missing}', {}, 'ltr'), '{missing}');
});

test('areas are added to the words of a language once', async () => {
  const loaded = new LoadedWords('de');
  await loaded.add(['shell']);
  assert.equal(loaded.words['shell.close'], 'Schließen');
  assert.equal(loaded.words['trade.buy'], undefined);
  await Promise.all([loaded.add(['trade']), loaded.add(['trade', 'shell'])]);
  assert.equal(loaded.words['trade.buy'], 'Kaufen');
  assert.deepEqual(loaded.areas, ['shell', 'trade']);
});
