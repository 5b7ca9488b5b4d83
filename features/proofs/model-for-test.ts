// A slow and obvious model of a liability tree, written from the decision page with node:crypto and
// objects, and publications that tests build in memory. Must share no code with the tree.

import { createCipheriv, createHash, createHmac } from 'node:crypto';
import type { LiabilityProofFile } from '../../client/index.ts';
import { accountProof } from './account-proof.ts';
import {
  type AccountRecord,
  buildLiabilityTree,
  type LiabilityTree,
  recordsOf,
} from './liability-tree.ts';
import { type PublicationDocument, PublicationSigner, type PublishedAsset } from './publication.ts';
import { blocksOfPath, pathOf, type TreeNode } from './sum-tree.ts';

export interface ModelAccount {
  readonly user: number;
  readonly atoms: bigint;
  readonly word: string;
}

const sha256 = (...parts: readonly Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest();
const number = (value: bigint | number, bytes: number) =>
  Buffer.from(
    BigInt(value)
      .toString(16)
      .padStart(bytes * 2, '0'),
    'hex',
  );
const name = (asset: string) => Buffer.from(asset.padEnd(16, '\0'));

export function modelLeaves(asset: string, accounts: readonly ModelAccount[], seed: Buffer) {
  const leaves = accounts.flatMap(({ atoms, user, word }) => {
    const secret = (which: number) =>
      createHmac('sha256', seed)
        .update(Buffer.concat([name(asset), number(user, 4), number(which, 1)]))
        .digest();
    const first = secret(1).readBigUInt64BE(0) % (atoms + 1n);
    return [first, atoms - first].map((part, chunk) => ({
      hash: sha256(
        Buffer.from('L'),
        name(asset),
        secret(0),
        number(user, 4),
        sha256(Buffer.from(word)),
        number(chunk, 2),
        number(part, 8),
      ),
      atoms: part,
    }));
  });
  const placed: TreeNode[] = [];
  for (const [index, place] of modelPlaces(asset, leaves.length, seed).entries()) {
    placed[place] = leaves[index];
  }
  return placed;
}

function modelPlaces(asset: string, count: number, seed: Buffer): number[] {
  const key = createHmac('sha256', seed).update(`places ${asset}`).digest();
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  const places = Array.from({ length: count }, (_, index) => index);
  for (let left = count; left > 1; left--) {
    let draw: number;
    do draw = stream.update(Buffer.alloc(4)).readUInt32BE();
    while (draw >= Math.floor(2 ** 32 / left) * left);
    const last = places[left - 1];
    places[left - 1] = places[draw % left];
    places[draw % left] = last;
  }
  return places;
}

export const ZERO: TreeNode = { hash: Buffer.alloc(32), atoms: 0n };

export function modelNode(left: TreeNode, right: TreeNode): TreeNode {
  const hash = sha256(
    Buffer.from('N'),
    left.hash,
    number(left.atoms, 8),
    right.hash,
    number(right.atoms, 8),
  );
  return { hash, atoms: left.atoms + right.atoms };
}

/** All levels of a tree, from the padded leaves to the root. */
export function modelLevels(leaves: readonly TreeNode[]): TreeNode[][] {
  const levels = [[...leaves]];
  while (levels[0].length === 0 || (levels[0].length & (levels[0].length - 1)) !== 0) {
    levels[0].push(ZERO);
  }
  for (let level = levels[0]; level.length > 1; levels.push(level)) {
    level = Array.from({ length: level.length / 2 }, (_, at) =>
      modelNode(level[at * 2], level[at * 2 + 1]),
    );
  }
  return levels;
}

export function modelPath(levels: readonly TreeNode[][], place: number): TreeNode[] {
  return levels.slice(0, -1).map((level, height) => level[(place >> height) ^ 1]);
}

export interface BuiltTree extends LiabilityTree {
  readonly records: readonly AccountRecord[];
  pathOf(place: number): TreeNode[];
}

/** Builds with the real code and keeps every block and record. */
export function builtTree(
  asset: string,
  accounts: readonly ModelAccount[],
  seed: Buffer,
): BuiltTree {
  const blocks = new Map<string, Buffer>();
  const records: AccountRecord[] = [];
  const users = Uint32Array.from(accounts, ({ user }) => user);
  const digests = Buffer.concat(accounts.map(({ word }) => sha256(Buffer.from(word))));
  const columns = { users, atoms: BigUint64Array.from(accounts, ({ atoms }) => atoms) };
  const parts = buildLiabilityTree(asset, columns, { users, digests }, seed);
  let step = parts.next();
  for (; step.done !== true; step = parts.next()) {
    const part = step.value;
    if ('nodes' in part) blocks.set(`${part.tier} ${part.block}`, Buffer.from(part.nodes));
    else records.push(...recordsOf(part.records));
  }
  const tree = step.value;
  return {
    ...tree,
    records,
    pathOf: (place) => {
      const found = blocksOfPath(tree.leaves, place).map(
        ({ block, tier }) => blocks.get(`${tier} ${block}`)!,
      );
      return pathOf(tree.leaves, place, found);
    },
  };
}

export const TEST_SIGNER = new PublicationSigner(Buffer.alloc(32, 0x33));

export function publishedAsset(
  asset: string,
  root: Buffer,
  tree: Omit<LiabilityTree, 'root'>,
): PublishedAsset {
  const { depth, leaves, totalAtoms } = tree;
  return {
    asset,
    decimals: 8,
    root: root.toString('hex'),
    depth,
    leaves,
    total: `${totalAtoms}`,
    house: [{ user_id: 1, atoms: '5' }],
    fees: '2',
    issued: `${totalAtoms + 7n}`,
  };
}

export function documentOf(
  assets: readonly PublishedAsset[],
  changes: Partial<PublicationDocument> = {},
): PublicationDocument {
  return {
    format: 'rialto-liabilities-1',
    frame: 4_200,
    frame_hash: '11'.repeat(32),
    frame_time: '2026-01-01T00:00:00.000Z',
    snapshot_sha256: '22'.repeat(32),
    release: '0.1.0',
    published_at: '2026-01-01T00:01:00.000Z',
    previous: null,
    assets,
    ...changes,
  };
}

/** The proof file of a user, from trees that were built in memory. */
export function proofFile(
  trees: Readonly<Record<string, BuiltTree>>,
  user: number,
  seed: Buffer,
  changes: Partial<PublicationDocument> = {},
): LiabilityProofFile {
  const assets = Object.entries(trees).map(([asset, tree]) =>
    publishedAsset(asset, tree.root, tree),
  );
  const { document, publicKey, signature } = TEST_SIGNER.sign(documentOf(assets, changes));
  const proofs = Object.entries(trees).flatMap(([asset, tree]) => {
    const record = tree.records.find((one) => one.user === user);
    return record === undefined ? [] : [accountProof({ asset, record, seed, pathOf: tree.pathOf })];
  });
  const frame = changes.frame ?? 4_200;
  return { frame, document, signature, public_key: publicKey, user_id: user, assets: proofs };
}
