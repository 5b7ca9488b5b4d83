// Checks every screen in every look: no serious or critical axe violations, no wire names.

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

export const plainText: Check = {
  name: 'no wire name on any screen and look',
  from: 'smoke',
  lane: 'views',
  async run(stage, { extent }) {
    const { raw } = await seenScreens(stage, extent);
    assert.deepEqual(raw, []);
    return undefined;
  },
};
