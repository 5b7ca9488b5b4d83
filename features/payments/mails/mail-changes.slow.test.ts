// Tests emails about changes on a real PostgreSQL: each is sent once, even with several notifiers,
// and has the request's values.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { migrate, openPool, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { Vault } from '../../../platform/vault/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../../testing/projections/postgres-for-test.ts';
import { createUser } from '../../accounts/index.ts';
import { freezeToken as tokenThatFreezes } from '../../auth/index.ts';
import { leaseMails, type TransferValues } from '../../messages/index.ts';
import { mailChanges } from './mail-changes.ts';

const SCHEMA = 'registry';
const NOW_MS = Date.parse('2026-11-15T20:00:00.000Z');
const vault = new Vault(new Map([[1, Buffer.alloc(32, 9)]]));

let postgres: PostgresForTest;
let pool: Pool;
let stopPostgres: () => Promise<void> = async () => {};

async function userNamed(name: string): Promise<UserId> {
  const user = await createUser(pool, { email: `${name}@example.com` });
  assert.ok(typeof user === 'object', String(user));
  return user.id;
}

/** Creates a withdrawal that went through these states; the database writes its changes. */
async function withdrawal(user: UserId, states: readonly string[]): Promise<number> {
  const { rows } = await pool.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state)
     values ('withdrawal', $1, 1, 'btc', 8, 25000000, 1, 'btc', 8, 10000, 'bc1q', 'btc', 'tx', $2)
     returning id`,
    [user, states[0]],
  );
  const id = Number(rows[0].id);
  for (const state of states.slice(1)) {
    await pool.query('update withdrawal_requests set state = $2 where id = $1', [id, state]);
  }
  return id;
}

/** Processes all changes, a few at a time. */
async function mailAll(): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await withConnection(pool, (connection) =>
      mailChanges(connection, { vault, limit: 7, nowMs: NOW_MS }),
    );
    total += count;
    if (count === 0) return total;
  }
}

async function keys(): Promise<string[]> {
  const { rows } = await pool.query('select dedupe_key from mail_outbox order by dedupe_key');
  return rows.map(({ dedupe_key: key }) => key);
}

let again: UserId;

const PAID = ['unconfirmed', 'opening', 'in_review', 'approved', 'claimed', 'completed'];

describe('emails about changes', () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stopPostgres = end) });
    await migrate(await postgres.session(SCHEMA), SCHEMA, readRegistryMigrations());
    pool = openPool({ ...postgres.connection(SCHEMA), connectionsMax: 8 });
  });
  after(async () => {
    await pool.end();
    await stopPostgres();
  });

  test('several notifiers write each email once', async () => {
    const user = await userNamed('many');
    const ids: number[] = [];
    for (let count = 0; count < 30; count++) ids.push(await withdrawal(user, PAID));
    const counts = await Promise.all([mailAll(), mailAll(), mailAll(), mailAll()]);
    assert.equal(
      counts.reduce((sum, one) => sum + one, 0),
      30 * PAID.length,
    );
    const expected = ids.flatMap((id) => [`withdrawal:${id}:held`, `withdrawal:${id}:completed`]);
    assert.deepEqual(await keys(), expected.sort());
    await pool.query('delete from mail_outbox');
  });

  test('an email that cannot be committed is written later', async () => {
    again = await userNamed('again');
    const id = await withdrawal(again, ['opening', 'approved']);
    await withConnection(pool, async (connection) => {
      const failing = {
        query(text: string, values?: unknown[]) {
          if (text.includes('set mailed_at')) throw new Error('killed');
          return connection.query(text, values);
        },
      };
      const options = { vault, limit: 7, nowMs: NOW_MS };
      await assert.rejects(mailChanges(failing as never, options), /killed/);
    });
    assert.deepEqual(await keys(), []);
    assert.equal(await mailAll(), 2);
    assert.deepEqual(await keys(), [`withdrawal:${id}:held`]);
  });

  test('the email goes to the user, with the terms and a freeze link', async () => {
    const { mails } = await leaseMails(pool, vault, { max: 5, leaseMs: 1_000 });
    assert.equal(mails.length, 1);
    const [{ kind, sealed }] = mails;
    assert.ok(sealed !== undefined);
    const { freezeToken, ...values } = sealed.values as TransferValues;
    assert.deepEqual([kind, sealed.to], ['withdrawal_held', 'again@example.com']);
    assert.equal(freezeToken, tokenThatFreezes(vault, again, NOW_MS));
    assert.deepEqual(
      { ...values, time: '' },
      {
        time: '',
        amount: '0.25',
        currency: 'btc',
        fee: '0.0001',
        feeCurrency: 'btc',
        network: 'btc',
        address: 'bc1q',
        transactionId: '',
      },
    );
    await pool.query('delete from mail_outbox');
  });

  test('an operator can suppress an email', async () => {
    const quiet = await userNamed('quiet');
    for (const withMail of [false, true]) {
      const id = await withdrawal(quiet, ['opening']);
      await pool.query('update withdrawal_requests set with_mail = $2 where id = $1', [
        id,
        withMail,
      ]);
      await pool.query(`update withdrawal_requests set state = 'approved' where id = $1`, [id]);
      assert.equal(await mailAll(), 2);
      assert.deepEqual(await keys(), withMail ? [`withdrawal:${id}:held`] : []);
    }
    await pool.query('delete from mail_outbox');
  });

  test('accounts without a mailbox get no email', async () => {
    const parent = await userNamed('parent');
    const [sub, erased] = [await userNamed('sub'), await userNamed('erased')];
    await pool.query(`update users set kind = 'sub', parent_id = $2 where id = $1`, [sub, parent]);
    await pool.query(`update users set state = 'erased' where id = $1`, [erased]);
    for (const user of [sub, erased]) await withdrawal(user, ['opening', 'approved']);
    assert.equal(await mailAll(), 4);
    assert.deepEqual(await keys(), []);
  });
});
