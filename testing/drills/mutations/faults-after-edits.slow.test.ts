// Edits that preserve the meaning of the sources leave every fault in place: another layout, new
// variable names, another order of declarations. Each fault must then make the same change.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSync, Visitor } from 'vite';
import { withFault } from './fault.ts';
import { FAULTS } from './faults.ts';
import { type Range, tokensOf } from './tokens.ts';
import { REPOSITORY, textWithFault } from './working-copy.ts';

const SUFFIX = 'Renamed';
const OTHER_LAYOUT = {
  root: true,
  formatter: { indentStyle: 'tab', lineWidth: 60 },
  javascript: { formatter: { quoteStyle: 'double', trailingCommas: 'none' } },
};
const EXPECTED = new Map(FAULTS.map((fault) => [fault, textWithFault(fault)]));
const FILES = Map.groupBy(FAULTS, ({ file }) => file);

test('every fault survives another layout', () => {
  // A line break can add separators and parentheses.
  const significant = (text: string) => wordsOf(text).filter((word) => !/^[(),;|]$/.test(word));
  const texts = reformatted([...FILES.keys()]);
  for (const fault of FAULTS) {
    const found = withFault(texts.get(fault.file)!, fault);
    assert.deepEqual(significant(found), significant(EXPECTED.get(fault)!), fault.name);
  }
});

test('every fault survives new names for the variables that no fault mentions', () => {
  let renamed = 0;
  for (const [file, faults] of FILES) {
    const mentioned = new Set(wordsOf(JSON.stringify(faults)));
    const text = withOtherNames(file, mentioned);
    if (text.includes(SUFFIX)) renamed += 1;
    for (const fault of faults) {
      const found = withFault(text, fault).replaceAll(SUFFIX, '');
      assert.equal(found, EXPECTED.get(fault)!, fault.name);
    }
  }
  assert.ok(renamed > FILES.size / 2, `variables of ${renamed} of ${FILES.size} files`);
});

test('every fault survives a reversed order of declarations and class members', () => {
  // Comments at the end of a line stay where they were.
  const linesOf = (text: string) => {
    const lines = text.split('\n').map((line) => line.replace(/ \/\/ .*/, '').trimEnd());
    return lines.filter((line) => line !== '').sort();
  };
  for (const [file, faults] of FILES) {
    const text = reversed(file);
    for (const fault of faults) {
      const found = withFault(text, fault);
      assert.deepEqual(linesOf(found), linesOf(EXPECTED.get(fault)!), fault.name);
    }
  }
});

function wordsOf(text: string): string[] {
  return tokensOf(text).map((token) => token.text);
}

function textOf(file: string): string {
  return readFileSync(join(REPOSITORY, file), 'utf8');
}

function reformatted(files: readonly string[]): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-layout-'));
  try {
    const pathOf = (file: string) => join(folder, file.replaceAll('/', '+'));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(OTHER_LAYOUT));
    for (const file of files) writeFileSync(pathOf(file), textOf(file));
    const biome = join(REPOSITORY, 'node_modules/@biomejs/biome/bin/biome');
    execFileSync(process.execPath, [biome, 'format', '--write', '.'], { cwd: folder });
    return new Map(files.map((file) => [file, readFileSync(pathOf(file), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function withOtherNames(file: string, mentioned: ReadonlySet<string>): string {
  const text = textOf(file);
  const { program } = parseSync(file, text);
  const variables = new Set<string>();
  new Visitor({
    VariableDeclarator({ id }) {
      if (id.type === 'Identifier' && !mentioned.has(id.name)) variables.add(id.name);
    },
  }).visit(program);
  const ends = new Set<number>();
  new Visitor({
    Identifier({ name, start }) {
      if (variables.has(name)) ends.add(start + name.length);
    },
  }).visit(program);
  return [...ends]
    .sort((one, other) => other - one)
    .reduce((result, end) => `${result.slice(0, end)}${SUFFIX}${result.slice(end)}`, text);
}

/** Imports stay first. */
function reversed(file: string): string {
  const text = textOf(file);
  const { program } = parseSync(file, text);
  const bodies: (readonly Range[])[] = [];
  new Visitor({ ClassBody: ({ body }) => void bodies.push(body) }).visit(program);
  bodies.push(program.body.filter(({ type }) => type !== 'ImportDeclaration'));
  return bodies.reduce(withReversed, text);
}

/** The text keeps its length, so ranges around the parts stay valid. */
function withReversed(text: string, parts: readonly Range[]): string {
  if (parts.length === 0) return text;
  const [first, last] = [parts[0].start, parts[parts.length - 1].end];
  const pieces = parts.map(({ start, end }) => text.slice(start, end)).reverse();
  const gaps = parts.slice(1).map(({ start }, at) => text.slice(parts[at].end, start));
  const inner = pieces.map((piece, at) => `${piece}${gaps[at] ?? ''}`);
  return `${text.slice(0, first)}${inner.join('')}${text.slice(last)}`;
}
