// Other languages: numbers equal English character by character, tables and charts run in the right
// direction, and no text is cut off with 40% longer words.

import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildCopy, copySources } from './built-copy.ts';
import type { Check } from './check.ts';
import { longer, MARK } from './longer-words.ts';
import { LOOKS, SCREENS } from './looks.ts';
import { type Stage, visit } from './stage.ts';

const RIGHT_TO_LEFT = ['fa', 'ar'];
/** Screens whose numbers do not change during the comparison. */
const STILL_PATHS = ['/wallet', '/orders?view=fills'];

const numbers: Check = {
  name: 'right to left: numbers equal English, first columns on the right, charts from the left',
  from: 'full',
  lane: 'people',
  needsQuietMarket: true,
  async run(stage) {
    let compared = 0;
    const english = await numbersIn(stage, 'en');
    assert.ok(english.length > 0, 'no numbers on the screens');
    for (const language of RIGHT_TO_LEFT) {
      assert.deepEqual(await numbersIn(stage, language), english, language);
      compared += english.length;
    }
    return { numbersCompared: compared };
  },
};

async function numbersIn(stage: Stage, language: string): Promise<string[]> {
  const { user } = stage.sandbox.seeded.users.alice;
  const look = { ...LOOKS[0], name: language, preferences: { language, theme: 'dark' } };
  const page = await stage.openPage({ look, user });
  const texts: string[] = [];
  for (const path of STILL_PATHS) {
    await visit(page, stage.url, path);
    await page.waitForLoadState('networkidle');
    await page.locator('main table, main [role=status]').first().waitFor();
    const cells = 'main table bdi[dir=ltr]';
    texts.push(
      ...(await page.evaluate<string[]>(
        `[...document.querySelectorAll('${cells}')].map(({ textContent }) => textContent)`,
      )),
    );
  }
  if (RIGHT_TO_LEFT.includes(language)) await isMirrored(stage, page);
  await page.context().close();
  // Skips dates, because each language formats them differently.
  return texts.filter((text) => /^[\d.,+%A-Z -]*\d[\d.,+%A-Z -]*$/.test(text));
}

async function isMirrored(stage: Stage, page: Page): Promise<void> {
  await visit(page, stage.url, '/wallet');
  const columns = page.getByRole('columnheader');
  await columns.first().waitFor();
  const [first, last] = [await columns.first().boundingBox(), await columns.last().boundingBox()];
  assert.ok(first!.x > last!.x, 'the first column is not on the right');
  await visit(page, stage.url, '/trade/btc-usdt');
  await page.locator('canvas').first().waitFor();
  const direction = await page.evaluate<string>(
    `getComputedStyle(document.querySelector('main canvas')).direction`,
  );
  assert.equal(direction, 'ltr', 'the chart does not run from left to right');
}

const longWords: Check = {
  name: 'words 40% longer are not cut off',
  from: 'full',
  // Pages of other checks would get its texts.
  lane: 'alone',
  // Runs after the journeys, whose orders and fills populate the tables.
  needsQuietMarket: true,
  async run(stage) {
    const copy = copySources();
    try {
      const files = globSync('apps/ui/words/en/*.json', { cwd: copy.folder });
      for (const file of files.map((name) => join(copy.folder, name))) {
        const words = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
        const grown = Object.entries(words).map(([key, text]) => [key, longer(text)]);
        writeFileSync(file, JSON.stringify(Object.fromEntries(grown)));
      }
      return await withFiles(stage, await buildCopy(copy), () => findCut(stage));
    } finally {
      copy.remove();
    }
  },
};

/** Pages opened during the action load other files. */
async function withFiles<Result>(
  stage: Stage,
  folder: string,
  act: () => Promise<Result>,
): Promise<Result> {
  stage.shownFolder = folder;
  try {
    return await act();
  } finally {
    stage.shownFolder = undefined;
  }
}

async function findCut(stage: Stage): Promise<{ longWordPages: number }> {
  const { user } = stage.sandbox.seeded.users.alice;
  const cut: string[] = [];
  let longWordPages = 0;
  for (const look of [LOOKS[0], LOOKS[3]]) {
    for (const isGuest of [false, true]) {
      const page = await stage.openPage({ look, ...(isGuest ? {} : { user }) });
      const screens = SCREENS.filter(({ isForGuests }) => (isForGuests === true) === isGuest);
      for (const { name, path } of screens) {
        await visit(page, stage.url, path);
        const found = await page.evaluate<string[]>(FIND_CUT);
        longWordPages += 1;
        cut.push(...found.map((text) => `${name} ${look.name}: ${text}`));
      }
      await page.context().close();
    }
  }
  assert.deepEqual(cut, []);
  return { longWordPages };
}

// Finds catalog texts that extend beyond their control or a box with hidden overflow.
const FIND_CUT = `(() => {
  const cut = [];
  for (const element of document.querySelectorAll('main *, header *')) {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3);
    const text = own.map(({ data }) => data).join('').trim();
    if (!text.includes('${MARK}')) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest('[aria-hidden=true]') !== null) continue;
    // Only for screen readers.
    if (element.getBoundingClientRect().width <= 1) continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const words = range.getBoundingClientRect();
    const leaves = (box) => words.left < box.left - 1 || words.right > box.right + 1;
    const control = element.closest('button, [role=tab], th, select, h2');
    if (control !== null && leaves(control.getBoundingClientRect())) cut.push(text);
    for (let box = element; box !== null; box = box.parentElement) {
      const { overflowX, position } = getComputedStyle(box);
      if (overflowX === 'auto' || overflowX === 'scroll' || position === 'fixed') break;
      if (overflowX === 'visible') continue;
      if (leaves(box.getBoundingClientRect())) cut.push(text);
      break;
    }
  }
  return [...new Set(cut)];
})()`;

export const languages: readonly Check[] = [numbers, longWords];
