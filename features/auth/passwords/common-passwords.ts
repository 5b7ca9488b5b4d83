// The commonest passwords, in lower case, as a Bloom filter in a file beside this one.
// tools/common-passwords writes the file from a published list.

import { readFileSync } from 'node:fs';
import { BloomFilter } from './bloom-filter.ts';

export const COMMON_PASSWORDS_FILE = new URL('common-passwords.bloom', import.meta.url);

let loaded: BloomFilter | undefined;

/** Read at the first use: most processes never check a password. */
export function commonPasswords(): BloomFilter {
  loaded ??= new BloomFilter(readFileSync(COMMON_PASSWORDS_FILE));
  return loaded;
}
