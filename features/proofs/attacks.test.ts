// Attacks of a dishonest exchange, with the party that detects each one: the user from the proof
// file, anyone from two publications, or an auditor with the log, the words and the seed.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  findPublicationConflicts,
  type LiabilityProofFile,
  verifyLiabilityProof,
} from '../../client/index.ts';
import {
  type BuiltTree,
  builtTree,
  documentOf,
  type ModelAccount,
  modelLeaves,
  modelLevels,
  modelNode,
  modelPath,
  proofFile,
  publishedAsset,
  TEST_SIGNER,
} from './model-for-test.ts';

const SEED = Buffer.alloc(32, 7);
const OTHER_SEED = Buffer.alloc(32, 8);
const ACCOUNTS: readonly ModelAccount[] = [
  { user: 11, atoms: 500n, word: 'ada@example.com' },
  { user: 12, atoms: 300n, word: 'ben@example.com' },
  { user: 13, atoms: 200n, word: 'cy@example.com' },
];
const TREE = builtTree('btc', ACCOUNTS, SEED);
const ETH = builtTree('eth', [ACCOUNTS[0]], SEED);

type Draft = { -readonly [Key in keyof LiabilityProofFile]: LiabilityProofFile[Key] };
// biome-ignore lint/suspicious/noExplicitAny: attacks change any field of the file.
type Malleable = any;

function copyOf(file: LiabilityProofFile): Malleable {
  return structuredClone(file) as Draft;
}

const honest = () => copyOf(proofFile({ btc: TREE, eth: ETH }, 11, SEED));

/** Signs other totals or roots with the real key: the exchange itself is the attacker. */
function signedAgain(file: Malleable, change: (document: Malleable) => void): Malleable {
  const document = JSON.parse(file.document);
  change(document);
  const signed = TEST_SIGNER.sign(document);
  return { ...file, document: signed.document, signature: signed.signature };
}

async function findingsOf(file: LiabilityProofFile, word = 'ada@example.com', expected = {}) {
  const { amounts, findings, isValid } = await verifyLiabilityProof(file, { word, ...expected });
  assert.equal(isValid, findings.length === 0);
  assert.equal(amounts.length > 0, isValid);
  return findings.map(({ asset, problem }) =>
    asset === undefined ? problem : `${problem} ${asset}`,
  );
}

test('an honest proof is valid and shows the exact amounts', async () => {
  const { amounts, findings } = await verifyLiabilityProof(honest(), { word: 'ada@example.com' });
  assert.deepEqual(findings, []);
  assert.deepEqual(
    amounts.map(({ amount, asset }) => `${asset} ${amount}`),
    ['btc 0.000005', 'eth 0.000005'],
  );
});

/** A tree in which the exchange writes any leaves it wants, with its proof for user 11. */
function forgedTree(change: (leaves: Malleable[]) => void): Malleable {
  const leaves = modelLeaves('btc', ACCOUNTS, SEED);
  change(leaves);
  const levels = modelLevels(leaves);
  const [root] = levels.at(-1)!;
  const file = honest();
  for (const chunk of file.assets[0].chunks) {
    chunk.path = modelPath(levels, chunk.place).map(({ atoms, hash }) => ({
      atoms: `${atoms}`,
      hash: hash.toString('hex'),
    }));
  }
  return signedAgain(file, (document) => {
    const published = publishedAsset('btc', root.hash, { ...TREE, totalAtoms: root.atoms });
    document.assets[0] = published;
  });
}

const DETECTED_BY_USER: Record<string, [() => LiabilityProofFile, string]> = {
  'a smaller amount than the user has': [
    () => {
      const file = honest();
      file.assets[0].chunks[0].atoms = `${BigInt(file.assets[0].chunks[0].atoms) - 1n}`;
      return file;
    },
    'root_mismatch btc',
  ],
  'a negative amount next to the user': [
    () => {
      const file = honest();
      file.assets[0].chunks[0].path[0].atoms = '-100';
      return file;
    },
    'amount_out_of_range btc',
  ],
  'an amount above 2^62, which would be negative as a signed number': [
    () => {
      const file = honest();
      file.assets[0].chunks[0].path[0].atoms = `${2n ** 64n - 100n}`;
      return file;
    },
    'amount_out_of_range btc',
  ],
  'a sum that overflows': [
    () => {
      const file = honest();
      for (const node of file.assets[0].chunks[0].path) node.atoms = `${2n ** 62n}`;
      return file;
    },
    'sum_too_large btc',
  ],
  'a total that is smaller than the leaves': [
    () =>
      signedAgain(honest(), ({ assets: [btc] }) => {
        btc.total = '900';
        btc.issued = '907';
      }),
    'total_mismatch btc',
  ],
  'swapped amounts of two siblings': [
    () => {
      const file = honest();
      const [chunk] = file.assets[0].chunks;
      [chunk.path[0].atoms, chunk.atoms] = [chunk.atoms, chunk.path[0].atoms];
      return file;
    },
    'root_mismatch btc',
  ],
  'a leaf of another user': [
    () => ({ ...copyOf(proofFile({ btc: TREE }, 12, SEED)), user_id: 11 }),
    'root_mismatch btc',
  ],
  'one leaf shown to two users who share a user ID': [
    () => copyOf(proofFile({ btc: TREE }, 12, SEED)),
    'root_mismatch btc',
  ],
  'one leaf shown as two chunks': [
    () => {
      const file = honest();
      file.assets[0].chunks[1] = file.assets[0].chunks[0];
      return file;
    },
    'chunks_invalid btc',
  ],
  'a chunk that is left out': [
    () => {
      const file = honest();
      file.assets[0].chunks.pop();
      return file;
    },
    'chunks_invalid btc',
  ],
  'a user ID that wraps around in a leaf': [
    () => ({ ...honest(), user_id: 11 + 2 ** 32 }),
    'file_malformed',
  ],
  'a path from another publication': [
    () => {
      const file = honest();
      const tree = builtTree('btc', ACCOUNTS, OTHER_SEED);
      file.assets = copyOf(proofFile({ btc: tree }, 11, OTHER_SEED)).assets;
      return file;
    },
    'root_mismatch btc',
  ],
  'a document of another publication': [
    () => {
      const other = proofFile({ btc: TREE, eth: ETH }, 11, SEED, { frame: 9_000 });
      return { ...honest(), document: other.document, signature: other.signature };
    },
    'frame_mismatch',
  ],
  'a path of another asset': [
    () => {
      const file = honest();
      file.assets[1].chunks = file.assets[0].chunks;
      return file;
    },
    'chunks_invalid eth',
  ],
  'an inner node shown as a leaf': [
    () => {
      const file = honest();
      for (const chunk of file.assets[0].chunks) chunk.path.shift();
      return file;
    },
    'path_length_wrong btc',
  ],
  'a changed document': [
    () => {
      const file = honest();
      file.document = file.document.replace('"total":"1000"', '"total":"1001"');
      return file;
    },
    'signature_invalid',
  ],
  'house accounts that do not add up': [
    () => signedAgain(honest(), ({ assets: [btc] }) => (btc.house[0].atoms = '1')),
    'total_mismatch btc',
  ],
  'a negative house account': [
    () =>
      signedAgain(honest(), ({ assets: [btc] }) => {
        btc.house = [{ user_id: 1, atoms: '-500' }];
        btc.issued = '502';
      }),
    'amount_out_of_range btc',
  ],
  'one asset listed twice': [
    () => signedAgain(honest(), ({ assets }) => assets.push(assets[0])),
    'asset_unknown btc',
  ],
};

for (const [attack, [fileOf, finding]] of Object.entries(DETECTED_BY_USER)) {
  test(`the user detects ${attack}`, async () => {
    assert.deepEqual(await findingsOf(fileOf()), [finding]);
  });
}

test('a leaf that was made for another word is not valid for this user', async () => {
  assert.deepEqual(await findingsOf(honest(), 'eve@example.com'), [
    'root_mismatch btc',
    'root_mismatch eth',
  ]);
});

test('a publication made for one user differs from the key or hash seen elsewhere', async () => {
  const { publicKey } = TEST_SIGNER;
  const hash = (await verifyLiabilityProof(honest(), { word: 'ada@example.com' })).publicationHash;
  const expected = { publicKey, publicationHash: hash };
  assert.deepEqual(await findingsOf(honest(), 'ada@example.com', expected), []);
  const wrong = { publicKey: '00'.repeat(32), publicationHash: '00'.repeat(32) };
  assert.deepEqual(await findingsOf(honest(), 'ada@example.com', wrong), [
    'key_unexpected',
    'publication_unexpected',
  ]);
});

test('two roots for one frame and a forked chain show in two publications', async () => {
  const textOf = (changes: object, tree: BuiltTree = TREE) =>
    JSON.stringify(documentOf([publishedAsset('btc', tree.root, tree)], changes));
  const shorter = builtTree('btc', ACCOUNTS.slice(1), SEED);
  assert.deepEqual(await findPublicationConflicts([textOf({}), textOf({})]), []);
  assert.deepEqual(await findPublicationConflicts([textOf({}), textOf({}, shorter)]), [
    { frame: 4_200, problem: 'two_publications' },
  ]);
  const next = { frame: 5_000, previous: 'aa'.repeat(32) };
  const fork = { frame: 6_000, previous: 'aa'.repeat(32) };
  assert.deepEqual(await findPublicationConflicts([textOf({}), textOf(next), textOf(fork)]), [
    { frame: 6_000, problem: 'chain_broken' },
  ]);
});

test('an omitted account changes the root, which other users cannot see', async () => {
  const omitted = builtTree('btc', ACCOUNTS.slice(0, 2), SEED);
  const file = copyOf(proofFile({ btc: omitted, eth: ETH }, 11, SEED));
  assert.deepEqual(await findingsOf(file), []);
  assert.notEqual(omitted.root.toString('hex'), TREE.root.toString('hex'));
  const { assets } = proofFile({ btc: omitted }, 13, SEED);
  assert.deepEqual(assets, []);
  const empty = proofFile({ btc: omitted }, 13, SEED);
  assert.deepEqual(await findingsOf(empty, 'cy@example.com'), ['nothing_proven']);
});

test('a wrong amount in another leaf changes the root, which this user cannot see', async () => {
  const own = new Set(TREE.records[0].places);
  const forged = forgedTree((leaves) => {
    const other = leaves.findIndex((leaf, place) => !own.has(place) && leaf.atoms > 0n);
    leaves[other] = { ...leaves[other], atoms: leaves[other].atoms - 1n };
  });
  assert.deepEqual(await findingsOf(forged), []);
  assert.notEqual(JSON.parse(forged.document).assets[0].root, TREE.root.toString('hex'));
});

test('the root depends on the order of its children', () => {
  const [left, right] = modelLeaves('btc', ACCOUNTS, SEED);
  assert.notDeepEqual(modelNode(left, right).hash, modelNode(right, left).hash);
});
