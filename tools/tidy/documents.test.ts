// Paths named in the main documents exist.

import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'STYLE.md',
  'docs/glossary.md',
  'docs/tour.md',
];
/** A path in backticks, relative to the repository root. */
const PATH = /`((?:core|features|platform|protocol|infra|services|testing|tools|docs)\/[\w./-]+)`/g;

function missingIn(text: string): string[] {
  return [...text.matchAll(PATH)].map((found) => found[1]).filter((path) => !isThere(path));
}

function isThere(path: string): boolean {
  return existsSync(join(ROOT, path));
}

/** Targets of relative links; code and external links are skipped. */
function brokenLinks(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
  return links
    .filter((link) => !/^(?:https?:|mailto:)/.test(link))
    .filter((link) => {
      const [path, anchor] = link.split('#');
      const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
    })
    .map((link) => `${page}: ${link}`);
}

/** Returns anchors as GitHub generates them from headings. */
function anchorsOf(file: string): readonly string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('every relative link in a document leads to a file and a heading', () => {
  const pages = globSync(
    '{*.md,docs/**/*.md,{client,features,services,tools,testing}/**/README.md}',
    {
      cwd: ROOT,
      exclude: (name) => name === 'node_modules',
    },
  );
  assert.ok(pages.length > 100, `${pages.length} pages`);
  assert.deepEqual(pages.flatMap(brokenLinks), []);
});

for (const page of PAGES) {
  test(`${page} names only files that exist`, () => {
    assert.deepEqual(missingIn(readFileSync(join(ROOT, page), 'utf8')), []);
  });
}

test('the front page of the handbook lists every page, once', () => {
  const folder = join(ROOT, 'docs/operating');
  const front = readFileSync(join(folder, 'README.md'), 'utf8');
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const rows = [...front.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(([, name]) => name);
  assert.deepEqual(rows.sort(), pages.sort());
});

test('a page that names a missing file is reported', () => {
  assert.deepEqual(missingIn('see `core/engine/gone.ts` and `core/engine/index.ts`'), [
    'core/engine/gone.ts',
  ]);
});
