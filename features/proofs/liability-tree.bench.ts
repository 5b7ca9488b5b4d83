// Measures building the trees of a publication: 10,000,000 users with three assets each, and the
// proof of one user. Time on the processor counts, because other work shares the machine.

import { createHash } from 'node:crypto';
import { buildLiabilityTree } from './liability-tree.ts';

const USERS = 10_000_000;
const QUICK_USERS = 100_000;
const ASSETS = ['btc', 'eth', 'usdt'];
const SEED = Buffer.alloc(32, 7);
const MS_PER_US = 1_000;
const MEGABYTE = 1_000_000;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const count = quick ? QUICK_USERS : USERS;
  const users = Uint32Array.from({ length: count }, (_, index) => index + 1);
  const atoms = BigUint64Array.from(users, (user) => BigInt(user) * 1_000_003n);
  const digests = new Uint8Array(count * 32);
  for (const user of users) {
    const digest = createHash('sha256').update(`user${user}@example.com`).digest();
    digests.set(digest, (user - 1) * 32);
  }
  const beganMs = performance.now();
  const began = process.cpuUsage();
  let treeBytes = 0;
  let recordBytes = 0;
  for (const asset of ASSETS) {
    for (const part of buildLiabilityTree(asset, { users, atoms }, { users, digests }, SEED)) {
      if ('nodes' in part) treeBytes += part.nodes.length;
      else recordBytes += part.records.length;
    }
  }
  const { user } = process.cpuUsage(began);
  return {
    users: count,
    assets: ASSETS.length,
    elapsedMs: Math.round(performance.now() - beganMs),
    processorMs: Math.round(user / MS_PER_US),
    memoryMb: Math.round((process.resourceUsage().maxRSS * 1_024) / MEGABYTE),
    treeMb: Math.round(treeBytes / MEGABYTE),
    recordMb: Math.round(recordBytes / MEGABYTE),
  };
}
