// Tests that tokens open as sealed, with the key that sealed them, in one encoding only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openQuote, quoteOrderId, type SealedQuote, sealQuote } from './quote-token.ts';

const KEY = new Uint8Array(32).fill(7);

const anyQuote = fc.record(
  {
    user: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    market: fc.integer({ min: 1, max: 4_096 }),
    side: fc.constantFrom('buy', 'sell'),
    sizeLots: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    quoteAtoms: fc.bigInt({ min: 1n, max: 1n << 62n }),
    expiresAtMs: fc.integer({ min: 1, max: 8_640_000_000_000_000 }),
  },
  { noNullPrototype: true },
) as fc.Arbitrary<SealedQuote>;

test('a token opens with the sealed values', () => {
  fc.assert(
    fc.property(anyQuote, (quote) => {
      const token = sealQuote(KEY, quote);
      assert.deepEqual(openQuote([KEY], token), quote);
      assert.equal(token.length, 83);
    }),
  );
});

test('a changed token is invalid', () => {
  const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
  fc.assert(
    fc.property(anyQuote, fc.nat(82), fc.constantFrom(...alphabet), (quote, at, letter) => {
      const token = sealQuote(KEY, quote);
      fc.pre(token[at] !== letter);
      assert.equal(openQuote([KEY], token.slice(0, at) + letter + token.slice(at + 1)), undefined);
    }),
  );
});

test('another encoding of the same bytes is not a token, so a quote has one ID', () => {
  const [quote] = fc.sample(anyQuote, { numRuns: 1, seed: 1 });
  const token = sealQuote(KEY, quote);
  const last = token.charCodeAt(token.length - 1);
  const others = [`${token}=`, `${token} `, ` ${token}`, `${token}\n`, token.replaceAll('_', '/')];
  others.push(token.slice(0, -1) + String.fromCharCode(last + 1), '', 'AQ', token + token);
  for (const other of others) {
    if (other !== token) assert.equal(openQuote([KEY], other), undefined, other);
  }
});

test('another key opens nothing, and a key from before a rotation still works', () => {
  const OTHER = new Uint8Array(32).fill(8);
  const [quote] = fc.sample(anyQuote, { numRuns: 1, seed: 2 });
  assert.equal(openQuote([OTHER], sealQuote(KEY, quote)), undefined);
  assert.deepEqual(openQuote([OTHER, KEY], sealQuote(KEY, quote)), quote);
});

test('each token has an ID that is a valid client order ID', () => {
  const [quote] = fc.sample(anyQuote, { numRuns: 1, seed: 3 });
  const ids = new Set(Array.from({ length: 100 }, () => quoteOrderId(sealQuote(KEY, quote))));
  assert.equal(ids.size, 100, 'the same quote twice has two IDs');
  for (const id of ids) assert.match(id, /^q[0-9a-f]{32}$/);
});
