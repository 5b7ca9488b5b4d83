// Adds an approver's signature to a custody file. Signs a draft first, then the signed file of the
// approver before. Never signs a document that would be rejected.

import { readFileSync, writeFileSync } from 'node:fs';
import { requireAddresses } from '../../features/custody/index.ts';
import {
  parseDocument,
  publicKeyOf,
  signedText,
  signText,
} from '../../infra/custody-file/index.ts';
import { ToolFault } from '../command-line.ts';

export interface SignRequest {
  /** A draft, or a file that other approvers signed. */
  readonly file: string;
  /** The approver's private key. */
  readonly key: string;
  readonly out: string;
}

export interface SignedFile {
  readonly approver: string;
  readonly signatures: number;
  readonly quorum: number;
}

export function signFile({ file, key, out }: SignRequest): SignedFile {
  const given = JSON.parse(readFileSync(file, 'utf8'));
  const document = given.document ?? given;
  const parsed = parseDocument(document);
  requireAddresses(parsed);
  const privateKey = readFileSync(key, 'utf8');
  const publicKey = publicKeyOf(privateKey);
  const [approver] =
    [...parsed.approvers].find(
      ([, bytes]) => `ed25519:${Buffer.from(bytes).toString('base64url')}` === publicKey,
    ) ?? [];
  if (approver === undefined) {
    throw new ToolFault(`${key} is not the key of an approver in ${file}.`);
  }
  const signature = signText(signedText(document), privateKey);
  const signatures = { ...given.signatures, [approver]: signature };
  writeFileSync(out, `${JSON.stringify({ document, signatures }, undefined, 2)}\n`);
  return { approver, signatures: Object.keys(signatures).length, quorum: parsed.quorum };
}
