// Writes the filter for common passwords from a published list, a JSON array with the most common
// first: `npx node tools/common-passwords/main.ts LIST`. The source of the stored filter is
// src/passwords.json of @zxcvbn-ts/language-common 4.1.3 (MIT), which is not installed.

import { readFileSync, writeFileSync } from 'node:fs';
import { BloomFilter, COMMON_PASSWORDS_FILE } from '../../features/auth/index.ts';
import { EXIT_OK, runTool, UsageFault } from '../command-line.ts';

const USAGE = `Usage: npx node tools/common-passwords/main.ts LIST

Writes features/auth/passwords/common-passwords.bloom from LIST, a JSON array of passwords, most
common first.
`;
/** Shorter passwords are refused without the filter. */
const CHARACTERS_MIN = 8;
/** Common endings of users who must add a character to a password. */
const ENDINGS = ['1', '12', '123', '1234', '!', '1!', '123!', '@123', '2025', '2026'];
const EXTENDED_MAX = 10_000;

await runTool({
  usage: USAGE,
  options: {},
  takesPositionals: true,
  async run({ positionals: [list] }) {
    if (list === undefined) throw new UsageFault('LIST is required.');
    const all = JSON.parse(readFileSync(list, 'utf8')) as string[];
    const extended = all.slice(0, EXTENDED_MAX);
    const texts = [...all, ...ENDINGS.flatMap((end) => extended.map((text) => text + end))];
    const common = new Set(
      texts.filter((text) => text.length >= CHARACTERS_MIN).map((text) => text.toLowerCase()),
    );
    const { bytes } = BloomFilter.of(common);
    writeFileSync(COMMON_PASSWORDS_FILE, bytes);
    console.log(`${common.size} passwords in ${bytes.length} bytes`);
    return EXIT_OK;
  },
});
