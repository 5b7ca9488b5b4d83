// The pseudo-language is 40% longer and keeps its placeholders.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longer } from './longer-words.ts';

test('letters repeat until a text is 40% longer', () => {
  assert.equal(longer('Buy'), 'Buyy˙');
  const sentence = 'Withdrawal confirmed';
  const grown = longer(sentence).length / sentence.length;
  assert.ok(grown > 1.35 && grown < 1.5, String(grown));
});

test('placeholders are kept', () => {
  assert.match(longer('Maximum {amount} of {coin}'), /\{amount\}.*\{coin\}/);
  assert.match(longer('{days|one=# day|other=# days}'), /\{days\|one=# day\|other=# days\}/);
});
