// Every console language has exactly the English keys with the same placeholders, and no key
// shadows a key from `apps/ui`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadWords } from '../ui/catalogue.ts';
import { AREAS } from '../ui/word-files.ts';
import { knownWord, LANGUAGES, loadOwnWords } from './catalogue.ts';

function placesOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)[|}]/g)].map(([, name]) => name))].sort();
}

for (const language of LANGUAGES) {
  test(`${language} has every English key`, async () => {
    const [english, words] = [await loadOwnWords('en'), await loadOwnWords(language)];
    assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(words)) {
      assert.notEqual(text.trim(), '', key);
      assert.deepEqual(placesOf(text), placesOf(english[key as keyof typeof english]), key);
    }
  });
}

test('no console key shadows a shared key', async () => {
  const own = Object.keys(await loadOwnWords('en'));
  const kit = await loadWords('en', AREAS);
  assert.deepEqual(
    own.filter((key) => Object.hasOwn(kit, key)),
    [],
  );
});

test('a key from data has a text or undefined', () => {
  assert.equal(knownWord('queue.mails'), 'queue.mails');
  assert.equal(knownWord('queue.of tomorrow'), undefined);
  assert.equal(knownWord('toString'), undefined);
});
