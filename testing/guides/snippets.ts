// The code blocks of the guides: every block of the README and of docs/api, with its language and
// the reason why it is not run, if there is one.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const API_PAGES = 'docs/api';

/** Blocks that show data and are not run. */
export const DATA = ['json', 'text'];

export interface Snippet {
  readonly page: string;
  readonly line: number;
  /** Empty if the block does not name a language. */
  readonly language: string;
  readonly text: string;
  /** Whether a heading is between this block and the previous one. */
  readonly opensSection: boolean;
  /** From a comment `<!-- not run: REASON -->` on the line before the block. */
  readonly notRun: string | undefined;
}

export function readSnippets(): readonly Snippet[] {
  const names = readdirSync(join(ROOT, API_PAGES)).filter((name) => name.endsWith('.md'));
  const pages = ['README.md', ...names.sort().map((name) => `${API_PAGES}/${name}`)];
  return pages.flatMap((page) => snippetsOf(page, readFileSync(join(ROOT, page), 'utf8')));
}

export function snippetsOf(page: string, text: string): readonly Snippet[] {
  const found = text.matchAll(/^(?:<!-- not run: (.+) -->\n)?```(\w*)\n(.*?)^```$/gms);
  let end = 0;
  return [...found].map(({ 0: block, 1: notRun, 2: language, 3: code, index }) => {
    const between = text.slice(end, index);
    end = index + block.length;
    return {
      page,
      line: text.slice(0, index).split('\n').length,
      language,
      text: code,
      opensSection: /^#/m.test(between),
      notRun,
    };
  });
}
