// Tests that an outcome and its request are one transaction: if the request cannot be moved, the
// outbox row remains pending and nothing is half settled.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetId, Atoms } from '../../core/money/index.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { readWaiting } from '../../platform/outbox/index.ts';
import { settleRows } from '../../testing/outbox/settle-rows.ts';
import { makeUser, openRegistryForTest } from '../auth/registry-for-test.ts';
import { requestDeposit } from './deposits/requests.ts';

const ETH = { id: 3 as AssetId, currency: 'eth', scale: 8 };

test('a request that cannot be moved leaves its outbox row pending', async (context) => {
  const registry = await openRegistryForTest();
  context.after(() => registry.close());
  const { pool } = registry;
  const user = await makeUser(pool);
  const amounts = { amountAtoms: 5n as Atoms, isChainCoin: false };
  await withConnection(pool, (connection) =>
    requestDeposit(connection, { user, asset: ETH, network: 'eth', ...amounts }),
  );
  const settle = async () => {
    const settled = (await readWaiting(pool, 10)).map((row) => {
      const { channel, sequence } = row;
      const outcome = { channel, sequence, state: 'accepted', refusal: 'none' } as const;
      return { row, outcome: { ...outcome, frame: 9, command: 77 } };
    });
    await withConnection(pool, (connection) => settleRows(connection, settled));
  };
  const states = async () => {
    const { rows } = await pool.query('select state from deposit_requests');
    return [rows[0].state, (await readWaiting(pool, 10)).length];
  };
  const before = await states();
  assert.equal(before[1], 1);
  await pool.query(`create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'out of space'; end $$`);
  await pool.query(`create trigger fail before update on deposit_requests for each row
    execute function fail()`);
  await assert.rejects(settle(), /out of space/);
  assert.deepEqual(await states(), before);
  await pool.query('drop trigger fail on deposit_requests');
  await settle();
  assert.deepEqual(await states(), ['completed', 0]);
});
