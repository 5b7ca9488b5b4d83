// Runbooks become blocks, and every runbook of the repository is readable in the console.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { blocksOf, inlinesOf } from './markdown.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/operating/runbooks');

test('headings, paragraphs, lists, tables and code', () => {
  const blocks = blocksOf(
    '# NoLeader\n\nTwo\nlines.\n\n1. First\n   goes on\n2. Second\n\n' +
      '| A | B |\n|---|---|\n| 1 | `x` |\n\n```\ncurl\n```\n- dash',
  );
  const text = (part: string) => [{ kind: 'text', text: part }];
  assert.deepEqual(blocks, [
    { kind: 'heading', level: 1, text: 'NoLeader' },
    { kind: 'paragraph', line: text('Two lines.') },
    { kind: 'list', isOrdered: true, items: [text('First goes on'), text('Second')] },
    {
      kind: 'table',
      head: [text('A'), text('B')],
      rows: [[text('1'), [{ kind: 'code', text: 'x' }]]],
    },
    { kind: 'code', text: 'curl' },
    { kind: 'list', isOrdered: false, items: [text('dash')] },
  ]);
});

test('links lead to pages beside it, and nowhere else', () => {
  assert.deepEqual(inlinesOf('see [NoLeader](no-leader.md), **not** [this](https://e.example)'), [
    { kind: 'text', text: 'see ' },
    { kind: 'link', text: 'NoLeader', page: 'no-leader' },
    { kind: 'text', text: ', ' },
    { kind: 'strong', text: 'not' },
    { kind: 'text', text: ' ' },
    { kind: 'text', text: 'this' },
  ]);
});

test('every runbook begins with its name and ends with all its words', () => {
  for (const name of readdirSync(FOLDER).filter((one) => one !== 'README.md')) {
    const source = readFileSync(join(FOLDER, name), 'utf8');
    const blocks = blocksOf(source);
    assert.equal(blocks[0].kind, 'heading', name);
    const words = (text: string) => text.match(/[a-z]{4,}/gi) ?? [];
    const shown = new Set(words(JSON.stringify(blocks).replaceAll('\\n', ' ')));
    const links = source.replaceAll(/\]\([^)]*\)/g, ']').replaceAll(/^```\w*$/gm, '');
    const lost = words(links).filter((word) => !shown.has(word));
    assert.deepEqual(lost, [], name);
  }
});
