// The tree compared with a slow model, at every size around a block's edge; and golden vectors that
// later releases must still produce and accept.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import fc from 'fast-check';
import { verifyLiabilityProof } from '../../client/index.ts';
import { chosenSeed } from '../../testing/flows/index.ts';
import { SUM_MAX } from './leaf.ts';
import { findRecord, RECORD_BYTES } from './liability-tree.ts';
import {
  builtTree,
  type ModelAccount,
  modelLeaves,
  modelLevels,
  modelPath,
  proofFile,
} from './model-for-test.ts';

const SEED = Buffer.alloc(32, 7);

function accountsFrom(atoms: readonly bigint[]): ModelAccount[] {
  return atoms.map((amount, index) => ({
    user: index * 3 + 2,
    atoms: amount,
    word: `user${index}@example.com`,
  }));
}

function assertEqualsModel(accounts: readonly ModelAccount[], seed: Buffer): void {
  const tree = builtTree('btc', accounts, seed);
  const levels = modelLevels(modelLeaves('btc', accounts, seed));
  const [root] = levels.at(-1)!;
  assert.equal(tree.root.toString('hex'), root.hash.toString('hex'));
  assert.equal(tree.totalAtoms, root.atoms);
  assert.equal(tree.depth, levels.length - 1);
  const places = tree.records.flatMap((record) => record.places);
  assert.equal(new Set(places).size, accounts.length * 2);
  for (const place of places.slice(0, 20)) {
    assert.deepEqual(tree.pathOf(place), modelPath(levels, place));
  }
}

test('root, total and paths equal the model', () => {
  const atoms = fc.oneof(
    fc.bigInt({ min: 1n, max: 1_000n }),
    fc.bigInt({ min: 1n, max: SUM_MAX / 64n }),
  );
  const property = fc.property(
    fc.array(atoms, { maxLength: 60 }),
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    (amounts, seed) => assertEqualsModel(accountsFrom(amounts), Buffer.from(seed)),
  );
  fc.assert(property, { seed: chosenSeed(), numRuns: 50 });
});

for (const accounts of [0, 1, 2, 511, 512, 513, 1_024, 1_025]) {
  test(`a tree of ${accounts} accounts equals the model across the edges of its blocks`, () => {
    const amounts = Array.from({ length: accounts }, (_, index) => BigInt(index * 7 + 1));
    assertEqualsModel(accountsFrom(amounts), SEED);
  });
}

test('an asset with the maximum total is published, and one atom more is refused', () => {
  const most = accountsFrom([SUM_MAX - 1n, 1n]);
  assert.equal(builtTree('btc', most, SEED).totalAtoms, SUM_MAX);
  assert.throws(() => builtTree('btc', accountsFrom([SUM_MAX, 1n]), SEED), /exceeds 2\^62/);
  assert.throws(() => builtTree('btc', accountsFrom([SUM_MAX + 1n]), SEED), /more than 2\^62/);
});

test('users that do not ascend are refused, so none can be counted twice', () => {
  const [one] = accountsFrom([5n]);
  assert.throws(() => builtTree('btc', [one, one], SEED), /ascend/);
});

test('a record is found by its user, and by no other', () => {
  const { records } = builtTree('btc', accountsFrom([5n, 6n, 7n]), SEED);
  const bytes = Buffer.alloc(3 * RECORD_BYTES);
  for (const [at, { user }] of records.entries()) bytes.writeUInt32BE(user, at * RECORD_BYTES);
  const found = [1, 2, 3, 5, 8, 9].map((user) => findRecord(bytes, user)?.user);
  assert.deepEqual(found, [undefined, 2, undefined, 5, 8, undefined]);
});

test('the golden proof is produced byte for byte, and verified', async () => {
  const golden = JSON.parse(readFileSync(`${import.meta.dirname}/golden/proof.json`, 'utf8'));
  const accounts = accountsFrom([150_000_000n, 7n, 99_999_999_999n, 1n, 42n]);
  const trees = { btc: builtTree('btc', accounts, SEED), usdt: builtTree('usdt', accounts, SEED) };
  const proof = proofFile(trees, 8, SEED);
  assert.deepEqual(proof, golden);
  const { amounts, findings, publicationHash } = await verifyLiabilityProof(golden, {
    word: 'user2@example.com',
  });
  assert.deepEqual(findings, []);
  assert.deepEqual(
    amounts.map(({ amount, asset }) => `${asset} ${amount}`),
    ['btc 999.99999999', 'usdt 999.99999999'],
  );
  assert.equal(publicationHash, GOLDEN_HASH);
});

const GOLDEN_HASH = '8f990425b06e07a2b83d41226e8412f6c402aef1bef970aa5b001bc4b028149c';
