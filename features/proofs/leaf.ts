// Leaves and nodes of a liability tree as bytes, and the secrets that the seed gives to each
// account: salt, cut and places. Must match the verifier in `client/liability-proof.ts`; the golden
// vectors hold both.

import { createCipheriv, createHmac } from 'node:crypto';
import { FixedHmac, FixedSha256, HASH_BYTES } from './sha256.ts';

/** Each amount is cut into this many leaves. */
export const CHUNKS = 2;
export const SUM_MAX = 2n ** 62n;
export const SEED_BYTES = 32;
/** A leaf or a node: its hash and its sum. */
export const NODE_BYTES = HASH_BYTES + 8;

const ASSET_BYTES = 16;
const LEAF_BYTES = 1 + ASSET_BYTES + HASH_BYTES + 4 + HASH_BYTES + 2 + 8;
const SALT_AT = 1 + ASSET_BYTES;
const USER_AT = SALT_AT + HASH_BYTES;
const WORD_AT = USER_AT + 4;
const CHUNK_AT = WORD_AT + HASH_BYTES;
const ATOMS_AT = CHUNK_AT + 2;
/** Asset, user, and which of the two secrets. */
const SECRET_BYTES = ASSET_BYTES + 4 + 1;
const SALT = 0;
const CUT = 1;

function putAsset(bytes: Uint8Array, at: number, asset: string): void {
  const name = Buffer.from(asset);
  if (name.length > ASSET_BYTES) throw new RangeError(`asset '${asset}' is too long for a leaf`);
  bytes.set(name, at);
}

/** Writes the leaves of one asset. */
export class LeafWriter {
  readonly #leaf = new FixedSha256(LEAF_BYTES);
  readonly #secret: FixedHmac;
  readonly #cut = new Uint8Array(HASH_BYTES);
  readonly #cutView = new DataView(this.#cut.buffer);

  constructor(asset: string, seed: Uint8Array) {
    this.#leaf.bytes[0] = 0x4c; // L
    putAsset(this.#leaf.bytes, 1, asset);
    this.#secret = new FixedHmac(seed, SECRET_BYTES);
    putAsset(this.#secret.bytes, 0, asset);
  }

  /** Sets the account of the following leaves. Its word is the digest at `wordAt`. */
  setAccount(user: number, words: Uint8Array, wordAt: number): void {
    this.#secretOf(user, SALT, this.#leaf.bytes, SALT_AT);
    this.#leaf.view.setUint32(USER_AT, user);
    for (let at = 0; at < HASH_BYTES; at++) this.#leaf.bytes[WORD_AT + at] = words[wordAt + at];
  }

  /** The first chunk of an amount; the second has the rest. */
  cut(user: number, atoms: bigint): bigint {
    this.#secretOf(user, CUT, this.#cut, 0);
    return this.#cutView.getBigUint64(0) % (atoms + 1n);
  }

  /** Writes the leaf of the account's chunk to 40 bytes of `target`. */
  write(chunk: number, atoms: bigint, target: Uint8Array, view: DataView, at: number): void {
    this.#leaf.view.setUint16(CHUNK_AT, chunk);
    this.#leaf.view.setBigUint64(ATOMS_AT, atoms);
    this.#leaf.digest(target, at);
    view.setBigUint64(at + HASH_BYTES, atoms);
  }

  #secretOf(user: number, which: number, target: Uint8Array, at: number): void {
    this.#secret.view.setUint32(ASSET_BYTES, user);
    this.#secret.view.setUint8(ASSET_BYTES + 4, which);
    this.#secret.digest(target, at);
  }
}

/** The salt that makes a user's leaves of an asset unguessable. */
export function saltOf(seed: Uint8Array, asset: string, user: number): Buffer {
  return secretOf(seed, asset, user, SALT);
}

/** The amounts of an account's chunks. */
export function cutAmount(
  seed: Uint8Array,
  { asset, atoms, user }: { readonly asset: string; readonly atoms: bigint; readonly user: number },
): bigint[] {
  const first = secretOf(seed, asset, user, CUT).readBigUInt64BE(0) % (atoms + 1n);
  return [first, atoms - first];
}

function secretOf(seed: Uint8Array, asset: string, user: number, which: number): Buffer {
  const message = Buffer.alloc(SECRET_BYTES);
  putAsset(message, 0, asset);
  message.writeUInt32BE(user, ASSET_BYTES);
  message[SECRET_BYTES - 1] = which;
  return createHmac('sha256', seed).update(message).digest();
}

const DRAWS_BYTES = 1 << 20;

/**
 * The place of each leaf, by account and chunk: a Fisher-Yates shuffle whose draws are an AES-256
 * keystream, so neighbors in the tree are not neighbors in time or the chunks of one user.
 */
export function shuffledPlaces(seed: Uint8Array, asset: string, count: number): Uint32Array {
  const places = new Uint32Array(count);
  for (let at = 0; at < count; at++) places[at] = at;
  const key = createHmac('sha256', seed).update(`places ${asset}`).digest();
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  const zeros = Buffer.alloc(DRAWS_BYTES);
  let draws = stream.update(zeros);
  let drawAt = 0;
  for (let left = count; left > 1; left--) {
    // Draws of an incomplete last range would make some places more likely.
    const limit = 2 ** 32 - (2 ** 32 % left);
    let draw: number;
    do {
      if (drawAt === DRAWS_BYTES) {
        draws = stream.update(zeros);
        drawAt = 0;
      }
      draw = draws.readUInt32BE(drawAt);
      drawAt += 4;
    } while (draw >= limit);
    const other = draw % left;
    const place = places[left - 1];
    places[left - 1] = places[other];
    places[other] = place;
  }
  return places;
}
