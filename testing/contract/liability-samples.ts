// A valid request for a proof of liabilities, with a publication in which alice has a balance.

import { createHash, randomBytes } from 'node:crypto';
import {
  buildLiabilityTree,
  FORMAT,
  findPublication,
  insertBlock,
  insertPublication,
  insertRecords,
  openPublicationSigner,
  SEED_BYTES,
} from '../../features/proofs/index.ts';
import { inTransaction, type Pool, withConnection } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';

interface LiabilityWorld {
  readonly registry: Pool;
  readonly vault: Vault;
  userId(owner: 'admin' | 'alice' | 'bob'): number;
}

const FRAME = 10;
const ATOMS = 500n;

async function publish({ registry, userId, vault }: LiabilityWorld): Promise<void> {
  if ((await findPublication(registry)) !== undefined) return;
  const seed = randomBytes(SEED_BYTES);
  const users = Uint32Array.of(userId('alice'));
  const digests = createHash('sha256').update('alice').digest();
  const columns = { users, atoms: BigUint64Array.of(ATOMS) };
  const key = { frame: FRAME, asset: 'btc' };
  await withConnection(registry, (connection) =>
    inTransaction(connection, async () => {
      const parts = buildLiabilityTree(key.asset, columns, { users, digests }, seed);
      let step = parts.next();
      for (; step.done !== true; step = parts.next()) {
        if ('nodes' in step.value) await insertBlock(connection, key, step.value);
        else await insertRecords(connection, key, step.value);
      }
      const { depth, leaves, root, totalAtoms } = step.value;
      const total = `${totalAtoms}`;
      const asset = { asset: key.asset, decimals: 8, root: root.toString('hex'), depth, leaves };
      const document = {
        format: FORMAT,
        frame: FRAME,
        frame_hash: '11'.repeat(32),
        frame_time: '2026-01-01T00:00:00.000Z',
        snapshot_sha256: '22'.repeat(32),
        release: '0.1.0',
        published_at: '2026-01-01T00:01:00.000Z',
        previous: null,
        assets: [{ ...asset, total, house: [], fees: '0', issued: total }],
      } as const;
      const publication = (await openPublicationSigner(connection, vault)).sign(document);
      await insertPublication(connection, vault, { document, publication, seed });
    }),
  );
}

export const liabilitySamples = {
  getLiabilityProof: async (world: LiabilityWorld) => {
    await publish({
      registry: world.registry,
      vault: world.vault,
      userId: (owner) => world.userId(owner),
    });
    return { query: { frame: FRAME } };
  },
} as const;
