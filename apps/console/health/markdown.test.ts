// Runbooks become tokens, and the console can render every runbook in the repository.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { walkTokens } from 'marked';
import { linkedPage, plainText, tokensOf } from './markdown.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/operating/runbooks');

test('headings, paragraphs, lists, tables and code are parsed', () => {
  const tokens = tokensOf(
    '# NoLeader\n\nTwo\nlines.\n\n1. First\n   goes on\n2. Second\n\n' +
      '| A | B |\n|---|---|\n| 1 | `x` |\n\n```\ncurl\n```\n- dash',
  );
  const types = tokens.map(({ type }) => type);
  assert.deepEqual(types, ['heading', 'paragraph', 'list', 'table', 'code', 'list']);
  assert.equal(plainText(tokens[1]), 'Two lines.');
  assert.ok(tokens[2].type === 'list' && tokens[2].ordered);
  assert.deepEqual(tokens[2].items.map(plainText), ['First goes on', 'Second']);
});

test('only links to runbooks in the same folder work', () => {
  assert.equal(linkedPage('no-leader.md'), 'no-leader');
  assert.equal(linkedPage('no-leader.md#repair'), 'no-leader');
  for (const href of ['https://e.example/x.md', 'javascript:alert(1)', '../x.md', '#repair']) {
    assert.equal(linkedPage(href), undefined, href);
  }
});

const RENDERED = new Set(
  'heading paragraph text list list_item table code codespan strong link space'.split(' '),
);

test('every runbook begins with its name and uses only markup that the page renders', () => {
  for (const name of readdirSync(FOLDER).filter((one) => one !== 'README.md')) {
    const tokens = tokensOf(readFileSync(join(FOLDER, name), 'utf8'));
    assert.equal(tokens[0].type, 'heading', name);
    walkTokens([...tokens], ({ raw, type }) => assert.ok(RENDERED.has(type), `${name}: ${raw}`));
  }
});
