// Other releases of the exchange: copies of the sources with a changed rule. Only reads the
// repository.

import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { RULES_VERSION_MAX } from '../../../core/messages/index.ts';
import { type Fault, withFault } from '../mutations/fault.ts';

export const REPOSITORY = resolve(import.meta.dirname, '../../..');
export const NEXT_RULES = RULES_VERSION_MAX + 1;

const NOT_COPIED = new Set(['node_modules', '.git', 'docs', 'testing']);
const COPIED = readdirSync(REPOSITORY).filter((entry) => !NOT_COPIED.has(entry));
const SETTLEMENT = 'core/engine/match-listener.ts';

/** Takers pay two fees under the next rules version, and one until then. */
const NEXT_RELEASE: readonly Fault[] = [
  {
    name: 'the next rules version is known',
    file: 'core/messages/rules-versions.ts',
    in: 'RULES_VERSION_MAX',
    value: `${NEXT_RULES}`,
  },
  {
    name: 'taker fees double with the next rules version',
    file: SETTLEMENT,
    in: 'settle.takerFee',
    replace: ['feeAtoms', `(exchange.rulesVersion >= ${NEXT_RULES} ? 2n : 1n) * feeAtoms`],
  },
];

/** A changed rule that is not behind a rules version. */
const CARELESS_RELEASE: readonly Fault[] = [
  {
    name: 'taker fees are rounded down immediately',
    file: SETTLEMENT,
    in: 'settle.takerFee',
    value: `((upFee: bigint) => (upFee > 0n ? upFee - 1n : upFee))(
      feeAtoms(takerSells ? quote : base, takerPpm),
    )`,
  },
];

export const RELEASES = { next: NEXT_RELEASE, careless: CARELESS_RELEASE } as const;

/** Returns the folder of the release, with these entries of the repository. */
export function makeRelease(
  name: keyof typeof RELEASES,
  parent: string,
  entries: readonly string[] = COPIED,
): string {
  const folder = join(parent, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const entry of entries) {
    cpSync(join(REPOSITORY, entry), join(folder, entry), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  for (const change of RELEASES[name]) {
    const text = readFileSync(join(folder, change.file), 'utf8');
    writeFileSync(join(folder, change.file), withFault(text, change));
  }
  return folder;
}
