// Tests passwords, and the consequences of a change, on a real PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { inTransaction, type Pool } from '../../../infra/postgres/index.ts';
import { SealFault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { issueCode, useCodeOfUser } from '../codes.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../registry-for-test.ts';
import { applySecurityChange, CREDENTIAL_HOLD_MS } from '../security-changes.ts';
import { installPassword, readPassword } from './passwords.ts';

const FLOW = { network: '192.0.2.1', session: 0 };
const tag = {
  salt: Buffer.alloc(16, 1),
  memory: 19_456,
  passes: 2,
  lanes: 1,
  tag: Buffer.alloc(32, 2),
};

let registry: RegistryForTest;
let pool: Pool;

describe('passwords', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  test('an installed password is read back, and a later one replaces it', async () => {
    const user = await makeUser(pool);
    assert.equal(await readPassword(pool, vault, user), undefined);
    await installPassword(pool, vault, user, tag);
    assert.deepEqual(await readPassword(pool, vault, user), tag);
    const later = { ...tag, salt: Buffer.alloc(16, 7), tag: Buffer.alloc(32, 8) };
    await installPassword(pool, vault, user, later);
    assert.deepEqual(await readPassword(pool, vault, user), later);
  });

  test('a tag is sealed and opens for no other user or parameters', async () => {
    const [user, other] = [await makeUser(pool), await makeUser(pool)];
    for (const owner of [user, other]) await installPassword(pool, vault, owner, tag);
    const { rows } = await pool.query('select p::text as line from passwords p');
    assert.ok(rows.every(({ line }) => !line.includes(tag.tag.toString('hex'))));
    await pool.query(
      `update passwords p set sealed_tag = o.sealed_tag from passwords o
       where p.user_id = $1 and o.user_id = $2`,
      [user, other],
    );
    await assert.rejects(readPassword(pool, vault, user), SealFault);
    await pool.query('update passwords set passes = 1 where user_id = $1', [other]);
    await assert.rejects(readPassword(pool, vault, other), SealFault);
  });

  test('a security change ends sessions, devices, codes and keys, and adds a hold', async () => {
    const user = await makeUser(pool);
    const foreign = await makeUser(pool);
    const [kept, ended, foreignSession] = [
      await makeSession(user),
      await makeSession(user),
      await makeSession(foreign),
    ];
    for (const owner of [user, foreign]) await makeDeviceAndKeys(owner);
    const asked = { user, purpose: 'change_password', flow: FLOW } as const;
    const code = await issueCode(pool, vault, { ...asked, form: 'v2' });
    const version = await change({
      user,
      reason: 'password_reset',
      holdMs: CREDENTIAL_HOLD_MS,
      keepSession: kept,
      endsDevices: true,
      suspendsKeys: true,
    });
    assert.equal(version, 2);
    const sessions = `select id::integer, security_version::integer as version, revoked_reason
      from sessions where id = any($1) order by id`;
    const { rows } = await pool.query(sessions, [[kept, ended, foreignSession]]);
    assert.deepEqual(rows, [
      { id: kept, version: 2, revoked_reason: null },
      { id: ended, version: 1, revoked_reason: 'password_reset' },
      { id: foreignSession, version: 1, revoked_reason: null },
    ]);
    assert.deepEqual(await devicesAndKeys(user), [
      'admin password_reset',
      'device revoked',
      'read null',
      'trade password_reset',
      'withdraw password_reset',
    ]);
    assert.deepEqual(await devicesAndKeys(foreign), [
      'admin null',
      'device live',
      'read null',
      'trade null',
      'withdraw null',
    ]);
    assert.deepEqual(
      await useCodeOfUser(pool, vault, { ...asked, code }),
      new Refused('code_expired'),
    );
  });

  const holds: [what: string, current: string | null, holdMs: number, until: string][] = [
    ['none, and none requested', null, 0, 'none'],
    ['none, and a day requested', null, CREDENTIAL_HOLD_MS, '24 hours, test'],
    ['a shorter one', '1 hour', CREDENTIAL_HOLD_MS, '24 hours, test'],
    ['a longer one', '72 hours', CREDENTIAL_HOLD_MS, '72 hours, operator'],
    ['one, and none requested', '72 hours', 0, '72 hours, operator'],
  ];
  for (const [what, current, holdMs, expected] of holds) {
    test(`a hold is never shortened: ${what}: ${expected}`, async () => {
      const user = await makeUser(pool);
      await pool.query(
        `update users set withdrawal_blocked_until = now() + $2::interval,
           block_reason = case when $2 is not null then 'operator' end where id = $1`,
        [user, current],
      );
      await change({ user, reason: 'test', holdMs });
      const { rows } = await pool.query(
        `select
           round(extract(epoch from withdrawal_blocked_until - now()) / 3600)::integer as hours,
           block_reason as reason from users where id = $1`,
        [user],
      );
      const [{ hours, reason }] = rows;
      assert.equal(hours === null ? 'none' : `${hours} hours, ${reason}`, expected);
    });
  }

  async function change(asked: Parameters<typeof applySecurityChange>[1]): Promise<number> {
    const connection = await registry.connection();
    return inTransaction(connection, () => applySecurityChange(connection, asked));
  }
});

async function makeSession(user: UserId): Promise<number> {
  const { rows } = await pool.query(
    `insert into sessions (user_id, token_hash, scopes, expires_at)
     values ($1, sha256(gen_random_uuid()::text::bytea), '{user}', now() + interval '1 day')
     returning id::integer`,
    [user],
  );
  return rows[0].id;
}

async function makeDeviceAndKeys(user: UserId): Promise<void> {
  await pool.query("insert into devices (user_id, network) values ($1, '192.0.2.1')", [user]);
  await pool.query(
    `insert into api_keys (user_id, name, public_key, kind, sealed, kek_id, can_trade,
       can_withdraw, role, expires_at)
     select $1, name, encode(substr(sha256(gen_random_uuid()::text::bytea), 1, 20), 'hex'), 'hmac',
       '', 1, name = 'trade', name = 'withdraw', case name when 'admin' then name else 'user' end,
       now() + interval '1 day'
     from unnest(array['admin', 'read', 'trade', 'withdraw']) name`,
    [user],
  );
}

async function devicesAndKeys(user: UserId): Promise<string[]> {
  const { rows } = await pool.query(
    `select 'device ' || case when revoked_at is null then 'live' else 'revoked' end as line
     from devices where user_id = $1
     union all
     select name || ' ' || coalesce(suspended_reason, 'null') from api_keys where user_id = $1
     order by line`,
    [user],
  );
  return rows.map(({ line }) => line);
}
