// Finds Firefox, which screen tests need in addition to Chromium, and fonts for every script on the
// screens, or installs them from Debian packages.

import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { installDebian } from './install-debian.ts';

const FIREFOX_NAMES = ['firefox-esr', 'firefox'];

/** A file in each package. Without them, Chinese and Japanese are empty boxes. */
const FONTS: Readonly<Record<string, string>> = {
  'fonts-noto-core': '/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
  'fonts-noto-color-emoji': '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf',
};

/** Returns the path of a Firefox on this machine, preferably the one in RIALTO_FIREFOX. */
export function findFirefox(environment = process.env): string | undefined {
  const named = environment.RIALTO_FIREFOX;
  const names = named === undefined || named === '' ? FIREFOX_NAMES : [named];
  const folders = (environment.PATH ?? '').split(delimiter);
  const paths = names.flatMap((name) =>
    isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name)),
  );
  return paths.find((path) => existsSync(path));
}

/** Resolves with its path; throws if it is missing and cannot be installed. */
export async function installFirefox(): Promise<string> {
  const tried: string[] = [];
  const found =
    findFirefox() ??
    (await installDebian({ packages: ['firefox-esr'], find: () => findFirefox(), tried }));
  if (found !== undefined) return found;
  throw missing('No Firefox found.', tried, 'Set RIALTO_FIREFOX to its path, or install it');
}

/** Resolves with the package names; throws if one is missing and cannot be installed. */
export async function installFonts(): Promise<string> {
  const absent = () => Object.keys(FONTS).filter((name) => !existsSync(FONTS[name]));
  const all = Object.keys(FONTS).join(', ');
  if (absent().length === 0) return all;
  const tried: string[] = [];
  const find = () => (absent().length === 0 ? all : undefined);
  const found = await installDebian({ packages: absent(), find, tried });
  if (found !== undefined) return found;
  throw missing(`These fonts are missing: ${absent().join(', ')}.`, tried, 'Install them');
}

function missing(what: string, tried: readonly string[], act: string): Error {
  const lines = tried.map((line) => `  - ${line}`);
  return new Error(
    [what, ...lines, `${act} (on Debian, as root: npm run services -- install).`].join('\n'),
  );
}
