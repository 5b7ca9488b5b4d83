// docs/abuse-suite.md lists the tests for each attack. Every listed file must have a test with the
// attack's number in its title, and every such test must be listed.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
/** A title that starts with "abuse" and one number, or two numbers joined by `and`. */
const TITLE = /[`'"]abuse (\d+)(?: and (\d+))?\b/g;
/** Minimum number of rows, which proves that the table was parsed. */
const ROWS_MIN = 35;

const listed = readFileSync(join(ROOT, 'docs/abuse-suite.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, number, abuse, control, files] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { number, abuse, control, files: [...files.matchAll(/`([^`]+)`/g)].map(([, f]) => f) };
  });

function titlesOf(file: string): string[] {
  const titles = readFileSync(join(ROOT, file), 'utf8').matchAll(TITLE);
  return [...titles].flatMap(([, ...numbers]) => numbers.filter((one) => one !== undefined));
}

test('every attack has a control and at least one test', () => {
  assert.ok(listed.length >= ROWS_MIN);
  assert.equal(new Set(listed.map(({ number }) => number)).size, listed.length);
  for (const { abuse, control, files, number } of listed) {
    assert.ok(abuse !== '' && control !== '' && files.length > 0, number);
  }
});

test('every listed file has a test with the number in its title', () => {
  const wrong = listed.flatMap(({ files, number }) =>
    files.filter((file) => !titlesOf(file).includes(number)).map((file) => `${number} ${file}`),
  );
  assert.deepEqual(wrong, []);
});

test('every test for an attack is listed', () => {
  const tests = globSync('{features,platform,infra,protocol,services,testing,tools}/**/*.test.ts', {
    cwd: ROOT,
  });
  const unlisted = tests.flatMap((file) =>
    [...new Set(titlesOf(file))]
      .filter((number) => !listed.some((row) => row.number === number && row.files.includes(file)))
      .map((number) => `${number} ${file}`),
  );
  assert.deepEqual(unlisted, []);
});
