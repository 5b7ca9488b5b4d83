// Tests causes of deposits: which spellings are the same cause and which are not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CauseParts, causeOf, namesTransaction } from './causes.ts';

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const BASE64 = Buffer.from(HASH, 'hex').toString('base64');
const SOLANA =
  '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const PARTS: CauseParts = { transactionId: HASH };

const table: [what: string, parts: Partial<CauseParts>, cause: string][] = [
  ['unchanged', {}, `/${HASH}/0`],
  ['upper case', { transactionId: HASH.toUpperCase() }, `/${HASH}/0`],
  ['0x', { transactionId: `0x${HASH}` }, `/${HASH}/0`],
  ['0X', { transactionId: `0X${HASH.toUpperCase()}` }, `/${HASH}/0`],
  ['blanks', { transactionId: ` ${HASH.slice(0, 9)} ${HASH.slice(9)}\n` }, `/${HASH}/0`],
  ['an invisible character', { transactionId: `${HASH}\u200b` }, `/${HASH}/0`],
  ['wide characters', { transactionId: HASH.replace('9', '\uff19') }, `/${HASH}/0`],
  ['Base64', { transactionId: BASE64 }, `/${HASH}/0`],
  [
    'URL-safe Base64',
    { transactionId: Buffer.from(HASH, 'hex').toString('base64url') },
    `/${HASH}/0`,
  ],
  ['Base64 with an invisible character', { transactionId: `${BASE64}\u200b` }, `/${HASH}/0`],
  [
    'Base64 with a soft hyphen and a space',
    { transactionId: `${BASE64.slice(0, 9)}\u00ad ${BASE64.slice(9)}` },
    `/${HASH}/0`,
  ],
  ['Base64 in wide characters', { transactionId: wide(BASE64) }, `/${HASH}/0`],
  ['a block explorer URL', { transactionId: `https://etherscan.io/tx/0x${HASH}` }, `/${HASH}/0`],
  [
    'a URL with a query',
    { transactionId: `https://tronscan.org/#/transaction/${HASH}?lang=en` },
    `/${HASH}/0`,
  ],
  [
    'a URL with a block and a transaction',
    { transactionId: `explorer://x/block/${'a'.repeat(64)}/tx/${HASH}` },
    `/${HASH}/0`,
  ],
  [
    'a URL with Base64',
    { transactionId: `https://tonviewer.com/transaction/${encodeURIComponent(BASE64)}` },
    `/${HASH}/0`,
  ],
  ['with an output: #0', { transactionId: `${HASH}#0` }, `/${HASH}/0`],
  ['with an output: /1', { transactionId: `0x${HASH}/1` }, `/${HASH}/0`],
  ['with an output: :7', { transactionId: `${HASH}:7` }, `/${HASH}/0`],
  ['with an output: -2', { transactionId: `${HASH}-2` }, `/${HASH}/0`],
  ['with an output after a space', { transactionId: `${HASH} 2` }, `/${HASH}/0`],
  ['Base64 with an output', { transactionId: `${BASE64}#1` }, `/${HASH}/0`],
  ['a long ID', { transactionId: SOLANA }, `/${SOLANA.toLowerCase()}/0`],
  [
    'a long ID in a URL',
    { transactionId: `https://solscan.io/tx/${SOLANA}?cluster=main#0` },
    `/${SOLANA.toLowerCase()}/0`,
  ],
  ['output 0', { output: '0' }, `/${HASH}/0`],
  ['output 00', { output: '00' }, `/${HASH}/0`],
  ['output 7', { output: '007' }, `/${HASH}/7`],
  ['output 1 with a space', { output: ' 1\u200b' }, `/${HASH}/1`],
  ['0x before a short text', { transactionId: '0xAB' }, '/0xab/0'],
  ['a bank transfer', { transactionId: 'SEPA 7' }, '/sepa7/0'],
  ['a bank transfer with a slash', { transactionId: '2026/12' }, '/2026/12/0'],
];
for (const [what, parts, cause] of table) {
  test(`${what}: ${cause}`, () => assert.equal(causeOf({ ...PARTS, ...parts }), cause));
}

test('an output is a number in digits, and another spelling identifies nothing', () => {
  for (const output of ['0x1', '1.0', '1e0', '+1', '-1', 'trace.0.1', '1/1']) {
    assert.throws(() => causeOf({ ...PARTS, output }), RangeError, output);
  }
});

test('a text without visible characters names no transaction', () => {
  for (const text of ['', ' ', '\u200b\t']) assert.equal(namesTransaction(text), false);
  assert.equal(namesTransaction('0'), true);
});

test('a cause built from a cause is the same cause', () => {
  const texts = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(texts, fc.nat(), (transactionId, output) => {
      const [, first, last] = /^\/(.*)\/([^/]*)$/s.exec(
        causeOf({ ...PARTS, transactionId, output: `${output}` }),
      ) as RegExpExecArray;
      assert.equal(causeOf({ ...PARTS, transactionId: first, output: last }), `/${first}/${last}`);
    }),
  );
});

test('two hashes never have the same cause', () => {
  const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(hashes, hashes, (one, other) => {
      const spell = (hash: Buffer) => [
        hash.toString('hex'),
        `0x${hash.toString('hex').toUpperCase()}`,
        hash.toString('base64'),
      ];
      const causes = (hash: Buffer) =>
        new Set(spell(hash).map((transactionId) => causeOf({ ...PARTS, transactionId })));
      assert.equal(causes(one).size, 1);
      assert.equal(causes(one).isDisjointFrom(causes(other)), !one.equals(other));
    }),
  );
});

/** The same letters and digits as full-width characters. */
function wide(text: string): string {
  return text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
}
