// Each batch is new once, even if it was overtaken; copies and very late batches are not. The
// session limit does not change that for active sessions.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { OVERTAKEN_MAX, SeenBatches } from './seen-batches.ts';

const header = (source: number, batch: number) => ({ sender: 'gateway-http', source, batch });

test('each batch from a gateway is new once, even if another one has overtaken it', () => {
  const seen = new SeenBatches();
  const received: [source: number, batch: number, isNew: boolean][] = [
    [7, 1, true],
    [7, 1, false],
    [8, 1, true],
    [7, 3, true],
    [7, 2, true],
    [7, 2, false],
    [7, 3, false],
    [7, 4, true],
    [8, 2, true],
  ];
  for (const [source, batch, isNew] of received) {
    assert.equal(seen.isNew(header(source, batch)), isNew, `batch ${batch} of ${source}`);
  }
});

test('a batch far behind the last is treated as a copy', () => {
  const received: [batch: number, isNew: boolean][] = [
    [100, true],
    [100 - OVERTAKEN_MAX, true],
    [100 - OVERTAKEN_MAX, false],
    [99 - OVERTAKEN_MAX, false],
    [101, true],
    [100 - OVERTAKEN_MAX, false],
    [101 + OVERTAKEN_MAX, true],
    [101, false],
    [102, true],
    [1_000, true],
    [1_000 - OVERTAKEN_MAX, true],
    [102, false],
  ];
  const seen = new SeenBatches();
  for (const [batch, isNew] of received) {
    assert.equal(seen.isNew(header(7, batch)), isNew, `batch ${batch}`);
  }
});

test('each batch is new once, in any order and with any number of copies', () => {
  const order = fc.array(fc.integer({ min: 1, max: OVERTAKEN_MAX + 1 }), { maxLength: 200 });
  fc.assert(
    fc.property(order, (batches) => {
      const seen = new SeenBatches();
      const taken = batches.filter((batch) => seen.isNew(header(7, batch)));
      assert.deepEqual(taken, [...new Set(batches)]);
    }),
    { seed: 20_260_101 },
  );
});

test('at the limit only the least recently active session is evicted', () => {
  const seen = new SeenBatches();
  for (let source = 1; source <= 65_536; source++) seen.isNew(header(source, 5));
  seen.isNew(header(1, 6));
  seen.isNew(header(70_000, 1));
  assert.equal(seen.isNew(header(1, 6)), false);
  assert.equal(seen.isNew(header(3, 5)), false);
  assert.equal(seen.isNew(header(2, 5)), true, 'the evicted session');
});

test('a source belongs to the sender that used it first', () => {
  const seen = new SeenBatches();
  assert.equal(seen.isOwner({ ...header(7, 1), sender: 'outbox-dispatcher' }), true);
  seen.isNew(header(7, 1));
  assert.equal(seen.isOwner(header(7, 2)), true);
  assert.equal(seen.isOwner({ ...header(7, 2), sender: 'outbox-dispatcher' }), false);
});
