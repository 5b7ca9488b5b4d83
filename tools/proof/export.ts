// `rialto proof export`: writes publications as files that any mirror can host, and for an auditor
// the seed and the words, which must never be published.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  findPublication,
  listPublications,
  openLiabilitySeed,
  type PublicationDocument,
  publicationFile,
  readLeafBlocks,
  readRecordBlocks,
  recordsOf,
  type StoredPublication,
} from '../../features/proofs/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { ToolFault } from '../command-line.ts';

const LIST_MAX = 10_000;

/** Returns the names of the files. Writes every publication, and the leaves of the newest one. */
export async function exportPublic(pool: Pool, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const publications = await listPublications(pool, { limit: LIST_MAX, offset: 0 });
  const [newest] = publications;
  if (newest === undefined) throw new ToolFault('Nothing is published yet.');
  const names: string[] = [];
  const write = async (name: string, content: string | Buffer) => {
    await writeFile(join(folder, name), content);
    names.push(name);
  };
  for (const publication of publications) {
    await write(fileName(publication), publicationFile(publication));
  }
  const { assets }: PublicationDocument = JSON.parse(newest.document);
  for (const { asset } of assets) {
    const leaves = await readLeafBlocks(pool, newest.frame, asset);
    await write(`liabilities-${newest.frame}-${asset}.leaves`, leaves);
  }
  const list = publications.map((one) => ({
    frame: one.frame,
    hash: one.hash,
    file: fileName(one),
  }));
  await write('liabilities.json', `${JSON.stringify(list, null, 2)}\n`);
  return names;
}

function fileName({ frame }: StoredPublication): string {
  return `liabilities-${frame}.jsonl`;
}

/** Writes the publication, its seed and its words. Their owner can see every customer's amount. */
export async function exportForAuditor(
  pool: Pool,
  vault: Vault,
  folder: string,
  frame: number | undefined,
): Promise<string[]> {
  const publication = await findPublication(pool, frame);
  if (publication === undefined) throw new ToolFault('This frame is not published.');
  const seed = await openLiabilitySeed(pool, vault, publication.frame);
  const { assets }: PublicationDocument = JSON.parse(publication.document);
  const words = new Map<number, string>();
  for (const { asset } of assets) {
    for await (const block of readRecordBlocks(pool, publication.frame, asset)) {
      for (const { user, word } of recordsOf(block)) words.set(user, word.toString('hex'));
    }
  }
  await mkdir(folder, { recursive: true });
  const names = [fileName(publication)];
  const prefix = `liabilities-${publication.frame}`;
  await writeFile(join(folder, names[0]), publicationFile(publication));
  const secret = async (name: string, content: string) => {
    await writeFile(join(folder, name), content, { mode: 0o600 });
    names.push(name);
  };
  await secret(`${prefix}.seed`, `${seed?.toString('hex')}\n`);
  const lines = [...words].sort(([one], [other]) => one - other);
  await secret(`${prefix}.words`, lines.map(([user, word]) => `${user} ${word}\n`).join(''));
  return names;
}
