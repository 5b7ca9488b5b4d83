// Connections that are lost while in use, on a real server: the statement fails, and nothing else
// happens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPostgresForTest } from '../../testing/projections/postgres-for-test.ts';
import { openPool, withConnection } from './connections.ts';
import { isPassingFault, ServerBehind } from './faults.ts';

test('a connection lost in use does not end the process, and is replaced', async (t) => {
  const postgres = await startPostgresForTest({ after: (end) => t.after(end) });
  const killer = await postgres.session('public');
  const pool = openPool({ ...postgres.connection('public'), connectionsMax: 1 });
  const lost = withConnection(pool, async (session) => {
    const { rows } = await session.query('select pg_backend_pid() as pid');
    // Not with once(): it would add its own error listener.
    const gone = new Promise<void>((done) => void session.once('end', done));
    await killer.query('select pg_terminate_backend($1)', [rows[0].pid]);
    await gone;
    await session.query('select 1');
  });
  await assert.rejects(lost, isPassingFault);
  const { rows } = await pool.query('select 1 as one');
  assert.equal(rows[0].one, 1);
  await pool.end();
});

test('failed work discards its connection, and other work returns it', async (t) => {
  const postgres = await startPostgresForTest({ after: (end) => t.after(end) });
  const pool = openPool({ ...postgres.connection('public'), connectionsMax: 1 });
  const pidOf = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;
  const first = await pidOf();
  await withConnection(pool, (session) => session.query('select 1'));
  assert.equal(await pidOf(), first);
  const failing = withConnection(pool, async (session) => {
    await session.query('begin');
    throw new Error('half way');
  });
  await assert.rejects(failing, /half way/);
  assert.notEqual(await pidOf(), first);
  await pool.end();
});

test('an unverified new connection fails its caller and is replaced', async (t) => {
  const postgres = await startPostgresForTest({ after: (end) => t.after(end) });
  let refusals = 1;
  const pool = openPool({
    ...postgres.connection('public'),
    connectionsMax: 1,
    verify: async (connection) => {
      await connection.query('select 1');
      if (refusals-- > 0) throw new ServerBehind('it lacks frames');
    },
  });
  await assert.rejects(pool.query('select 1'), isPassingFault);
  assert.equal((await pool.query('select 2 as two')).rows[0].two, 2);
  await pool.end();
});

test('a temporary table does not shadow a table in the schema', async (t) => {
  const postgres = await startPostgresForTest({ after: (end) => t.after(end) });
  const session = await postgres.session('public');
  await session.query('create table kept as select 1 as one');
  await session.query('create temporary table kept as select 2 as one');
  const { rows } = await session.query('select one from kept');
  assert.deepEqual(rows, [{ one: 1 }]);
});
