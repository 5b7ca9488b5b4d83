// Stored publications: written in one transaction by `rialto proof publish`, read by gateways. A
// publication is never changed; the trees of old ones are dropped.

import { randomBytes } from 'node:crypto';
import { type Connection, idOf, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { SEED_BYTES } from './leaf.ts';
import {
  type Publication,
  type PublicationDocument,
  PublicationSigner,
  publicationHash,
} from './publication.ts';

/** The only row of its table. */
const KEY_ID = 1;
/** Users can download proofs of this many publications; older ones keep only their document. */
export const TREES_KEPT = 3;

export interface StoredPublication extends Publication {
  readonly frame: number;
  readonly hash: string;
  readonly createdAt: Date;
}

export function liabilityKeyBound(id: number): string {
  return `liability key ${id}`;
}

export function liabilitySeedBound(frame: number): string {
  return `liability seed ${frame}`;
}

/** Call it in the publication's transaction. Creates the key before the first publication. */
export async function openPublicationSigner(
  statements: Statements,
  vault: Vault,
): Promise<PublicationSigner> {
  const { rows } = await statements.query(
    'select kek_id, sealed from liability_keys where id = $1',
    [KEY_ID],
  );
  if (rows.length > 0) {
    const [{ kek_id, sealed }] = rows;
    const value = { kekId: idOf<number>(kek_id), sealed };
    return new PublicationSigner(vault.open(liabilityKeyBound(KEY_ID), value));
  }
  const seed = randomBytes(SEED_BYTES);
  const { kekId, sealed } = vault.seal(liabilityKeyBound(KEY_ID), seed);
  await statements.query('insert into liability_keys (id, kek_id, sealed) values ($1, $2, $3)', [
    KEY_ID,
    kekId,
    sealed,
  ]);
  return new PublicationSigner(seed);
}

const COLUMNS = 'frame, document, signature, public_key, hash, created_at';

// biome-ignore lint/suspicious/noExplicitAny: a row from the driver.
function publicationOf(row: any): StoredPublication {
  return {
    frame: idOf<number>(row.frame),
    document: row.document,
    signature: row.signature,
    publicKey: row.public_key,
    hash: row.hash,
    createdAt: row.created_at,
  };
}

/** Newest first. */
export async function listPublications(
  statements: Statements,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<StoredPublication[]> {
  const { rows } = await statements.query(
    `select ${COLUMNS} from liability_publications order by frame desc limit $1 offset $2`,
    [limit, offset],
  );
  return rows.map(publicationOf);
}

export async function countPublications(statements: Statements): Promise<number> {
  const { rows } = await statements.query('select count(*) as count from liability_publications');
  return Number(rows[0].count);
}

/** Without a frame, the newest. */
export async function findPublication(
  statements: Statements,
  frame?: number,
): Promise<StoredPublication | undefined> {
  const { rows } = await statements.query(
    `select ${COLUMNS} from liability_publications
     where $1::bigint is null or frame = $1 order by frame desc limit 1`,
    [frame ?? null],
  );
  return rows.map(publicationOf)[0];
}

/** The seed of a publication: for proofs of users, and for an auditor. */
export async function openLiabilitySeed(
  statements: Statements,
  vault: Vault,
  frame: number,
): Promise<Buffer | undefined> {
  const { rows } = await statements.query(
    'select kek_id, sealed_seed from liability_publications where frame = $1',
    [frame],
  );
  if (rows.length === 0) return undefined;
  const [{ kek_id, sealed_seed }] = rows;
  const value = { kekId: idOf<number>(kek_id), sealed: sealed_seed };
  return vault.open(liabilitySeedBound(frame), value);
}

/** Call it before the blocks and records, in their transaction. */
export async function insertPublication(
  statements: Statements,
  vault: Vault,
  {
    document,
    publication,
    seed,
  }: {
    readonly document: PublicationDocument;
    readonly publication: Publication;
    readonly seed: Uint8Array;
  },
): Promise<string> {
  const { frame } = document;
  const hash = publicationHash(publication.document);
  const { kekId, sealed } = vault.seal(liabilitySeedBound(frame), seed);
  await statements.query(
    `insert into liability_publications
       (frame, document, signature, public_key, hash, kek_id, sealed_seed, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      frame,
      publication.document,
      publication.signature,
      publication.publicKey,
      hash,
      kekId,
      sealed,
      new Date(document.published_at),
    ],
  );
  return hash;
}

export interface BlockKey {
  readonly frame: number;
  readonly asset: string;
}

export async function insertBlock(
  connection: Connection,
  { asset, frame }: BlockKey,
  { block, nodes, tier }: { readonly tier: number; readonly block: number; readonly nodes: Buffer },
): Promise<void> {
  await connection.query(
    `insert into liability_blocks (frame, asset, tier, block, nodes) values ($1, $2, $3, $4, $5)`,
    [frame, asset, tier, block, nodes],
  );
}

export async function insertRecords(
  connection: Connection,
  { asset, frame }: BlockKey,
  { firstUser, records }: { readonly firstUser: number; readonly records: Buffer },
): Promise<void> {
  await connection.query(
    `insert into liability_records (frame, asset, first_user, records) values ($1, $2, $3, $4)`,
    [frame, asset, firstUser, records],
  );
}

/** Drops the trees of all but the newest publications. */
export async function dropOldTrees(statements: Statements): Promise<void> {
  const old = `frame < (select min(frame) from (
    select frame from liability_publications order by frame desc limit ${TREES_KEPT}) newest)`;
  await statements.query(`delete from liability_blocks where ${old}`);
  await statements.query(`delete from liability_records where ${old}`);
}
