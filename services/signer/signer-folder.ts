// The signer's folder: the key file and the journal. Creates it from the words, rebuilds it from a
// copy of the journal, and opens it with the passphrases. Never overwrites a file.

import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCustodyFile } from '../../infra/custody-file/index.ts';
import { createJournal, EMPTY_HEAD, hashOf, Journal, openLine, sealLine } from './journal.ts';
import { openSeed, type Passphrases, sealSeed } from './key-file.ts';
import { Refusal } from './refusal.ts';
import { requireKeysOf } from './signer.ts';
import { SignerKeys } from './signer-keys.ts';
import { SignerState } from './signer-state.ts';

const KEY_FILE = 'keys.json';
const JOURNAL_FILE = 'journal';
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;

export interface NewSigner {
  readonly folder: string;
  readonly seed: Uint8Array;
  readonly passphrases: Passphrases;
}

/** Pins the first version of the custody file. Throws if it is not for this seed. */
export function createSignerFolder(
  given: NewSigner,
  first: { readonly custodyFile: string; readonly timeMs: number },
): void {
  const keys = new SignerKeys(given.seed);
  requireOwnPolicy(first.custodyFile, keys);
  const { custodyFile: file, timeMs } = first;
  const entry = { entry: 1, previous: EMPTY_HEAD.hash, timeMs, kind: 'policy', file } as const;
  writeFolder(given, [sealLine(entry, keys.macKey)]);
}

/**
 * Writes the journal from the payer's copy, after verifying each line. The signer then refuses to
 * sign until the approvers sign a new version of the custody file.
 */
export function rebuildSignerFolder(
  given: NewSigner,
  copy: { readonly lines: readonly string[]; readonly timeMs: number },
): void {
  const { macKey } = new SignerKeys(given.seed);
  let head = EMPTY_HEAD;
  for (const line of copy.lines) {
    void openLine(line, { head, macKey });
    head = { entry: head.entry + 1, hash: hashOf(line) };
  }
  const { timeMs } = copy;
  const entry = { entry: head.entry + 1, previous: head.hash, timeMs, kind: 'rebuilt' } as const;
  writeFolder(given, [...copy.lines, sealLine(entry, macKey)]);
}

export interface OpenedFolder {
  readonly keys: SignerKeys;
  readonly journal: Journal;
  readonly state: SignerState;
}

/** Throws if a passphrase is wrong, the journal was changed, or the policy is for other keys. */
export function openSignerFolder(folder: string, passphrases: Passphrases): OpenedFolder {
  const keyFile = join(folder, KEY_FILE);
  requirePrivate(folder);
  requirePrivate(keyFile);
  const keys = new SignerKeys(openSeed(readFileSync(keyFile, 'utf8'), passphrases));
  const state = new SignerState();
  const journal = new Journal({
    path: join(folder, JOURNAL_FILE),
    macKey: keys.macKey,
    replay: (entry) => state.apply(entry),
  });
  requireKeysOf(state.policy, keys);
  return { keys, journal, state };
}

function requireOwnPolicy(custodyFile: string, keys: SignerKeys): void {
  try {
    requireKeysOf(parseCustodyFile(custodyFile), keys);
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
    throw new RangeError(`the custody file is not for these words: ${fault.detail}`);
  }
}

function writeFolder({ folder, passphrases, seed }: NewSigner, lines: readonly string[]): void {
  mkdirSync(folder, { mode: FOLDER_MODE, recursive: true });
  chmodSync(folder, FOLDER_MODE);
  createJournal(join(folder, JOURNAL_FILE), lines);
  const options = { mode: FILE_MODE, flag: 'wx', flush: true };
  writeFileSync(join(folder, KEY_FILE), sealSeed(seed, passphrases), options);
}

function requirePrivate(path: string): void {
  if ((statSync(path).mode & OTHERS) === 0) return;
  throw new RangeError(`${path} must not be accessible to other users (chmod go= ${path})`);
}
