// No screen scrolls sideways, from a small phone to a wide desktop and at 400% zoom.

import assert from 'node:assert/strict';
import type { Check } from './check.ts';
import { seenScreens } from './seen-screens.ts';

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
