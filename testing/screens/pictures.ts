// Takes pictures of every screen in every look, for manual review. Page clocks are fixed.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LOOKS, MORE_LOOKS, SCREENS } from './looks.ts';
import { hasLoaded, type Stage, visit } from './stage.ts';

const FOLDER = join(import.meta.dirname, '../../docs/pictures/terminal');

/** Screens that are also captured in forced colors. */
const FORCED_PATHS = ['/trade/btc-usdt', '/gallery'];

/** Resolves with the number of pictures. */
export async function savePictures(stage: Stage): Promise<number> {
  mkdirSync(FOLDER, { recursive: true });
  const { user } = stage.sandbox.seeded.users.alice;
  let count = 0;
  for (const look of [...LOOKS, ...MORE_LOOKS]) {
    for (const { isForGuests, name, path } of SCREENS) {
      const own = isForGuests === true ? {} : { user };
      const page = await stage.openPage({ look, reducedMotion: true, ...own });
      await visit(page, stage.url, path);
      await page.waitForLoadState('networkidle');
      await hasLoaded(page);
      const file = join(FOLDER, `${name}-${look.name}.png`);
      await page.screenshot({ path: file, animations: 'disabled' });
      count += 1;
      await page.context().close();
    }
  }
  for (const path of FORCED_PATHS) {
    const page = await stage.openPage({ user, reducedMotion: true, forcedColours: true });
    await visit(page, stage.url, path);
    await page.waitForLoadState('networkidle');
    const file = join(FOLDER, `${path.split('/')[1]}-forced-colors.png`);
    await page.screenshot({ path: file, animations: 'disabled' });
    count += 1;
    await page.context().close();
  }
  return count;
}
