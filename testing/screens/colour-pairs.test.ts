// The up and down colors are distinguishable with each color-vision deficiency: CIE 1976 ΔE of at
// least 25 for the default pair and 80 for the pair designed for color-blind users.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOf, VISIONS, type Vision } from './colour-difference.ts';
import { readTokens } from './stylesheet.ts';

const DEFAULT_MIN = 25;
const VISION_MIN = 80;

const rows: readonly [look: string, visions: readonly Vision[], min: number][] = [
  ['dark teal', VISIONS, DEFAULT_MIN],
  ['light teal', VISIONS, DEFAULT_MIN],
  ['dark vision', VISIONS, VISION_MIN],
  ['light vision', VISIONS, VISION_MIN],
];

for (const [look, visions, min] of rows) {
  test(`${look}: up and down differ by ${min} for every vision`, () => {
    const tokens = readTokens().get(look)!;
    const [up, down] = [tokens.get('pair-up')!, tokens.get('pair-down')!];
    for (const vision of visions) {
      const difference = differenceOf(up, down, vision);
      assert.ok(difference >= min, `${vision}: ${difference.toFixed(1)} (expected ${min})`);
    }
  });
}

test('classic green and red fails this check, so it is only an option', () => {
  const tokens = readTokens().get('dark classic')!;
  const [up, down] = [tokens.get('pair-up')!, tokens.get('pair-down')!];
  assert.ok(differenceOf(up, down, 'deutan') < DEFAULT_MIN);
});

test('equal colors do not differ, and black and white differ by 100', () => {
  assert.equal(differenceOf('#3cc9b4', '#3cc9b4', 'protan'), 0);
  assert.equal(Math.round(differenceOf('#000000', '#ffffff', 'normal')), 100);
});
