// A Merkle sum tree in tiers of 1,024-node blocks: bytes in, bytes out, so a tree of any size is
// stored as rows and a path reads one block per tier. Must never let a sum exceed SUM_MAX.

import { NODE_BYTES, SUM_MAX } from './leaf.ts';
import { FixedSha256, HASH_BYTES } from './sha256.ts';

const BLOCK_LEVELS = 10;
export const BLOCK_NODES = 1 << BLOCK_LEVELS;
/** Enough for 2^40 leaves. */
const LEVELS_MAX = 40;
const LEFT_AT = 1;
const RIGHT_AT = LEFT_AT + NODE_BYTES;
const PAIR_BYTES = RIGHT_AT + NODE_BYTES;

export interface TreeNode {
  readonly hash: Buffer;
  readonly atoms: bigint;
}

/** Levels above the leaves: the number of siblings in a path. */
export function depthOf(leaves: number): number {
  return leaves <= 1 ? 0 : Math.ceil(Math.log2(leaves));
}

const pair = new FixedSha256(PAIR_BYTES);
pair.bytes[0] = 0x4e; // N

/** Writes the parent of the two nodes at `from` to `at`. Both can be in the same bytes. */
function join(bytes: Buffer, from: number, at: number): void {
  const sum = bytes.readBigUInt64BE(from + HASH_BYTES);
  const total = sum + bytes.readBigUInt64BE(from + NODE_BYTES + HASH_BYTES);
  if (total > SUM_MAX) throw new RangeError('the sum of an asset exceeds 2^62 atoms');
  for (let offset = 0; offset < 2 * NODE_BYTES; offset++) {
    pair.bytes[LEFT_AT + offset] = bytes[from + offset];
  }
  pair.digest(bytes, at);
  bytes.writeBigUInt64BE(total, at + HASH_BYTES);
}

/** By level, the root of a tree in which every leaf is padding: 32 zero bytes and sum 0. */
const PADDING = paddingNodes();

function paddingNodes(): Buffer[] {
  const found = [Buffer.alloc(NODE_BYTES)];
  while (found.length <= LEVELS_MAX) {
    const both = Buffer.concat([found.at(-1)!, found.at(-1)!]);
    join(both, 0, 0);
    found.push(both.subarray(0, NODE_BYTES));
  }
  return found;
}

const work = Buffer.alloc(BLOCK_NODES * NODE_BYTES);

/**
 * Reduces a block to its root. `level` is that of the block's nodes, `levels` the number above
 * them. Calls `onSibling` with the neighbor of node `index` on each level.
 */
function reduce(
  nodes: Uint8Array,
  { level, levels, index = 0 }: { level: number; levels: number; index?: number },
  onSibling?: (node: TreeNode) => void,
): TreeNode {
  work.set(nodes);
  let count = nodes.length / NODE_BYTES;
  for (let step = 0; step < levels; step++) {
    if (count % 2 === 1) work.set(PADDING[level + step], count++ * NODE_BYTES);
    const sibling = (index >> step) ^ 1;
    if (onSibling !== undefined) {
      onSibling(sibling < count ? nodeAt(work, sibling) : nodeAt(PADDING[level + step], 0));
    }
    count /= 2;
    for (let parent = 0; parent < count; parent++) {
      join(work, parent * 2 * NODE_BYTES, parent * NODE_BYTES);
    }
  }
  return nodeAt(count === 0 ? PADDING[level] : work, 0);
}

export function nodeAt(bytes: Buffer, index: number): TreeNode {
  const at = index * NODE_BYTES;
  return {
    hash: Buffer.from(bytes.subarray(at, at + HASH_BYTES)),
    atoms: bytes.readBigUInt64BE(at + HASH_BYTES),
  };
}

export interface TreeBlock {
  readonly tier: number;
  readonly block: number;
  /** Valid until the next part is taken. */
  readonly nodes: Buffer;
}

/** Yields every block of every tier, and returns the root of the leaves. */
export function* buildTiers(leaves: Buffer): Generator<TreeBlock, TreeNode> {
  const depth = depthOf(leaves.length / NODE_BYTES);
  let nodes = leaves;
  for (let tier = 0; ; tier++) {
    const level = tier * BLOCK_LEVELS;
    const levels = Math.min(BLOCK_LEVELS, depth - level);
    const blocks = Math.max(1, Math.ceil(nodes.length / (BLOCK_NODES * NODE_BYTES)));
    const roots = Buffer.alloc(blocks * NODE_BYTES);
    for (let block = 0; block < blocks; block++) {
      const from = block * BLOCK_NODES * NODE_BYTES;
      const bytes = nodes.subarray(from, from + BLOCK_NODES * NODE_BYTES);
      const root = reduce(bytes, { level, levels });
      root.hash.copy(roots, block * NODE_BYTES);
      roots.writeBigUInt64BE(root.atoms, block * NODE_BYTES + HASH_BYTES);
      yield { tier, block, nodes: bytes };
    }
    if (blocks === 1) return nodeAt(roots, 0);
    nodes = roots;
  }
}

/** The block of each tier that the path of a place needs. */
export function blocksOfPath(leaves: number, place: number): { tier: number; block: number }[] {
  const tiers = Math.max(1, Math.ceil(depthOf(leaves) / BLOCK_LEVELS));
  return Array.from({ length: tiers }, (_, tier) => ({
    tier,
    block: Math.floor(place / BLOCK_NODES ** (tier + 1)),
  }));
}

/** The siblings of a place from the leaf up, from the blocks of its path in order of tiers. */
export function pathOf(leaves: number, place: number, blocks: readonly Buffer[]): TreeNode[] {
  const depth = depthOf(leaves);
  const siblings: TreeNode[] = [];
  for (const [tier, nodes] of blocks.entries()) {
    const level = tier * BLOCK_LEVELS;
    const levels = Math.min(BLOCK_LEVELS, depth - level);
    const index = Math.floor(place / BLOCK_NODES ** tier) % BLOCK_NODES;
    reduce(nodes, { level, levels, index }, (node) => siblings.push(node));
  }
  return siblings;
}
