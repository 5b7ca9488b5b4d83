// A user's proof file: the signed publication, and the salt, chunks and paths of each asset.

import type { Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { type AccountProof, accountProof } from './account-proof.ts';
import { type AccountRecord, findRecord } from './liability-tree.ts';
import type { PublicationDocument } from './publication.ts';
import { openLiabilitySeed, type StoredPublication } from './publications.ts';
import { blocksOfPath, pathOf } from './sum-tree.ts';

/** Returns an empty list for a user without a balance, or if the tree was dropped. */
export async function proveLiabilities(
  statements: Statements,
  vault: Vault,
  { document, frame }: StoredPublication,
  user: number,
): Promise<AccountProof[]> {
  const seed = await openLiabilitySeed(statements, vault, frame);
  if (seed === undefined) return [];
  const { assets }: PublicationDocument = JSON.parse(document);
  const proofs: AccountProof[] = [];
  for (const { asset, leaves } of assets) {
    const record = await readRecord(statements, { frame, asset, user });
    if (record === undefined) continue;
    const key = { frame, asset, leaves };
    const paths = new Map<number, ReturnType<typeof pathOf>>();
    for (const place of record.places) {
      paths.set(place, await readPath(statements, key, place));
    }
    proofs.push(accountProof({ asset, record, seed, pathOf: (place) => paths.get(place) ?? [] }));
  }
  return proofs;
}

async function readRecord(
  statements: Statements,
  { asset, frame, user }: { readonly frame: number; readonly asset: string; readonly user: number },
): Promise<AccountRecord | undefined> {
  const { rows } = await statements.query(
    `select records from liability_records
     where frame = $1 and asset = $2 and first_user <= $3 order by first_user desc limit 1`,
    [frame, asset, user],
  );
  return rows.length === 0 ? undefined : findRecord(rows[0].records, user);
}

async function readPath(
  statements: Statements,
  {
    asset,
    frame,
    leaves,
  }: { readonly frame: number; readonly asset: string; readonly leaves: number },
  place: number,
) {
  const blocks: Buffer[] = [];
  for (const { block, tier } of blocksOfPath(leaves, place)) {
    const { rows } = await statements.query(
      `select nodes from liability_blocks
       where frame = $1 and asset = $2 and tier = $3 and block = $4`,
      [frame, asset, tier, block],
    );
    if (rows.length === 0) throw new Error(`block ${tier}/${block} of frame ${frame} is missing`);
    blocks.push(rows[0].nodes);
  }
  return pathOf(leaves, place, blocks);
}

/** All leaves of an asset in order of place: 40 bytes each. */
export async function readLeafBlocks(
  statements: Statements,
  frame: number,
  asset: string,
): Promise<Buffer> {
  const { rows } = await statements.query(
    `select nodes from liability_blocks where frame = $1 and asset = $2 and tier = 0
     order by block`,
    [frame, asset],
  );
  return Buffer.concat(rows.map(({ nodes }) => nodes));
}

/** The records of an asset by user, one block at a time. */
export async function* readRecordBlocks(
  statements: Statements,
  frame: number,
  asset: string,
): AsyncGenerator<Buffer> {
  let after = -1;
  for (;;) {
    const { rows } = await statements.query(
      `select first_user, records from liability_records
       where frame = $1 and asset = $2 and first_user > $3 order by first_user limit 1`,
      [frame, asset, after],
    );
    if (rows.length === 0) return;
    after = Number(rows[0].first_user);
    yield rows[0].records;
  }
}

/** Returns false for a publication whose tree was dropped. */
export async function hasTree(
  statements: Statements,
  { document, frame }: StoredPublication,
): Promise<boolean> {
  const { assets }: PublicationDocument = JSON.parse(document);
  if (assets.every(({ leaves }) => leaves === 0)) return true;
  const { rows } = await statements.query(
    'select exists (select from liability_blocks where frame = $1) as exists',
    [frame],
  );
  return rows[0].exists;
}
