// Checks every screen in every look: no serious or critical axe violations, no wire names, no
// sideways scrolling.

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

/** No screen scrolls sideways, from a small phone to a wide desktop and at 400% zoom. */
export const widths: Check = {
  name: 'no sideways scrolling',
  from: 'smoke',
  lane: 'views',
  async run(stage, { extent }) {
    const { wide, widthPages } = await seenScreens(stage, extent);
    assert.deepEqual(wide, []);
    return { widthPages };
  },
};
