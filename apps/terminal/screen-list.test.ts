// Every text key in a screen's files belongs to one of the areas that the screen loads.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { loadWords } from '../ui/catalogue.ts';
import { AREAS, type Area } from '../ui/word-files.ts';
import { SCREENS, type ScreenEntry } from './screen-list.ts';

const HERE = import.meta.dirname;
const APPS = resolve(HERE, '..');

/** Text keys by area; a prefix such as `trade.kind.` stands for all keys that start with it. */
const words = new Map<Area, readonly string[]>();
for (const area of AREAS) words.set(area, Object.keys(await loadWords('en', [area])));
const FIRST_PARTS = new Set([...words.values()].flat().map((word) => word.split('.')[0]));

const AT_ONCE = /from '(\.[^']+\.tsx?)'/g;
const ALSO_LATER = /(?:from |import\()'(\.[^']+\.tsx?)'/g;

/** Returns the file and everything that it imports inside `apps/`. */
function filesOf(file: string, imports: RegExp, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, path] of text.matchAll(imports)) {
    const next = resolve(dirname(file), path);
    if (next.startsWith(APPS)) filesOf(next, imports, found);
  }
  return found;
}

/** Returns quoted texts that look like keys, and key prefixes in templates. */
function wordsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const plain = [...text.matchAll(/'([a-zA-Z]+\.[\w.-]+)'/g)].map(([, word]) => word);
  const begun = [...text.matchAll(/`([a-zA-Z]+\.[\w.-]*)\$\{/g)].map(([, word]) => `${word}*`);
  return [...plain, ...begun].filter((word) => FIRST_PARTS.has(word.split('.')[0]));
}

function areaOf(word: string): Area | undefined {
  const isIt = word.endsWith('*')
    ? (one: string) => one.startsWith(word.slice(0, -1))
    : (one: string) => one === word;
  return AREAS.find((area) => words.get(area)?.some(isIt));
}

function areasNeededBy(file: string, imports = ALSO_LATER): Map<Area, string> {
  const needed = new Map<Area, string>();
  for (const one of filesOf(file, imports)) {
    for (const word of wordsIn(one)) {
      const area = areaOf(word);
      if (area !== undefined && !needed.has(area)) needed.set(area, `${one}: ${word}`);
    }
  }
  return needed;
}

for (const { areas, screen } of SCREENS as readonly ScreenEntry[]) {
  test(`the screen ${screen} loads exactly the text areas that it uses`, () => {
    const needed = areasNeededBy(join(HERE, 'screens', `${screen}.tsx`));
    needed.delete('shell');
    assert.deepEqual([...needed.keys()].sort(), [...areas].sort(), [...needed.values()].join('\n'));
  });
}

test('the frame needs only its own texts', () => {
  const entry = ['main.tsx', 'banners.tsx'];
  const needed = entry.map((file) => areasNeededBy(join(HERE, file), AT_ONCE));
  const frame = new Set(needed.flatMap((areas) => [...areas.keys()]));
  assert.deepEqual([...frame], ['shell']);
});
