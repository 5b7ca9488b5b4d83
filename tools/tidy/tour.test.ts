// The guided tour: every link leads to a file, and every symbol after a link is in that file.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = 'docs/tour.md';
const STOPS = 10;
/** A link to a file in the repository, and the symbols in parentheses right after it. */
const LINK = /\[[^\]]+\]\(([^)#\s]+)(?:#[^)]*)?\)(?:,? ?\(?((?:`#?\w+`(?:, )?)+))?/g;

interface Missing {
  readonly path: string;
  readonly symbol?: string;
}

function missingIn(text: string): Missing[] {
  return [...text.matchAll(LINK)].flatMap(([, link, symbols = '']) => {
    const path = join(dirname(PAGE), link);
    const file = join(ROOT, path);
    if (!existsSync(file)) return [{ path }];
    if (!statSync(file).isFile()) return [];
    const code = readFileSync(file, 'utf8');
    return [...symbols.matchAll(/`(#?\w+)`/g)]
      .filter(([, symbol]) => !new RegExp(`(?<!\\w)${symbol}\\b`).test(code))
      .map(([, symbol]) => ({ path, symbol }));
  });
}

const page = readFileSync(join(ROOT, PAGE), 'utf8');

test('every link and symbol in the tour exists', () => {
  assert.deepEqual(missingIn(page), []);
});

test('the tour has ten stops, each with a promise and a symbol', () => {
  const stops = page.split(/^## \d+\. /m).slice(1);
  assert.equal(stops.length, STOPS);
  for (const stop of stops) {
    assert.match(stop, /\*\*Promise:\*\*/);
    assert.match(stop, /\]\([^)]+\),? ?\(?`#?\w+`/, stop);
  }
});

test('a missing file and a missing symbol are reported', () => {
  const text =
    '[a](../core/gone.ts) and [b](../core/engine/apply-frame.ts) (`applyFrame`, `applyFrom`)';
  assert.deepEqual(missingIn(text), [
    { path: 'core/gone.ts' },
    { path: 'core/engine/apply-frame.ts', symbol: 'applyFrom' },
  ]);
});
