// `rialto proof publish`: builds a publication from the archivist's newest verified snapshot, and
// stores it in one transaction. Reads the archive and the registry; trading runs no line of it.

import { createHash, randomBytes } from 'node:crypto';
import {
  buildLiabilityTree,
  dropOldTrees,
  FORMAT,
  findPublication,
  insertBlock,
  insertPublication,
  insertRecords,
  type LiabilityTree,
  openPublicationSigner,
  type PublicationDocument,
  type PublishedAsset,
  SEED_BYTES,
  type WordDigests,
} from '../../features/proofs/index.ts';
import { type Connection, inTransaction, LOCKS } from '../../infra/postgres/index.ts';
import { readBuildInfo } from '../../infra/process/index.ts';
import {
  openReplaySource,
  type Replica,
  replayTo,
  startReplica,
} from '../../infra/replica/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { appendToolEntry } from '../audited-change.ts';
import { ToolFault } from '../command-line.ts';
import { type AssetLiabilities, liabilitiesOf, snapshotDigest } from './exchange-liabilities.ts';

const WORDS_BATCH = 10_000;

export interface PublishOptions {
  readonly archiveFolder: string;
  /** Without it, the frame of the newest verified snapshot. */
  readonly frame: number | undefined;
  readonly nowMs: number;
}

export interface Published {
  readonly document: PublicationDocument;
  readonly hash: string;
  /** False if this frame was published before. */
  readonly isNew: boolean;
}

export async function publishLiabilities(
  connection: Connection,
  vault: Vault,
  { archiveFolder, frame, nowMs }: PublishOptions,
): Promise<Published> {
  return publishState(connection, vault, await openFrame(archiveFolder, frame), nowMs);
}

/** A state and its position in the log. */
export type PublishedState = Pick<Replica, 'exchange' | 'frameHash' | 'sequence'>;

export async function publishState(
  connection: Connection,
  vault: Vault,
  replica: PublishedState,
  nowMs: number,
): Promise<Published> {
  return inTransaction(connection, async () => {
    await connection.query('select pg_advisory_xact_lock($1)', [LOCKS.liabilities]);
    const previous = await findPublication(connection);
    if (previous?.frame === replica.sequence) {
      const document: PublicationDocument = JSON.parse(previous.document);
      return { document, hash: previous.hash, isNew: false };
    }
    if (previous !== undefined && previous.frame > replica.sequence) {
      throw new ToolFault(
        `Frame ${previous.frame} is published. Expected a later frame, got ${replica.sequence}.`,
      );
    }
    const seed = randomBytes(SEED_BYTES);
    const words = await readWords(connection);
    const assets: PublishedAsset[] = [];
    for (const liabilities of liabilitiesOf(replica.exchange)) {
      const key = { frame: replica.sequence, asset: liabilities.asset };
      assets.push(await storeAsset(connection, key, liabilities, words, seed));
    }
    const document: PublicationDocument = {
      ...pinsOf(replica),
      published_at: new Date(nowMs).toISOString(),
      previous: previous?.hash ?? null,
      assets,
    };
    const signer = await openPublicationSigner(connection, vault);
    const publication = signer.sign(document);
    const hash = await insertPublication(connection, vault, { document, publication, seed });
    await dropOldTrees(connection);
    await appendToolEntry(connection, vault, 'liabilities.publish', {
      object: `publication ${document.frame}`,
      after: { hash },
    });
    return { document, hash, isNew: true };
  });
}

async function openFrame(folder: string, frame: number | undefined): Promise<Replica> {
  const problems: unknown[] = [];
  const source = await openReplaySource(folder, (problem) => problems.push(problem));
  const replica = await startReplica(source, frame ?? source.archive.end.sequence);
  if (frame !== undefined) {
    if (source.archive.end.sequence < frame) {
      throw new ToolFault(
        `The archive ends with frame ${source.archive.end.sequence}. Expected ${frame} or later.`,
      );
    }
    await replayTo(source.archive, replica, frame);
  }
  if (replica.sequence === 0) {
    throw new ToolFault('The archive has no verified snapshot yet. Retry later, or use --frame.');
  }
  return replica;
}

/** Identifies the state: the position in the log, its hash, and the bytes of the snapshot. */
export function pinsOf(replica: PublishedState) {
  return {
    format: FORMAT,
    frame: replica.sequence,
    frame_hash: Buffer.from(replica.frameHash).toString('hex'),
    frame_time: new Date(replica.exchange.timeMs).toISOString(),
    snapshot_sha256: snapshotDigest(replica.exchange),
    release: readBuildInfo('').version,
  } as const;
}

export function publishedAsset(
  { asset, decimals, feesAtoms, house, issuedAtoms }: AssetLiabilities,
  { depth, leaves, root, totalAtoms }: LiabilityTree,
): PublishedAsset {
  return {
    asset,
    decimals,
    root: root.toString('hex'),
    depth,
    leaves,
    total: `${totalAtoms}`,
    house,
    fees: `${feesAtoms}`,
    issued: `${issuedAtoms}`,
  };
}

async function storeAsset(
  connection: Connection,
  key: { readonly frame: number; readonly asset: string },
  liabilities: AssetLiabilities,
  words: WordDigests,
  seed: Uint8Array,
): Promise<PublishedAsset> {
  const parts = buildLiabilityTree(key.asset, liabilities.customers, words, seed);
  let step = parts.next();
  for (; step.done !== true; step = parts.next()) {
    if ('nodes' in step.value) await insertBlock(connection, key, step.value);
    else await insertRecords(connection, key, step.value);
  }
  return publishedAsset(liabilities, step.value);
}

/** Reads the email of every user as a digest. */
async function readWords(connection: Connection): Promise<WordDigests> {
  const { rows } = await connection.query('select count(*) as count from users');
  const users = new Uint32Array(Number(rows[0].count));
  const digests = new Uint8Array(users.length * 32);
  let found = 0;
  let after = 0;
  while (found < users.length) {
    const { rows: batch } = await connection.query(
      'select id, email from users where id > $1 order by id limit $2',
      [after, Math.min(WORDS_BATCH, users.length - found)],
    );
    if (batch.length === 0) break;
    for (const { email, id } of batch) {
      after = Number(id);
      users[found] = after;
      digests.set(createHash('sha256').update(email).digest(), found++ * 32);
    }
  }
  return { users: users.subarray(0, found), digests };
}
