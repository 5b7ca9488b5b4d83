// One walk through the screens in every look: axe findings, sideways scrolling, and wire names in
// visible text. Three checks evaluate the walk's findings.

import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Extent } from './check.ts';
import { LOOKS, type Look, SCREENS, type ScreenToSee } from './looks.ts';
import { rawNamesOn } from './raw-names.ts';
import { type Stage, visit } from './stage.ts';

export interface SeenScreens {
  readonly axePages: number;
  /** Serious and critical violations. */
  readonly grave: readonly string[];
  readonly widthPages: number;
  /** Screens that scroll sideways. */
  readonly wide: readonly string[];
  /** Screens that show a wire name. */
  readonly raw: readonly string[];
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const GRAVE = ['serious', 'critical'];

const ALL_WIDTHS = [320, 360, 390, 768, 1024, 1280, 1440, 1920, 2560];
const FEW_WIDTHS = [320, 768, 2560];
/** A window of 1280 by 1024 at 400% zoom. */
const ZOOMED = { width: 320, height: 256 };
const HEIGHT = 900;

const walks = new WeakMap<Stage, Promise<SeenScreens>>();

/** Returns this stage's walk. The walk runs once. */
export function seenScreens(stage: Stage, extent: Extent): Promise<SeenScreens> {
  const known = walks.get(stage) ?? walk(stage, extent);
  walks.set(stage, known);
  return known;
}

/** Discards the stage's walk, so the next call starts a new one. */
export function forgetSeen(stage: Stage): void {
  walks.delete(stage);
}

async function walk(stage: Stage, extent: Extent): Promise<SeenScreens> {
  const grave: string[] = [];
  const wide: string[] = [];
  const raw: string[] = [];
  let axePages = 0;
  let widthPages = 0;
  const tours = LOOKS.map((look, at) => ({ look, screens: screensOf(look, at, extent) }));
  // Looks run concurrently, because a page is mostly idle until the network and frames are ready.
  await Promise.all(
    tours.map(async ({ look, screens }) => {
      for (const isGuest of [false, true]) {
        const chosen = screens.filter((screen) => (screen.isForGuests === true) === isGuest);
        if (chosen.length === 0) continue;
        const { user } = stage.sandbox.seeded.users.alice;
        const page = await stage.openPage({ look, ...(isGuest ? {} : { user }) });
        for (const { name, path } of chosen) {
          await visit(page, stage.url, path);
          const where = `${name} ${look.name}`;
          grave.push(...(await axeOn(page)).map((text) => `${where}: ${text}`));
          axePages += 1;
          for (const size of sizesFor(look, extent)) {
            widthPages += 1;
            const px = await sidewaysPx(page, size);
            if (px > 0) wide.push(`${where} at ${size.width}x${size.height}: ${px} px too wide`);
          }
          await page.setViewportSize({ width: look.width, height: look.height });
          raw.push(...(await rawNamesOn(page)).map((text) => `${where}: ${text}`));
        }
        await page.context().close();
      }
    }),
  );
  return { axePages, grave, raw, widthPages, wide };
}

/** In a quick run, each look covers a part of the screens, and together they cover all of them. */
function screensOf(look: Look, at: number, extent: Extent): readonly ScreenToSee[] {
  if (extent === 'full') return SCREENS;
  if (extent === 'smoke') return look === LOOKS[0] ? SCREENS.slice(0, 1) : [];
  return SCREENS.filter((_, index) => index % LOOKS.length === at);
}

function sizesFor(look: Look, extent: Extent): { width: number; height: number }[] {
  if (look.isPhone === true) return [];
  const widths = extent === 'full' ? ALL_WIDTHS : FEW_WIDTHS;
  return [...widths.map((width) => ({ width, height: HEIGHT })), ZOOMED];
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly {
    readonly html: string;
    /** Colors, for contrast findings. */
    readonly any: readonly { readonly data: unknown }[];
  }[];
}

export async function axeOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<Finding[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'] })
       .then(({ violations }) => violations)`,
  );
  const texts: string[] = [];
  for (const { id, impact, nodes } of violations) {
    const [{ any, html }] = nodes;
    const why = id === 'color-contrast' ? JSON.stringify(any[0]?.data) : '';
    const text = `${impact} ${id}: ${html.slice(0, 160)} ${why}`;
    if (GRAVE.includes(impact)) texts.push(text);
    else console.log(`  note ${text}`);
  }
  return texts;
}

export async function sidewaysPx(
  page: Page,
  size: { width: number; height: number },
): Promise<number> {
  await page.setViewportSize(size);
  return page.evaluate<number>(
    `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
       const { clientWidth, scrollWidth } = document.documentElement;
       done(scrollWidth - clientWidth);
     })))`,
  );
}
