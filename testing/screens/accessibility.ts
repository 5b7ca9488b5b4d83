// axe on every screen in every look: no serious or critical violation.

import assert from 'node:assert/strict';
import type { Check } from './check.ts';
import { seenScreens } from './seen-screens.ts';

export const accessibility: Check = {
  name: 'axe on every screen and look',
  from: 'smoke',
  lane: 'views',
  async run(stage, { extent }) {
    const { axePages, grave } = await seenScreens(stage, extent);
    stage.axeSerious = grave.length;
    assert.deepEqual(grave, []);
    return { axePages };
  },
};
