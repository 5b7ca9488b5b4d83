// axe on every screen in every look: no serious or critical violation.

import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Check } from './check.ts';
import { LOOKS, SCREENS } from './looks.ts';
import { visit } from './stage.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const GRAVE = ['serious', 'critical'];

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

export const accessibility: Check = {
  name: 'axe on every screen and look',
  isQuick: true,
  async run(stage, { isQuick }) {
    const { user } = stage.sandbox.seeded.users.alice;
    const found: string[] = [];
    let pages = 0;
    // Quickly, each look sees a part of the screens, and each screen is seen.
    for (const [at, look] of LOOKS.entries()) {
      const screens = SCREENS.filter((_, index) => !isQuick || index % LOOKS.length === at);
      for (const isGuest of [false, true]) {
        const chosen = screens.filter((screen) => (screen.isForGuests === true) === isGuest);
        if (chosen.length === 0) continue;
        const page = await stage.openPage({ look, ...(isGuest ? {} : { user }) });
        for (const { name, path } of chosen) {
          await visit(page, stage.url, path);
          await page.evaluate(axe.source);
          const violations = await page.evaluate<Finding[]>(
            `axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'] })
               .then(({ violations }) => violations)`,
          );
          pages += 1;
          for (const { id, impact, nodes } of violations) {
            const text = `${name} ${look.name}: ${impact} ${id}: ${nodes[0].html.slice(0, 160)}`;
            if (GRAVE.includes(impact)) found.push(text);
            else console.log(`  note ${text}`);
          }
        }
        await page.context().close();
      }
    }
    stage.axeSerious = found.length;
    assert.deepEqual(found, []);
    return { axePages: pages };
  },
};
