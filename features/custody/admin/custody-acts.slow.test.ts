// Tests operator actions for custody on a real PostgreSQL: an unattributed deposit is credited
// once, and a halted network continues where it stopped.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import {
  inTransaction,
  migrate,
  openPool,
  type Pool,
  withConnection,
} from '../../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { readWaiting } from '../../../platform/outbox/index.ts';
import { startPostgresForTest } from '../../../testing/projections/postgres-for-test.ts';
import { RefusedInTest, runForTest } from '../../approvals/act-for-test.ts';
import type { Act, ActContext } from '../../approvals/index.ts';
import type { JsonObject, JsonValue } from '../../audit/index.ts';
import { makeUser, vault } from '../../auth/registry-for-test.ts';
import { describeCoin } from '../../listings/index.ts';
import type { CheckContext } from '../../reconciliation/check.ts';
import { CUSTODY } from '../../reconciliation/custody-check.ts';
import { readCustodyStatus } from '../custody-status.ts';
import { ATTRIBUTE_DEPOSIT, RESUME_NETWORK } from './index.ts';

const PROJECTIONS = 'rialto';
const ADDRESS = Buffer.alloc(20, 5);

let pool: Pool;
let operator: UserId;
let alice: UserId;
let stop: () => Promise<void> = async () => {};

before(async () => {
  const postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
  const projections = await postgres.schema(PROJECTIONS);
  await projections.query("insert into assets values (3, 'usdt', 6, 1000000000000, now())");
  await migrate(await postgres.session('registry'), 'registry', readRegistryMigrations());
  pool = openPool({ ...postgres.connection('registry'), connectionsMax: 4 });
  await describeCoin(pool, { symbol: 'usdt', fullname: 'Tether', network: 'eth' });
  operator = await makeUser(pool, { role: 'admin' });
  alice = await makeUser(pool);
  await pool.query(
    `insert into custody_networks (network, family, from_height, height, hash, tip_height,
       opened_after_deposit, halted_reason, halted_at)
     values ('eth', 'evm', 1, 9, '\\xab', 12, 0, 'final block 9 was replaced', now())`,
  );
});
after(async () => {
  await pool.end();
  await stop();
});

function perform<P extends JsonObject, R extends JsonValue>(act: Act<P, R, string>, payload: P) {
  return withConnection(pool, (connection) =>
    inTransaction(connection, () => runForTest(act, contextOf(connection), payload)),
  );
}

function contextOf(connection: ActContext['connection']): ActContext {
  return {
    connection,
    isProven: true,
    vault,
    nowMs: Date.now(),
    exchange: { name: 'Test', projectionSchema: PROJECTIONS },
    operator: {
      user: operator,
      role: 'admin',
      powers: new Set(),
      permissions: new Set(['*']),
      call: '',
      credential: 'session 1',
      session: 1,
      address: '192.0.2.1',
    },
  };
}

async function unattributed(change: { readonly txid?: string; readonly atoms?: number } = {}) {
  const { atoms = 5_000_000, txid = '' } = change;
  const { rows } = await pool.query(
    `insert into custody_deposits (network, asset_id, cause, txid, output, address, units, atoms,
       dust_units, height, block_hash, state, reason, finalized_at)
     values ('eth', 3, gen_random_uuid(), $1, '', $2, $3, $4, 0, 9, '', 'unattributed',
       'no user owns the address', now()) returning id`,
    [txid, ADDRESS, Math.max(1, atoms), atoms],
  );
  return Number(rows[0].id);
}

const refusal = (key: string) => (fault: unknown) =>
  fault instanceof RefusedInTest && fault.refusal === key;

test('an unattributed deposit is credited once, with its cause, and reconciles', async () => {
  const txid = 'ab'.repeat(32);
  const [traced, untraced] = [await unattributed({ txid }), await unattributed()];
  const note = 'the sender is known';
  const { result } = await perform(ATTRIBUTE_DEPOSIT, { id: traced, user_id: alice, note });
  await perform(ATTRIBUTE_DEPOSIT, { id: untraced, user_id: alice, note });
  const { rows } = await pool.query('select * from deposit_requests order by id');
  assert.deepEqual(
    rows.map((row) => [row.state, Number(row.user_id), row.amount_atoms, row.cause, row.network]),
    [
      ['crediting', alice, '5000000', `/${txid}/0`, 'eth'],
      ['crediting', alice, '5000000', `/eth-balance-${untraced}/0`, 'eth'],
    ],
  );
  assert.equal(result.id, Number(rows[0].id));
  const commands = (await readWaiting(pool, 10)).map(({ command }) => command.kind);
  assert.deepEqual(commands, ['CreditDeposit', 'CreditDeposit']);
  const again = perform(ATTRIBUTE_DEPOSIT, { id: traced, user_id: alice, note });
  await assert.rejects(again, refusal('custody_deposit_not_open'));
  const engine = { assetOf: () => ({ scale: 6, symbol: 'usdt' }) };
  const walked = await withConnection(pool, (connection) =>
    CUSTODY.walk({ connection, engine } as unknown as CheckContext, undefined),
  );
  assert.ok(walked !== 'later');
  assert.deepEqual(
    walked.differences.filter(({ object }) => object.startsWith('deposit')),
    [],
  );
});

test('a second credit for a transaction, and an amount below one atom, are rejected', async () => {
  const known = await unattributed({ txid: 'ab'.repeat(32) });
  const dust = await unattributed({ atoms: 0 });
  const note = 'x';
  const credit = (id: number) => perform(ATTRIBUTE_DEPOSIT, { id, user_id: alice, note });
  await assert.rejects(credit(known), refusal('transaction_id_used'));
  await assert.rejects(credit(dust), refusal('amount_must_be_positive'));
});

test('a halted network resumes after its last recorded block', async () => {
  const payload = { network: 'eth', note: 'the nodes were repaired' };
  const status = async () => (await readCustodyStatus(pool))[0];
  assert.equal((await status()).haltedReason, 'final block 9 was replaced');
  await perform(RESUME_NETWORK, payload);
  const { haltedReason, height } = await status();
  assert.deepEqual([haltedReason, height], [undefined, 9]);
  await assert.rejects(perform(RESUME_NETWORK, payload), refusal('custody_network_not_halted'));
});
