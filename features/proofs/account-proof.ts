// One account's part of a proof file: its salt, and the amount, place and path of each chunk.

import { cutAmount, saltOf } from './leaf.ts';
import type { AccountRecord } from './liability-tree.ts';
import type { TreeNode } from './sum-tree.ts';

export interface AccountProof {
  asset: string;
  salt: string;
  chunks: {
    atoms: string;
    place: number;
    /** Siblings from the leaf up. */
    path: { hash: string; atoms: string }[];
  }[];
}

export interface ProvenAccount {
  readonly asset: string;
  readonly record: AccountRecord;
  readonly seed: Uint8Array;
  pathOf(place: number): readonly TreeNode[];
}

export function accountProof({ asset, pathOf, record, seed }: ProvenAccount): AccountProof {
  const { atoms, places, user } = record;
  const amounts = cutAmount(seed, { asset, user, atoms });
  return {
    asset,
    salt: saltOf(seed, asset, user).toString('hex'),
    chunks: places.map((place, chunk) => ({
      atoms: `${amounts[chunk]}`,
      place,
      path: pathOf(place).map((node) => ({
        hash: node.hash.toString('hex'),
        atoms: `${node.atoms}`,
      })),
    })),
  };
}
