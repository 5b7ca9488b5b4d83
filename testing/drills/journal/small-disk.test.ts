// A small disk that can not be had says why, so that a drill never leaves it out silently.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmallDisk } from './small-disk.ts';

test('where nothing can be mounted, the reason is told', () => {
  const disk = SmallDisk.mount('/nowhere/at/all');
  assert.equal(typeof disk, 'string');
  assert.notEqual(disk, '');
});
