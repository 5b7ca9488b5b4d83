// Tests the custody file: its form, its quorum of signatures, and that its hash follows its
// contents.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApproverKey } from './approver-keys.ts';
import { parseCustodyFile, parseNextCustodyFile } from './custody-file.ts';
import {
  ACCOUNT_FOR_TEST,
  custodyFileForTest,
  type Document,
  documentForTest,
  payingDocumentForTest,
  signedForTest,
} from './custody-file-for-test.ts';

function changed(change: (document: Document) => void): Document {
  const document = documentForTest();
  change(document);
  return document;
}

test('a file signed by the quorum has its networks, coins and limits', () => {
  const file = custodyFileForTest();
  const [eth, usdt] = file.coins;
  assert.equal(file.networks.get('eth')?.chainId, 31337);
  assert.equal(file.networks.get('eth')?.final, 'finalized');
  assert.equal(eth.contract, undefined);
  assert.deepEqual(eth.credit, {
    minAtoms: 1_000_000n,
    reviewAtoms: 1_000_000_000n,
    hourAtoms: 2_500_000_000n,
  });
  assert.equal(usdt.contract, `0x${'da'.repeat(20)}`);
});

test('the hash ignores spaces and the order of fields, and nothing else', () => {
  const { hash } = custodyFileForTest();
  const reversed = Object.fromEntries(Object.entries(documentForTest()).reverse());
  const signed = JSON.parse(signedForTest(documentForTest()));
  const reordered = JSON.stringify({ signatures: signed.signatures, document: reversed });
  assert.equal(parseCustodyFile(reordered).hash, hash);
  const next = changed((document) => void (document.version = 2));
  assert.notEqual(parseCustodyFile(signedForTest(next)).hash, hash);
});

test('a document that differs from the signed one is rejected', () => {
  const signed = JSON.parse(signedForTest(documentForTest()));
  signed.document.coins[0].credit.people = '1000000';
  const text = JSON.stringify(signed);
  assert.throws(() => parseCustodyFile(text), /a1: the signature does not match this document/);
});

test('fewer signatures than the quorum are rejected', () => {
  const text = signedForTest(documentForTest(), ['a1']);
  assert.throws(() => parseCustodyFile(text), /expected signatures of 2 approvers, received 1/);
});

test('a signature of someone else is rejected', () => {
  const signed = JSON.parse(signedForTest(documentForTest()));
  signed.signatures.a3 = signed.signatures.a1;
  assert.throws(() => parseCustodyFile(JSON.stringify(signed)), /a3: not an approver/);
});

const WRONG: [string, (document: Document) => void, RegExp][] = [
  [
    'a misspelled limit',
    (d) => (d.coins[0].credit.peple = '1'),
    /unknown field coins\[0\]\.credit\.peple/,
  ],
  [
    'a missing limit',
    (d) => delete d.coins[0].credit.hour,
    /expected the field coins\[0\]\.credit\.hour/,
  ],
  ['a limit of 0', (d) => (d.coins[0].credit.min = '0'), /an amount above 0/],
  ['too many decimals', (d) => (d.coins[1].credit.min = '0.0000001'), /6 decimals at most/],
  [
    'a private key',
    (d) => (d.networks.eth.xpub = ACCOUNT_FOR_TEST.privateExtendedKey),
    /never a private key/,
  ],
  ['another family', (d) => (d.networks.eth.family = 'bitcoin'), /networks\.eth\.family/],
  [
    'a coin of another network',
    (d) => (d.coins[0].network = 'bnb'),
    /expected a network of this file/,
  ],
  ['a coin that is listed twice', (d) => d.coins.push(d.coins[0]), /listed twice/],
  [
    'a contract that is listed twice',
    (d) => d.coins.push({ ...d.coins[1], asset: 9 }),
    /listed twice/,
  ],
  [
    'a contract in capitals',
    (d) => (d.coins[1].contract = `0x${'DA'.repeat(20)}`),
    /coins\[1\]\.contract/,
  ],
  [
    'one key of two approvers',
    (d) => (d.approvers.a2 = d.approvers.a1),
    /a different key for each approver/,
  ],
  ['a quorum above the approvers', (d) => (d.quorum = 3), /quorum: expected a number from 1 to 2/],
  ['a quorum of 0', (d) => (d.quorum = 0), /quorum: expected a number from 1 to 2/],
];

for (const [name, change, expected] of WRONG) {
  test(`${name} is rejected`, () => {
    assert.throws(() => parseCustodyFile(signedForTest(changed(change))), expected);
  });
}

const PAYERS = {
  hot: `0x${'ab'.repeat(20)}`,
  signer: createApproverKey().publicKey,
  witnesses: [createApproverKey().publicKey],
};

test('a file with payments has the hot wallet, fees and limits', () => {
  const file = parseCustodyFile(signedForTest(payingDocumentForTest(PAYERS)));
  const payments = file.networks.get('eth')?.payments;
  assert.equal(payments?.hot, PAYERS.hot);
  assert.equal(payments?.maxFeePerGas, 200_000_000_000n);
  assert.equal(payments?.feesOfDayUnits, 5n * 10n ** 17n);
  assert.deepEqual(file.coins[0].pay, {
    people: [
      { fromAtoms: 200_000_000n, approvers: 1 },
      { fromAtoms: 5_000_000_000n, approvers: 2 },
    ],
    hourAtoms: 500_000_000n,
    dayAtoms: 2_000_000_000n,
  });
});

const WRONG_PAYMENTS: [string, (document: Document) => void, RegExp][] = [
  ['a network with payments and no signer', (d) => delete d.signer, /expected the field signer/],
  ['a network with payments and no witness', (d) => (d.witnesses = []), /a key in witnesses/],
  [
    'a paid coin in a network without payments',
    (d) => delete d.networks.eth.payments,
    /the network eth has no payments/,
  ],
  [
    'a hot wallet that is also cold',
    (d) => d.networks.eth.payments.cold.push(PAYERS.hot),
    /a different address for each wallet/,
  ],
  [
    'a cold wallet at the zero address',
    (d) => (d.networks.eth.payments.cold = [`0x${'00'.repeat(20)}`]),
    /the zero address is not a wallet/,
  ],
  [
    'more approvers than there are',
    (d) => (d.coins[0].pay.people[1].approvers = 3),
    /needs more approvers than the file has/,
  ],
  [
    'a larger amount with fewer approvers',
    (d) => d.coins[0].pay.people.reverse(),
    /expected rising amounts and approvers/,
  ],
  [
    'a misspelled window',
    (d) => (d.coins[0].pay.week = '1'),
    /unknown field coins\[0\]\.pay\.week/,
  ],
];

for (const [name, change, expected] of WRONG_PAYMENTS) {
  test(`${name} is rejected`, () => {
    const document = payingDocumentForTest(PAYERS);
    change(document);
    assert.throws(() => parseCustodyFile(signedForTest(document)), expected);
  });
}

test('the next version needs the quorum of the version before', () => {
  const before = custodyFileForTest();
  const newKey = createApproverKey();
  const next = changed((document) => {
    document.version = 2;
    document.approvers = { a1: document.approvers.a1, a2: newKey.publicKey };
    document.quorum = 1;
  });
  const text = signedForTest(next, ['a1']);
  assert.equal(parseCustodyFile(text).version, 2);
  assert.throws(() => parseNextCustodyFile(text, before), /signatures of 2 approvers, received 1/);
  const same = signedForTest(changed((document) => void (document.version = 2)));
  assert.equal(parseNextCustodyFile(same, before).version, 2);
});
