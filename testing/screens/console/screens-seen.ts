// Every console screen in every look: axe, widths, forced colors, direction, and the compressed
// size of the scripts that its address loads.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { SCREENS } from '../../../apps/console/access.ts';
import { LOST, REMEMBER } from '../forced-colours.ts';
import { LOOKS, type Look } from '../looks.ts';
import { rawNamesOn } from '../raw-names.ts';
import { axeOn, sidewaysPx } from '../seen-screens.ts';
import { visit } from '../stage.ts';
import { personWith, requestWithdrawal, reviewEverything } from './a-withdrawal.ts';
import type { ConsoleCheck, ConsoleStage } from './console-stage.ts';
import { settled } from './operator-at-work.ts';

const WIDTHS = [320, 390, 768, 1024, 1440, 2560];
const HEIGHT = 900;
/** A window of 1280 by 1024 at 400% zoom. */
const ZOOMED = { width: 320, height: 256 };
const ROUTE_KB_MAX = 250;
const KB = 1_000;

export interface ConsoleScreen {
  readonly name: string;
  readonly path: string;
}

/** All screens, including one user's page. */
export function consoleScreens({ sandbox }: ConsoleStage): readonly ConsoleScreen[] {
  const { user } = sandbox.seeded.users.alice;
  return [...SCREENS, { name: 'user', path: `/people?id=${user}` }];
}

/** Creates a withdrawal in review, so its screen is not empty. */
export async function withWork(stage: ConsoleStage): Promise<void> {
  await reviewEverything(stage);
  await requestWithdrawal(stage, await personWith(stage, 3), 0.75);
}

async function tour(
  stage: ConsoleStage,
  looks: readonly Look[],
  see: (page: Page, screen: ConsoleScreen, look: Look) => Promise<void>,
): Promise<number> {
  let pages = 0;
  const operator = await stage.operator('admin');
  for (const look of looks) {
    const page = await stage.openPage({ operator, look });
    for (const screen of consoleScreens(stage)) {
      await visit(page, stage.url, screen.path);
      await settled(page);
      await see(page, screen, look);
      pages += 1;
    }
    await page.context().close();
  }
  return pages;
}

const axe: ConsoleCheck = {
  name: 'console: axe finds nothing serious on any screen and look',
  async run(stage) {
    await withWork(stage);
    const grave: string[] = [];
    const axePages = await tour(stage, LOOKS, async (page, { name }, look) => {
      grave.push(...(await axeOn(page)).map((text) => `${name} ${look.name}: ${text}`));
    });
    assert.deepEqual(grave, []);
    return { axePages, axeSerious: grave.length };
  },
};

const plainText: ConsoleCheck = {
  name: 'console: no screen shows a wire name',
  async run(stage) {
    await withWork(stage);
    const raw: string[] = [];
    // Wire names are the same in every language.
    const rawPages = await tour(stage, LOOKS.slice(0, 1), async (page, { name }, look) => {
      raw.push(...(await rawNamesOn(page)).map((text) => `${name} ${look.name}: ${text}`));
    });
    assert.deepEqual(raw, []);
    return { rawPages };
  },
};

const widths: ConsoleCheck = {
  name: 'console: no screen scrolls sideways',
  async run(stage) {
    const wide: string[] = [];
    let widthPages = 0;
    const desktops = LOOKS.filter(({ name }) => name === 'dark' || name === 'fa');
    await tour(stage, desktops, async (page, { name }, look) => {
      for (const size of [...WIDTHS.map((width) => ({ width, height: HEIGHT })), ZOOMED]) {
        widthPages += 1;
        const px = await sidewaysPx(page, size);
        if (px > 0) wide.push(`${name} ${look.name} at ${size.width}: ${px} px too wide`);
      }
      await page.setViewportSize({ width: look.width, height: look.height });
    });
    assert.deepEqual(wide, []);
    return { widthPages };
  },
};

const forcedColours: ConsoleCheck = {
  name: 'console: forced colors keep edges and states',
  async run(stage) {
    const lost: string[] = [];
    let forcedControls = 0;
    await tour(stage, LOOKS.slice(0, 1), async (page, { name }) => {
      await page.emulateMedia({ forcedColors: 'none' });
      forcedControls += await page.evaluate<number>(REMEMBER);
      await page.emulateMedia({ forcedColors: 'active' });
      lost.push(...(await page.evaluate<string[]>(LOST)).map((text) => `${name}: ${text}`));
    });
    assert.deepEqual(lost, []);
    return { forcedControls };
  },
};

const direction: ConsoleCheck = {
  name: 'console: Persian runs from the right, numbers from the left',
  async run(stage) {
    const persian = LOOKS.filter(({ name }) => name === 'fa');
    const faults: string[] = [];
    await tour(stage, persian, async (page, { name }) => {
      const [direction, navigation, main] = await page.evaluate<[string, number, number]>(
        `[document.documentElement.dir, ...['nav', 'main'].map((one) =>
           document.querySelector(one).getBoundingClientRect().x)]`,
      );
      if (direction !== 'rtl' || navigation <= main) faults.push(`${name}: not from the right`);
      const text = await page.evaluate<string>(WITHOUT_ENGLISH);
      const english = text.match(/\b(?:Nothing|Waiting|Request|Approve|No [a-z]+ [a-z]+)\b/);
      if (english !== null) faults.push(`${name}: ${english[0]}`);
    });
    assert.deepEqual(faults, []);
    return undefined;
  },
};

// Alarm details and runbooks are in English and marked as such.
const WITHOUT_ENGLISH = `(() => {
  const copy = document.querySelector('main').cloneNode(true);
  for (const one of copy.querySelectorAll('[lang=en]')) one.remove();
  return copy.textContent;
})()`;

const weight: ConsoleCheck = {
  name: 'console: weight of every route',
  async run(stage) {
    const kbOf = new Map<string, number>();
    const heavy: string[] = [];
    let heaviestRouteKb = 0;
    let entryKb = 0;
    const zippedKb = (file: string) => {
      const known = kbOf.get(file);
      const kb = known ?? gzipSync(readFileSync(join(stage.files, file)), { level: 9 }).length / KB;
      kbOf.set(file, kb);
      return kb;
    };
    const index = readFileSync(join(stage.files, 'index.html'), 'utf8');
    for (const [, file] of index.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)) {
      entryKb += zippedKb(file);
    }
    await tour(stage, LOOKS.slice(0, 1), async (page, { name }) => {
      const files = await page.evaluate<string[]>(
        `[...new Set(performance.getEntriesByType('resource').map(({ name }) =>
           new URL(name).pathname).filter((path) => path.endsWith('.js')))]`,
      );
      const kb = files.reduce((sum, file) => sum + zippedKb(file), 0);
      heaviestRouteKb = Math.max(heaviestRouteKb, kb);
      if (kb > ROUTE_KB_MAX) heavy.push(`${name}: ${kb.toFixed(1)} kB`);
    });
    assert.deepEqual(heavy, []);
    assert.ok(entryKb > 0 && entryKb <= ROUTE_KB_MAX, `entry: ${entryKb} kB`);
    const rounded = (kb: number) => Number(kb.toFixed(1));
    return { consoleEntryKb: rounded(entryKb), heaviestRouteKb: rounded(heaviestRouteKb) };
  },
};

export const screensSeen = [weight, axe, plainText, widths, forcedColours, direction] as const;
