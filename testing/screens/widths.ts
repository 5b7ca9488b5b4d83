// No screen scrolls sideways, from a small phone to a wide desk, nor at 400 % zoom.

import assert from 'node:assert/strict';
import type { Check } from './check.ts';
import { LOOKS, SCREENS } from './looks.ts';
import { visit } from './stage.ts';

const ALL = [320, 360, 390, 768, 1024, 1280, 1440, 1920, 2560];
const FEW = [320, 768, 2560];
/** A window of 1280 by 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 };
const HEIGHT = 900;

export const widths: Check = {
  name: 'no sideways scrolling',
  isQuick: true,
  async run(stage, { isQuick }) {
    const { user } = stage.sandbox.seeded.users.alice;
    const wide: string[] = [];
    let pages = 0;
    for (const look of isQuick ? [LOOKS[0]] : [LOOKS[0], LOOKS[2]]) {
      const page = await stage.openPage({ look, user });
      for (const { name, path } of SCREENS) {
        await visit(page, stage.url, path);
        const sizes = (isQuick ? FEW : ALL).map((width) => ({ width, height: HEIGHT }));
        for (const size of [...sizes, ZOOMED]) {
          await page.setViewportSize(size);
          const { client, scroll } = await page.evaluate<{ client: number; scroll: number }>(
            `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
               const { clientWidth: client, scrollWidth: scroll } = document.documentElement;
               done({ client, scroll });
             })))`,
          );
          pages += 1;
          if (scroll > client) {
            wide.push(`${name} ${look.name} at ${size.width}x${size.height}: ${scroll} px`);
          }
        }
        await page.setViewportSize({ width: look.width, height: look.height });
      }
      await page.context().close();
    }
    assert.deepEqual(wide, []);
    return { widthPages: pages };
  },
};
