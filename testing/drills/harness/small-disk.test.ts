// A small disk that cannot be mounted reports the reason, so a drill never skips it silently.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmallDisk } from './small-disk.ts';

test('without permission to mount, the reason is reported', () => {
  const disk = SmallDisk.mount('/nowhere/at/all');
  assert.equal(typeof disk, 'string');
  assert.notEqual(disk, '');
});
