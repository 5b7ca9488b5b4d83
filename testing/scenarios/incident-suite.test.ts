// Tests docs/incident-suite.md, which lists the test for each incident. Every file and title must
// exist, all 28 rows must be present, and every story for an incident must be listed.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseScenarios } from './parse-scenario.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const STORIES = 'testing/scenarios/stories';
const INCIDENTS = 28;
const DEFECTS = [
  "fill stamped at the taker's price",
  'IOC remainder rests',
  'a marketable limit sweeps through its own limit',
  'modify removes an order twice or deletes a level that still has orders',
  'duplicate live id accepted',
  'canceling the last order of a level leaves an empty level',
  'filled maker left in the id map',
  'stop cascade evaluated once only',
  'unstable order within a level',
  'comparator yields NaN',
  'best price wrong beyond 100 levels',
  'a direct-indexed window drops orders outside it',
];

interface Row {
  /** An incident's number or a defect's name. */
  readonly about: string;
  readonly file: string;
  readonly title: string;
  readonly state: string;
}

const text = readFileSync(join(ROOT, 'docs/incident-suite.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:#|Defect) /.test(line))
  .map((line): Row => {
    const cells = line.split('|').slice(1, -1);
    const [file, title, state] = cells.slice(-3).map((cell) => cell.trim().replaceAll('`', ''));
    return { about: cells[0].trim(), file, title, state };
  });

function titlesIn(path: string): string[] {
  const source = readFileSync(join(ROOT, path), 'utf8');
  if (path.endsWith('.scenario')) return parseScenarios(source, path).map(({ title }) => title);
  const calls = source.matchAll(/\btest\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g);
  return [...calls].map(([, , title]) => title.replaceAll(/\$\{[^}]*\}/g, '…'));
}

test('the incident suite has every incident and every frequent defect', () => {
  const expected = Array.from({ length: INCIDENTS }, (_, n) => String(n + 1)).concat(DEFECTS);
  assert.deepEqual(new Set(rows.map(({ about }) => about)), new Set(expected));
});

test('the incident suite names only existing tests, and one for each held row', () => {
  for (const { about, file, title, state } of rows) {
    if (state.startsWith('waits for ')) {
      assert.deepEqual([file, title], ['-', '-'], `${about} is waiting but names a test`);
      continue;
    }
    assert.match(state, /^held/, `${about} is neither held nor waiting`);
    assert.ok(existsSync(join(ROOT, file)), `${about}: there is no ${file}`);
    assert.ok(titlesIn(file).includes(title), `${about}: ${file} has no test '${title}'`);
  }
});

test('the incident suite names every story written for an incident or a defect', () => {
  for (const name of readdirSync(join(ROOT, STORIES))) {
    const path = `${STORIES}/${name}`;
    for (const { why, title } of parseScenarios(readFileSync(join(ROOT, path), 'utf8'), path)) {
      const about = /^incident (\d+):/.exec(why)?.[1] ?? /^frequent defect: (.*)$/.exec(why)?.[1];
      if (about === undefined) continue;
      const isNamed = rows.some(
        (row) => row.about === about && row.file === path && row.title === title,
      );
      assert.ok(isNamed, `${path}: '${title}' covers ${about} and is not in the table`);
    }
  }
});
