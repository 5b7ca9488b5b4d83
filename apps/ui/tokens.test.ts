// Computes the tokens' contrast: at least 4.5 for text and 3 for input borders. Views must not use
// left or right.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const FOLDER = join(import.meta.dirname, '..');
const css = readFileSync(join(FOLDER, 'ui/tokens.css'), 'utf8');

type Tokens = Record<string, string>;

/** Returns the custom properties of each rule whose selector has only these attributes. */
function tokensOf(...selectors: string[]): Tokens {
  const tokens: Tokens = {};
  for (const selector of selectors) {
    for (const [, name, rule] of css.matchAll(/^(:root[^{]*?) \{([^}]*)\}/gm)) {
      if (name !== selector) continue;
      for (const [, token, value] of rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)) {
        tokens[token] = value;
      }
    }
  }
  return tokens;
}

const DARK = tokensOf(':root');
const LIGHT = { ...DARK, ...tokensOf(':root[data-theme="light"]') };
const looks: readonly [name: string, tokens: Tokens][] = [
  ['dark', DARK],
  ['light', LIGHT],
  ['dark vision', { ...DARK, ...tokensOf(':root[data-colours="vision"]') }],
  ['light vision', { ...LIGHT, ...tokensOf(':root[data-colours="vision"][data-theme="light"]') }],
  ['dark classic', { ...DARK, ...tokensOf(':root[data-colours="classic"]') }],
  ['light classic', { ...LIGHT, ...tokensOf(':root[data-colours="classic"][data-theme="light"]') }],
];

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

for (const [name, tokens] of looks) {
  test(`${name}: text and borders have enough contrast`, () => {
    for (const ground of ['ground', 'panel', 'raised']) {
      for (const text of ['text', 'quiet', 'accent', 'warn', 'pair-up', 'pair-down']) {
        const found = contrast(tokens[text], tokens[ground]);
        assert.ok(found >= 4.5, `${text} on ${ground}: ${found.toFixed(2)}`);
      }
      const edge = contrast(tokens.edge, tokens[ground]);
      assert.ok(edge >= 3, `edge on ${ground}: ${edge.toFixed(2)}`);
    }
    for (const fill of ['accent', 'pair-up', 'pair-down']) {
      const found = contrast(tokens['on-fill'], tokens[fill]);
      assert.ok(found >= 4.5, `on-fill on ${fill}: ${found.toFixed(2)}`);
    }
  });
}

const SIDED =
  /[\s"'`:](?:-?(?:ml|mr|pl|pr|left|right|border-l|border-r|rounded-[lr])-|text-(?:left|right)\b)/;
const SIDED_CSS = /\b(?:margin|padding|border)-(?:left|right)\b|^\s*(?:left|right):/m;

test('views and styles use no left or right side', () => {
  for (const path of globSync('*/**/*.{tsx,css}', { cwd: FOLDER })) {
    if (path.includes('dist/')) continue;
    const text = readFileSync(join(FOLDER, path), 'utf8');
    const pattern = path.endsWith('css') ? SIDED_CSS : SIDED;
    assert.doesNotMatch(text, pattern, path);
  }
});
