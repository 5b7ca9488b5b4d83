// Forced colors (high-contrast modes) drop backgrounds. Every control with a shape needs an edge,
// every selected one a mark, and the focus must be visible. axe checks none of this.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Check } from './check.ts';
import { visit } from './stage.ts';

const PATHS = ['/gallery', '/settings', '/sign-in', '/trade/btc-usdt'];
const FOCUSED = 15;
const FOLDER = join(import.meta.dirname, '../../tmp/screens-forced');

export const forcedColours: Check = {
  name: 'forced colors keep edges, states and focus',
  from: 'full',
  lane: 'views',
  async run(stage) {
    mkdirSync(FOLDER, { recursive: true });
    const { user } = stage.sandbox.seeded.users.alice;
    const lost: string[] = [];
    let controls = 0;
    for (const path of PATHS) {
      const own = path === '/sign-in' ? {} : { user };
      const page = await stage.openPage({ reducedMotion: true, ...own });
      await visit(page, stage.url, path);
      controls += await page.evaluate<number>(REMEMBER);
      await page.emulateMedia({ forcedColors: 'active' });
      lost.push(...(await page.evaluate<string[]>(LOST)).map((text) => `${path}: ${text}`));
      const file = `${path.split('/')[1]}.png`;
      await page.screenshot({ path: join(FOLDER, file) });
      if (path === '/settings') await focusIsSeen(page);
      await page.context().close();
    }
    assert.deepEqual(lost, []);
    return { forcedControls: controls };
  },
};

/** Tabs through the page. The picture around an element must change when it gets the focus. */
async function focusIsSeen(page: Page): Promise<void> {
  for (let tab = 0; tab < FOCUSED; tab++) {
    await page.keyboard.press('Tab');
    const box = await page.evaluate<{ x: number; y: number; width: number; height: number }>(
      `(() => {
         const { x, y, width, height } = document.activeElement.getBoundingClientRect();
         return { x: x - 4, y: y - 4, width: width + 8, height: height + 8 };
       })()`,
    );
    const clip = { ...box, x: Math.max(0, box.x), y: Math.max(0, box.y) };
    const focused = await page.screenshot({ clip, caret: 'hide' });
    const name = await page.evaluate<string>(
      `(globalThis.focusedBefore = document.activeElement).outerHTML.slice(0, 120)`,
    );
    await page.evaluate('document.activeElement.blur()');
    const unfocused = await page.screenshot({ clip, caret: 'hide' });
    assert.ok(!focused.equals(unfocused), `the focus is not visible: ${name}`);
    await page.evaluate('globalThis.focusedBefore.focus()');
  }
}

// Controls with a background or an edge as their shape, and selected controls.
export const REMEMBER = `(() => {
  const isSeen = (element) =>
    element.checkVisibility() && element.getBoundingClientRect().width > 1;
  const hasShape = (element) => {
    const { backgroundColor, borderTopStyle, borderTopWidth } = getComputedStyle(element);
    const isFilled = !/, 0\\)$|^transparent$/.test(backgroundColor);
    return isFilled || (borderTopStyle !== 'none' && borderTopWidth !== '0px');
  };
  const all = [...document.querySelectorAll('button, input, select, textarea')].filter(isSeen);
  globalThis.shaped = all.filter((element) => element.type !== 'range' && hasShape(element));
  const states = '[aria-selected=true], [aria-pressed=true], input:checked';
  globalThis.chosen = [...document.querySelectorAll(states)].filter(isSeen);
  return globalThis.shaped.length + globalThis.chosen.length;
})()`;

export const LOST = `(() => {
  const styles = (element) => getComputedStyle(element);
  const hasEdge = (element) => {
    const { appearance, backgroundColor, borderBottomColor, borderBottomStyle, borderBottomWidth,
      outlineColor, outlineStyle, outlineWidth } = styles(element);
    const isDrawn = (style, width, color) =>
      style !== 'none' && width !== '0px' && color !== backgroundColor;
    return isDrawn(borderBottomStyle, borderBottomWidth, borderBottomColor) ||
      isDrawn(outlineStyle, outlineWidth, outlineColor) ||
      (element.type === 'checkbox' && appearance !== 'none');
  };
  const isMarked = (element) => {
    const { appearance, borderBottomStyle, borderBottomWidth, outlineStyle } = styles(element);
    if (element.type === 'checkbox' || element.type === 'radio') return appearance !== 'none';
    const isUnderlined = borderBottomStyle !== 'none' && borderBottomWidth !== '0px';
    return outlineStyle !== 'none' || isUnderlined;
  };
  const name = (element) =>
    [element.tagName, element.ariaLabel, element.textContent].join(' ').slice(0, 80);
  return [
    ...globalThis.shaped.filter((one) => !hasEdge(one)).map((one) => 'no edge: ' + name(one)),
    ...globalThis.chosen.filter((one) => !isMarked(one)).map((one) => 'no mark: ' + name(one)),
  ];
})()`;
