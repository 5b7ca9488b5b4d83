// A batch counts once: copies and latecomers do not, and a bound on sessions does not change that
// for those that are still heard of.

import assert from 'node:assert/strict';
import test from 'node:test';
import { SeenBatches } from './seen-batches.ts';

const header = (source: number, batch: number) => ({ source, batch, epoch: 1, floor: 0 });

test('each batch of a gateway is new once, and only above the last', () => {
  const seen = new SeenBatches();
  const heard: [source: number, batch: number, isNew: boolean][] = [
    [7, 1, true],
    [7, 1, false],
    [8, 1, true],
    [7, 3, true],
    [7, 2, false],
    [7, 3, false],
    [7, 4, true],
    [8, 2, true],
  ];
  for (const [source, batch, isNew] of heard) {
    assert.equal(seen.isNew(header(source, batch)), isNew, `batch ${batch} of ${source}`);
  }
});

test('beyond the bound the session that was silent longest is forgotten, no other', () => {
  const seen = new SeenBatches();
  for (let source = 1; source <= 65_536; source++) seen.isNew(header(source, 5));
  seen.isNew(header(1, 6));
  seen.isNew(header(70_000, 1));
  assert.equal(seen.isNew(header(1, 6)), false);
  assert.equal(seen.isNew(header(3, 5)), false);
  assert.equal(seen.isNew(header(2, 5)), true, 'the oldest');
});
