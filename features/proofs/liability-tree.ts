// The liability tree of one asset: two leaves per account, in places that the seed shuffles. Works
// on columns, with 132 bytes per account and no object per leaf, so 10,000,000 accounts fit.
// Must never leave out an account with an amount.

import { CHUNKS, LeafWriter, NODE_BYTES, SUM_MAX, shuffledPlaces } from './leaf.ts';
import { HASH_BYTES } from './sha256.ts';
import { buildTiers, depthOf, type TreeBlock } from './sum-tree.ts';

/** The accounts of one asset with an amount, by ascending user. */
export interface AccountColumns {
  readonly users: Uint32Array;
  readonly atoms: BigUint64Array;
}

/** The SHA-256 of each user's word, by ascending user. */
export interface WordDigests {
  readonly users: Uint32Array;
  readonly digests: Uint8Array;
}

export interface LiabilityTree {
  readonly root: Buffer;
  readonly totalAtoms: bigint;
  readonly depth: number;
  readonly leaves: number;
}

/** One account of a publication: what its proof needs in addition to the tree and the seed. */
export interface AccountRecord {
  readonly user: number;
  readonly atoms: bigint;
  readonly places: readonly number[];
  readonly word: Buffer;
}

const PLACES_AT = 4 + 8;
const WORD_AT = PLACES_AT + CHUNKS * 4;
export const RECORD_BYTES = WORD_AT + HASH_BYTES;
export const RECORDS_PER_BLOCK = 1_024;
/** A user without a word has the empty one. */
const EMPTY_WORD = Buffer.from(
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'hex',
);

/** Records of up to 1,024 accounts, valid until the next part is taken. */
export interface RecordBlock {
  readonly firstUser: number;
  readonly records: Buffer;
}

/** Yields all records, then all blocks, in bounded memory; returns the root and total. */
export function* buildLiabilityTree(
  asset: string,
  columns: AccountColumns,
  words: WordDigests,
  seed: Uint8Array,
): Generator<RecordBlock | TreeBlock, LiabilityTree> {
  const leaves = yield* writeLeaves(asset, columns, words, seed);
  const count = leaves.length / NODE_BYTES;
  const { atoms: totalAtoms, hash: root } = yield* buildTiers(leaves);
  return { root, totalAtoms, depth: depthOf(count), leaves: count };
}

/** Yields the records and returns the leaves in their places. */
export function* writeLeaves(
  asset: string,
  { atoms, users }: AccountColumns,
  words: WordDigests,
  seed: Uint8Array,
): Generator<RecordBlock, Buffer> {
  const count = users.length * CHUNKS;
  const places = shuffledPlaces(seed, asset, count);
  const leaves = Buffer.alloc(count * NODE_BYTES);
  const view = new DataView(leaves.buffer, leaves.byteOffset, leaves.length);
  const writer = new LeafWriter(asset, seed);
  const records = Buffer.alloc(RECORDS_PER_BLOCK * RECORD_BYTES);
  let wordIndex = 0;
  for (let account = 0; account < users.length; account++) {
    const user = users[account];
    const amount = atoms[account];
    if (amount > SUM_MAX) throw new RangeError(`user ${user} has more than 2^62 atoms`);
    if (account > 0 && user <= users[account - 1]) throw new RangeError('users must ascend');
    while (wordIndex < words.users.length && words.users[wordIndex] < user) wordIndex++;
    const hasWord = words.users[wordIndex] === user;
    const [digests, wordAt] = hasWord ? [words.digests, wordIndex * HASH_BYTES] : [EMPTY_WORD, 0];
    writer.setAccount(user, digests, wordAt);
    const first = writer.cut(user, amount);
    const at = account * CHUNKS;
    writer.write(0, first, leaves, view, places[at] * NODE_BYTES);
    writer.write(1, amount - first, leaves, view, places[at + 1] * NODE_BYTES);
    const row = account % RECORDS_PER_BLOCK;
    const recordAt = row * RECORD_BYTES;
    records.writeUInt32BE(user, recordAt);
    records.writeBigUInt64BE(amount, recordAt + 4);
    for (let chunk = 0; chunk < CHUNKS; chunk++) {
      records.writeUInt32BE(places[at + chunk], recordAt + PLACES_AT + chunk * 4);
    }
    records.set(digests.subarray(wordAt, wordAt + HASH_BYTES), recordAt + WORD_AT);
    if (row === RECORDS_PER_BLOCK - 1 || account === users.length - 1) {
      const firstUser = users[account - row];
      yield { firstUser, records: records.subarray(0, recordAt + RECORD_BYTES) };
    }
  }
  return leaves;
}

/** Returns undefined if the block has no account of the user. */
export function findRecord(records: Buffer, user: number): AccountRecord | undefined {
  let low = 0;
  let high = records.length / RECORD_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records.readUInt32BE(middle * RECORD_BYTES) < user) low = middle + 1;
    else high = middle;
  }
  const at = low * RECORD_BYTES;
  if (at >= records.length || records.readUInt32BE(at) !== user) return undefined;
  return recordAt(records, low);
}

/** All accounts of a block. */
export function recordsOf(records: Buffer): AccountRecord[] {
  const count = records.length / RECORD_BYTES;
  return Array.from({ length: count }, (_, index) => recordAt(records, index));
}

function recordAt(records: Buffer, index: number): AccountRecord {
  const at = index * RECORD_BYTES;
  return {
    user: records.readUInt32BE(at),
    atoms: records.readBigUInt64BE(at + 4),
    places: Array.from({ length: CHUNKS }, (_, chunk) =>
      records.readUInt32BE(at + PLACES_AT + chunk * 4),
    ),
    word: Buffer.from(records.subarray(at + WORD_AT, at + RECORD_BYTES)),
  };
}
