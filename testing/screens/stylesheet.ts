// Style sheet checks: computed contrast of all color tokens, and no property that names a side, so
// right-to-left languages mirror everything.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { linearOf } from './colour-difference.ts';

const TOKENS = join(import.meta.dirname, '../../apps/ui/tokens.css');
/** WCAG 2.2: 1.4.3 for text, 1.4.11 for control edges. */
const TEXT_MIN = 4.5;
const EDGE_MIN = 3;
const GROUNDS = ['ground', 'panel', 'raised'];
const TEXTS = ['text', 'quiet', 'accent', 'warn', 'pair-up', 'pair-down'];
const FILLS = ['accent', 'pair-up', 'pair-down'];

type Tokens = ReadonlyMap<string, string>;

const contrast: Check = {
  name: 'contrast of tokens',
  from: 'smoke',
  lane: 'views',
  async run() {
    let least = Number.POSITIVE_INFINITY;
    const low: string[] = [];
    const need = (look: string, tokens: Tokens, [front, back]: [string, string], min: number) => {
      const ratio = contrastOf(tokens.get(front)!, tokens.get(back)!);
      if (min === TEXT_MIN) least = Math.min(least, ratio);
      if (ratio < min) low.push(`${look}: ${front} on ${back} ${ratio.toFixed(2)} < ${min}`);
    };
    const looks = readTokens();
    for (const [look, tokens] of looks) {
      for (const back of GROUNDS) {
        for (const front of TEXTS) need(look, tokens, [front, back], TEXT_MIN);
        need(look, tokens, ['edge', back], EDGE_MIN);
      }
      for (const fill of FILLS) need(look, tokens, ['on-fill', fill], TEXT_MIN);
    }
    assert.deepEqual(low, []);
    return { looksOfTokens: looks.size, leastContrast: Number(least.toFixed(2)) };
  },
};

/** Returns themes and color pairs, each with its resolved tokens. */
export function readTokens(): ReadonlyMap<string, Tokens> {
  const css = readFileSync(TOKENS, 'utf8');
  const blocks = [...css.matchAll(/^:root((?:\[[^\]]+\])*) \{([^}]*)\}/gm)].map(
    ([, selector, body]) => ({
      conditions: [...selector.matchAll(/\[data-(\w+)="(\w+)"\]/g)].map(([, key, value]) => ({
        key,
        value,
      })),
      values: [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, key, value]) => ({
        key,
        value,
      })),
    }),
  );
  const looks = new Map<string, Tokens>();
  for (const theme of ['dark', 'light']) {
    for (const colours of ['teal', 'vision', 'classic']) {
      const chosen: Readonly<Record<string, string>> = { theme, colours };
      const tokens = new Map<string, string>();
      for (const { conditions, values } of blocks) {
        if (conditions.some(({ key, value }) => chosen[key] !== value)) continue;
        for (const { key, value } of values) tokens.set(key, value);
      }
      looks.set(`${theme} ${colours}`, tokens);
    }
  }
  return looks;
}

function contrastOf(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = linearOf(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const SIDED = [
  '(?:scroll-)?(?:margin|padding)-(?:left|right)',
  'border-(?:left|right)[\\w-]*',
  'border-(?:top|bottom)-(?:left|right)-radius',
  'left',
  'right',
  'float',
  'text-align:(?:left|right)',
];
const SIDES = new RegExp(`(?<=[;{])(?:${SIDED.join('|')})(?=[:;}])[^;}]*`, 'g');

/** Rules for the depth chart, which runs from left to right in every language. */
const CHART_RULES = /[^{}]*\.(?:u-|uplot)[^{}]*\{[^}]*\}/g;

const sides: Check = {
  name: 'no left or right in styles',
  from: 'smoke',
  lane: 'views',
  async run({ files: folder }) {
    const assets = join(folder, 'assets');
    const found = readdirSync(assets)
      .filter((name) => name.endsWith('.css'))
      .map((name) => readFileSync(join(assets, name), 'utf8').replaceAll(CHART_RULES, ''))
      .flatMap((css) => css.match(SIDES) ?? []);
    assert.deepEqual(found, []);
    return undefined;
  },
};

export const stylesheet: readonly Check[] = [contrast, sides];
