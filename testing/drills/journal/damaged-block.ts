// Damages a block file of the COMMANDS log on a stopped NATS server.

import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalNames } from '../../../infra/journal/index.ts';
import type { Random } from '../../flows/index.ts';
import { EXCHANGE } from '../harness/log-stage.ts';

export type Damage = 'flipped' | 'truncated';

const FLIPPED_BYTES = 16;

/** Returns a description of the damage. */
export function damageBlock(storeFolder: string, random: Random, damage: Damage): string {
  const { stream } = journalNames(EXCHANGE).commands;
  const folder = join(storeFolder, 'jetstream', '$G', 'streams', stream, 'msgs');
  const blocks = readdirSync(folder).filter((name) => name.endsWith('.blk'));
  if (blocks.length === 0) throw new Error(`Expected block files in ${folder}, found none.`);
  const block = random.pick(
    blocks.toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10)),
  );
  const file = join(folder, block);
  const { size } = statSync(file);
  const middle = Math.floor(size / 2);
  if (damage === 'truncated') {
    truncateSync(file, middle);
    return `${block} truncated from ${size} to ${middle} bytes`;
  }
  const bytes = readFileSync(file);
  for (let at = middle; at < Math.min(middle + FLIPPED_BYTES, size); at++) bytes[at] ^= 0xff;
  writeFileSync(file, bytes);
  return `${FLIPPED_BYTES} bytes of ${block} flipped at ${middle} of ${size}, of ${blocks.length}`;
}
