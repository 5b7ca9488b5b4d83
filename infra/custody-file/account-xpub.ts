// Derives users' deposit addresses from the extended public key of an account (BIP 32): chain 0,
// and the user ID as the index. The owner of an address therefore follows from the key alone. Never
// accepts a private key.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import type { UserId } from '../../core/money/index.ts';
import { evmAddressOf } from './evm-address.ts';

/** Depth of `m/44'/60'/account'`. */
const ACCOUNT_DEPTH = 3;
const RECEIVING_CHAIN = 0;
/** Larger indexes are hardened, and a public key cannot derive them. */
const INDEX_MAX = 2 ** 31 - 1;

export class AccountXpub {
  readonly text: string;
  readonly #chain: HDKey;

  /** Throws if the text is not the extended public key of an account. */
  constructor(text: string) {
    const account = parseXpub(text);
    this.text = text;
    this.#chain = account.deriveChild(RECEIVING_CHAIN);
  }

  /** Returns the 20 bytes of the user's address in every EVM network of this account. */
  evmAddress(user: UserId): Uint8Array {
    if (!Number.isSafeInteger(user) || user < 1 || user > INDEX_MAX) {
      throw new RangeError(`user ${user} has no address: the index ends at ${INDEX_MAX}`);
    }
    const { publicKey } = this.#chain.deriveChild(user);
    if (publicKey === null) throw new Error(`index ${user} has no public key`);
    return evmAddressOf(secp256k1.Point.fromBytes(publicKey).toBytes(false));
  }
}

function parseXpub(text: string): HDKey {
  if (!text.startsWith('xpub')) {
    throw new Error('expected an extended public key that starts with xpub; never a private key');
  }
  let key: HDKey;
  try {
    key = HDKey.fromExtendedKey(text);
  } catch (cause) {
    throw new Error('expected an extended public key: its checksum is wrong', { cause });
  }
  if (key.depth === ACCOUNT_DEPTH) return key;
  const place = `depth ${ACCOUNT_DEPTH}, such as m/44'/60'/0'`;
  throw new Error(`expected the key of an account at ${place}, received depth ${key.depth}`);
}
