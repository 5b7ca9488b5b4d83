// Ceremony for an exchange's first keys, on an offline computer: 24 words, the extended public key
// of the deposit account, approvers' keys, and a draft of the custody file. The words are returned
// to be shown once; they are never written to a file.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { AccountXpub, createApproverKey } from '../../infra/custody-file/index.ts';
import { SignerKeys } from '../../services/signer/index.ts';

/** Deposit account of every EVM network. */
export const DEPOSIT_ACCOUNT = "m/44'/60'/0'";
const WORDS_BITS = 256;

export interface CeremonyRequest {
  /** A new folder. */
  readonly folder: string;
  readonly exchange: string;
  readonly approvers: number;
  /** From a hardware wallet; undefined creates new words. */
  readonly xpub: string | undefined;
}

export interface Ceremony {
  /** Undefined with a hardware wallet's key. */
  readonly words: string | undefined;
  readonly xpub: string;
  /** Public keys of a signer with these words. Undefined with a hardware wallet's key. */
  readonly signer: SignerPublicKeys | undefined;
  /** Files that were written. */
  readonly files: readonly string[];
}

export interface SignerPublicKeys {
  /** Address of the hot wallet in every EVM network, in lowercase. */
  readonly hot: string;
  readonly publicKey: string;
}

export function holdCeremony({ approvers, exchange, folder, xpub: given }: CeremonyRequest) {
  const words = given === undefined ? generateMnemonic(wordlist, WORDS_BITS) : undefined;
  const xpub = given ?? xpubOf(words ?? '');
  // Throws for a private key or another depth.
  void new AccountXpub(xpub);
  mkdirSync(folder, { mode: 0o700 });
  const keys = Array.from({ length: approvers }, (_, at) => ({
    name: `approver-${at + 1}`,
    ...createApproverKey(),
  }));
  const files = keys.map(({ name, privateKey }) => {
    const file = join(folder, `${name}.pem`);
    writeFileSync(file, privateKey, { mode: 0o600, flag: 'wx' });
    return file;
  });
  const document = {
    exchange,
    version: 1,
    validUntil: '2036-12-31',
    networks: {
      eth: { family: 'evm', chainId: 1, final: 'finalized', from: 1, xpub },
    },
    coins: [],
    approvers: Object.fromEntries(keys.map(({ name, publicKey }) => [name, publicKey])),
    quorum: Math.ceil((approvers + 1) / 2),
  };
  const draft = join(folder, 'custody-draft.json');
  writeFileSync(draft, `${JSON.stringify(document, undefined, 2)}\n`, { flag: 'wx' });
  const signer = words === undefined ? undefined : signerOf(words);
  const ceremony: Ceremony = { words, xpub, signer, files: [...files, draft] };
  return ceremony;
}

function signerOf(words: string): SignerPublicKeys {
  const { hotAddress: hot, publicKey } = new SignerKeys(mnemonicToSeedSync(words));
  return { hot, publicKey };
}

/** Returns the key from which the addresses of these words derive. */
export function xpubOf(words: string): string {
  return HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(DEPOSIT_ACCOUNT).publicExtendedKey;
}
