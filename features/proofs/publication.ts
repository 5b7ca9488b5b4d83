// A publication: one line of JSON that pins the totals and roots of all assets to a position of the
// log, and a second line that signs its exact bytes. Must never be rewritten after it was signed.

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

export const FORMAT = 'rialto-liabilities-1';

export interface HouseAmount {
  readonly user_id: number;
  readonly atoms: string;
}

/** One asset; amounts are whole atoms as text. */
export interface PublishedAsset {
  readonly asset: string;
  readonly decimals: number;
  readonly root: string;
  readonly depth: number;
  readonly leaves: number;
  /** Owed to customers: the sum of all leaves. */
  readonly total: string;
  /** Accounts of the exchange itself, which are not in the tree. */
  readonly house: readonly HouseAmount[];
  readonly fees: string;
  /** Customers, house and fees: everything that the ledger says came in. */
  readonly issued: string;
}

export interface PublicationDocument {
  readonly format: typeof FORMAT;
  readonly frame: number;
  readonly frame_hash: string;
  readonly frame_time: string;
  readonly snapshot_sha256: string;
  readonly release: string;
  readonly published_at: string;
  /** Hash of the previous publication, or null for the first. */
  readonly previous: string | null;
  readonly assets: readonly PublishedAsset[];
}

export interface Publication {
  /** The first line, without its newline: what is hashed and signed. */
  readonly document: string;
  readonly signature: string;
  readonly publicKey: string;
}

const SEED_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX_BYTES = 12;

export class PublicationSigner {
  readonly #privateKey: KeyObject;
  readonly publicKey: string;

  /** `seed` is an Ed25519 private key of 32 bytes. */
  constructor(seed: Uint8Array) {
    const der = Buffer.concat([SEED_PREFIX, seed]);
    this.#privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(this.#privateKey).export({ format: 'der', type: 'spki' });
    this.publicKey = spki.subarray(SPKI_PREFIX_BYTES).toString('hex');
  }

  sign(document: PublicationDocument): Publication {
    const text = JSON.stringify(document);
    const signature = sign(null, Buffer.from(text), this.#privateKey).toString('hex');
    return { document: text, signature, publicKey: this.publicKey };
  }
}

/** Identifies a publication: the SHA-256 of its first line. */
export function publicationHash(document: string): string {
  return createHash('sha256').update(document).digest('hex');
}

/** The publication as a file that any mirror can host. */
export function publicationFile({ document, publicKey, signature }: Publication): string {
  return `${document}\n${JSON.stringify({ signature, public_key: publicKey })}\n`;
}
