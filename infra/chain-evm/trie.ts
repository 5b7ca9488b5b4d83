// The Merkle Patricia trie of EVM chains: the root of an ordered list (transactions, receipts), and
// the value of a key under a root, from a proof. Small enough to be read as a whole.

import { RLP } from '@ethereumjs/rlp';
import { hexOf, keccak } from './bytes.ts';
import { NodeFault } from './faults.ts';

type TrieNode = (Uint8Array | TrieNode)[];
type Entry = { readonly path: readonly number[]; readonly value: Uint8Array };

const BRANCHES = 16;
const HASH_BYTES = 32;

/** The key of each value is its position. */
export function orderedTrieRoot(values: readonly Uint8Array[]): Uint8Array {
  if (values.length === 0) return keccak(RLP.encode(new Uint8Array()));
  const entries = values.map((value, index) => ({ path: nibblesOf(RLP.encode(index)), value }));
  return keccak(RLP.encode(nodeOf(entries, 0)));
}

// No key is the beginning of another one, so a branch never has a value.
function nodeOf(entries: readonly Entry[], depth: number): TrieNode {
  const [{ path, value }] = entries;
  if (entries.length === 1) return [packedPath(path.slice(depth), true), value];
  let end = depth;
  while (entries.every((entry) => entry.path[end] === path[end])) end += 1;
  if (end > depth) {
    return [packedPath(path.slice(depth, end), false), referenceTo(nodeOf(entries, end))];
  }
  const branch: TrieNode = [];
  for (let nibble = 0; nibble < BRANCHES; nibble += 1) {
    const below = entries.filter((entry) => entry.path[depth] === nibble);
    branch.push(below.length === 0 ? new Uint8Array() : referenceTo(nodeOf(below, depth + 1)));
  }
  return [...branch, new Uint8Array()];
}

function referenceTo(node: TrieNode): Uint8Array | TrieNode {
  const encoded = RLP.encode(node);
  return encoded.length < HASH_BYTES ? node : keccak(encoded);
}

function packedPath(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const isOdd = nibbles.length % 2 === 1;
  const flag = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0);
  const digits = [flag, ...(isOdd ? [] : [0]), ...nibbles];
  return Buffer.from(digits.map((digit) => digit.toString(16)).join(''), 'hex');
}

/** Returns undefined if the proof shows that the key has no value; throws if it proves nothing. */
export function provenValue(
  root: Uint8Array,
  key: Uint8Array,
  proof: readonly Uint8Array[],
): Uint8Array | undefined {
  const known = new Map(proof.map((node) => [hexOf(keccak(node)), node]));
  const path = nibblesOf(keccak(key));
  let reference: Uint8Array | TrieNode = root;
  let depth = 0;
  for (;;) {
    if (isEmpty(reference)) return undefined;
    const node: TrieNode = Array.isArray(reference) ? reference : opened(known, reference);
    if (node.length === BRANCHES + 1) {
      reference = node[path[depth]];
      depth += 1;
      continue;
    }
    const [packed, next] = node;
    if (node.length !== 2 || !(packed instanceof Uint8Array)) throw wrongProof();
    const nibbles = nibblesOf(packed);
    const isLeaf = nibbles[0] >= 2;
    const part = nibbles.slice(nibbles[0] % 2 === 1 ? 1 : 2);
    const isOnPath = part.every((nibble, at) => nibble === path[depth + at]);
    if (!isOnPath) return undefined;
    depth += part.length;
    if (!isLeaf) reference = next;
    else if (depth === path.length && next instanceof Uint8Array) return next;
    else throw wrongProof();
  }
}

function opened(known: ReadonlyMap<string, Uint8Array>, hash: Uint8Array): TrieNode {
  const node = known.get(hexOf(hash));
  // The root of an empty trie is the hash of an empty value.
  if (node === undefined && hexOf(hash) === EMPTY_ROOT) return ['', ''].map(() => new Uint8Array());
  const decoded = node === undefined ? undefined : RLP.decode(node);
  if (!Array.isArray(decoded)) throw wrongProof();
  return decoded as TrieNode;
}

const EMPTY_ROOT = hexOf(keccak(RLP.encode(new Uint8Array())));

function isEmpty(reference: Uint8Array | TrieNode): boolean {
  return reference instanceof Uint8Array && reference.length === 0;
}

function nibblesOf(bytes: Uint8Array): number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
}

function wrongProof(): NodeFault {
  return new NodeFault('the proof does not lead from the root to the key');
}
