// Finds wire names, such as `password_changed`, in the visible text of a page and its tabs. Code,
// English alarm details, email addresses and paths are exempt.

import type { Page } from 'playwright-core';
import { hasLoaded } from './stage.ts';

const VISIBLE_TEXT = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element.closest('code, pre, script, style, [lang=en]:not(html)') !== null) continue;
    if (element.closest('option') !== null || element.checkVisibility()) texts.push(node.data);
  }
  return texts;
})()`;

const NAME = /(?<![\w@./-])[a-z]+(?:_[a-z0-9]+)+(?![\w@/-])/g;

export function rawNamesIn(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.match(NAME) ?? []))];
}

/** Opens every tab of the page, one after another. */
export async function rawNamesOn(page: Page): Promise<string[]> {
  const seen = await page.evaluate<string[]>(VISIBLE_TEXT);
  for (const tab of await page.getByRole('main').getByRole('tab').all()) {
    if (!(await tab.isVisible())) continue;
    await tab.click();
    await hasLoaded(page);
    seen.push(...(await page.evaluate<string[]>(VISIBLE_TEXT)));
  }
  return rawNamesIn(seen);
}
