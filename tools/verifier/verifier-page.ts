// Builds the verifier page as one file: the page, and the client's verifier without types. Must add
// no other code, because the page is what users trust.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
export const VERIFIER_FILE = join(ROOT, 'apps/verifier/verifier.html');

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Types leave blanks behind, and a page without modules has neither imports nor exports. */
function scriptOf(path: string): string {
  return stripTypeScriptTypes(read(path))
    .replace(/^import .*?;$/gms, '')
    .replace(/^export (?=async|function|const)/gm, '')
    .replace(/ +(?=[,)]|$)/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

export function verifierPage(): string {
  const page = read('apps/verifier/page.html');
  const sources = ['client/liability-proof.ts', 'apps/verifier/main.ts'];
  const script = `\n${sources.map(scriptOf).join('\n\n')}\n`;
  const [, style] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy =
    `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; ` +
    "base-uri 'none'; form-action 'none'";
  return page
    .replace(
      '<!-- policy -->',
      () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    )
    .replace('\n// script\n', () => script);
}
