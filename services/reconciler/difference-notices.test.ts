// Operators are notified of discrepancies that open or close.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBus } from '../../infra/bus/bus-for-test.ts';
import { publishDifferences } from './difference-notices.ts';

test('each discrepancy that opens or closes is one message for operators', () => {
  const bus = new MemoryBus();
  const seen: unknown[] = [];
  const own = {
    compared: (round: unknown) => void seen.push(round),
    databaseDown() {},
    databaseUp() {},
  };
  const watcher = publishDifferences(own, bus, 'rialto');
  const difference = { object: 'account 17 btc', asset: 'btc', expected: '1 btc', found: '2 btc' };
  const round = { check: 'balances', rows: 3, passMs: 5, isLater: false, paused: [] } as const;
  watcher.compared({ ...round, opened: [difference], closed: ['account 9 btc'] } as never, 61_500);
  watcher.compared({ ...round, opened: [], closed: [] } as never, 62_000);
  assert.equal(seen.length, 2);
  const sent = bus
    .take('rialto.notices.operators.reconciliation')
    .map((message) => JSON.parse(Buffer.from(message).toString()));
  assert.deepEqual(sent, [
    {
      topic: 'reconciliation',
      time: 61,
      action: 'insert',
      data: {
        check: 'balances',
        object: 'account 17 btc',
        currency: 'btc',
        expected: '1 btc',
        found: '2 btc',
      },
    },
    {
      topic: 'reconciliation',
      time: 61,
      action: 'delete',
      data: {
        check: 'balances',
        object: 'account 9 btc',
        currency: null,
        expected: null,
        found: null,
      },
    },
  ]);
});
