// Keys of the signer, all derived from one seed: the hot wallet, deposit addresses, the key that
// signs renunciations, and the journal's MAC key. Private keys never leave this file.

import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import { evmAddressOf } from '../../infra/custody-file/index.ts';

const DEPOSIT_ACCOUNT = "m/44'/60'/0'";
/** A separate account, whose extended public key no server has. */
const HOT_PATH = "m/44'/60'/1'/0/0";
const RECEIVING_CHAIN = 0;
/** DER prefix of an Ed25519 private key (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_BYTES = 32;

/** The hot wallet, or the deposit address of a user. */
export type Wallet = 'hot' | { readonly user: number };

export interface RecoverableSignature {
  readonly recovery: 0 | 1;
  readonly r: bigint;
  readonly s: bigint;
}

export class SignerKeys {
  /** Extended public key of the deposit account. */
  readonly xpub: string;
  readonly macKey: Uint8Array;
  /** `ed25519:…`, as in the custody file. */
  readonly publicKey: string;
  /** Address of the hot wallet, in lowercase. */
  readonly hotAddress: string;
  readonly #deposits: HDKey;
  readonly #hot: HDKey;
  readonly #identity: KeyObject;

  constructor(seed: Uint8Array) {
    const root = HDKey.fromMasterSeed(seed);
    const account = root.derive(DEPOSIT_ACCOUNT);
    this.xpub = account.publicExtendedKey;
    this.#deposits = account.deriveChild(RECEIVING_CHAIN);
    this.#hot = root.derive(HOT_PATH);
    this.hotAddress = addressOf(this.#hot);
    this.macKey = derived(seed, 'rialto signer journal');
    const secret = Buffer.concat([ED25519_PREFIX, derived(seed, 'rialto signer identity')]);
    this.#identity = createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' });
    const der = createPublicKey(this.#identity).export({ format: 'der', type: 'spki' });
    this.publicKey = `ed25519:${der.subarray(-PUBLIC_KEY_BYTES).toString('base64url')}`;
  }

  /** Returns the address in lowercase. */
  addressOf(wallet: Wallet): string {
    return wallet === 'hot' ? this.hotAddress : addressOf(this.#node(wallet));
  }

  /** Signs a digest. Deterministic (RFC 6979), with the smaller s. */
  signDigest(wallet: Wallet, digest: Uint8Array): RecoverableSignature {
    const bytes = secp256k1.sign(digest, privateKeyOf(this.#node(wallet)), {
      prehash: false,
      format: 'recovered',
    });
    const { r, recovery, s } = secp256k1.Signature.fromBytes(bytes, 'recovered');
    if (recovery === 0 || recovery === 1) return { recovery, r, s };
    throw new Error(`the signature has the recovery bit ${recovery}`);
  }

  /** Returns an Ed25519 signature in Base64url. */
  signText(text: string): string {
    return sign(null, Buffer.from(text), this.#identity).toString('base64url');
  }

  #node(wallet: Wallet): HDKey {
    return wallet === 'hot' ? this.#hot : this.#deposits.deriveChild(wallet.user);
  }
}

function addressOf(node: HDKey): string {
  const point = secp256k1.getPublicKey(privateKeyOf(node), false);
  return `0x${Buffer.from(evmAddressOf(point)).toString('hex')}`;
}

function privateKeyOf({ privateKey }: HDKey): Uint8Array {
  if (privateKey === null) throw new Error('the derived key has no private key');
  return privateKey;
}

function derived(seed: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', seed, new Uint8Array(), purpose, PUBLIC_KEY_BYTES));
}
