// Tests devices, the login history and freeze tokens on PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import type { Pool } from '../../../infra/postgres/index.ts';
import { findSharedMark } from '../../approvals/index.ts';
import { circumstancesOf, freezeToken, readFreezeToken } from '../circumstances.ts';
import type { IdentityClient } from '../person-context.ts';
import {
  clientAt,
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../registry-for-test.ts';
import {
  DEVICES_MAX,
  findKnownDevice,
  listDevices,
  pastLogins,
  rememberDevice,
  revokeDevice,
} from './devices.ts';
import {
  countPasswordKnown,
  dropOldLogins,
  ensureLoginPartitions,
  type LoginOutcome,
  loginList,
  loginOf,
  recordLogin,
} from './logins.ts';

const NOW_MS = Date.UTC(2026, 4, 15);
const DAY_MS = 86_400_000;

let registry: RegistryForTest;
let pool: Pool;

describe('devices', () => {
  before(async () => {
    registry = await openRegistryForTest();
    pool = registry.pool;
  });
  after(() => registry.close());

  test('a browser is known by its cookie at every address, only to its users', async () => {
    const [user, other] = [await makeUser(pool), await makeUser(pool)];
    const browser = clientAt('192.0.2.1', { isBrowserApp: true });
    const { token } = await remember(user, browser);
    assert.match(token ?? '', /^[\w-]{43}$/);
    const elsewhere = clientAt('198.51.100.7', { isBrowserApp: true, deviceToken: token });
    assert.ok(await known(user, elsewhere));
    assert.equal(await known(other, elsewhere), undefined);
    assert.equal(await known(user, browser), undefined, 'without its cookie');
    assert.equal(await known(user, clientAt('192.0.2.1')), undefined, 'a script at its address');

    const again = await remember(other, elsewhere);
    assert.equal(again.token, token, 'the second user of a browser keeps its cookie');
    assert.ok(await known(other, elsewhere));
    assert.ok(await known(user, elsewhere));
  });

  test('abuse 40: users who share a browser are found, whatever their roles', async () => {
    const gainer = await makeUser(pool);
    const voter = await makeUser(pool, { role: 'supervisor' });
    const stranger = await makeUser(pool);
    const browser = clientAt('192.0.2.3', { isBrowserApp: true });
    const { token } = await remember(gainer, browser);
    await remember(voter, clientAt('198.51.100.8', { isBrowserApp: true, deviceToken: token }));
    await remember(stranger, browser);
    assert.equal(await findSharedMark(pool, voter, [gainer]), 'device');
    assert.equal(await findSharedMark(pool, voter, [stranger]), undefined);
  });

  test('a client without cookies is known by its network for 90 days', async () => {
    const user = await makeUser(pool);
    const script = clientAt('192.0.2.9');
    const { device, token } = await remember(user, script);
    assert.equal(token, undefined);
    assert.equal((await known(user, script, NOW_MS + 89 * DAY_MS))?.id, device);
    assert.equal(await known(user, script, NOW_MS + 91 * DAY_MS), undefined);
    assert.equal((await remember(user, script, NOW_MS + 91 * DAY_MS)).device, device);
    assert.equal((await known(user, script, NOW_MS + 180 * DAY_MS))?.id, device);
    assert.equal(await known(user, clientAt('192.0.2.10')), undefined);
  });

  test("abuse 35: another user's device is treated like a missing one", async () => {
    const [user, other] = [await makeUser(pool), await makeUser(pool)];
    const { device } = await remember(user, clientAt('192.0.2.11'));
    assert.equal(await revokeDevice(pool, { user: other, id: device }), false);
    assert.equal(await revokeDevice(pool, { user: other, id: 999_999 }), false);
    assert.deepEqual(await listDevices(pool, other), []);
    assert.equal((await listDevices(pool, user)).length, 1);
    assert.equal(await revokeDevice(pool, { user, id: device }), true);
    assert.equal(await revokeDevice(pool, { user, id: device }), false);
    assert.equal(await known(user, clientAt('192.0.2.11')), undefined);
  });

  test('a revoked device ends its sessions', async () => {
    const user = await makeUser(pool);
    const { device } = await remember(user, clientAt('192.0.2.12'));
    const other = await remember(user, clientAt('192.0.2.13'));
    for (const id of [device, other.device]) {
      await pool.query(
        `insert into sessions (user_id, token_hash, scopes, expires_at, device_id)
         values ($1, sha256($2), '{user}', now() + interval '1 day', $3)`,
        [user, `${user} ${id}`, id],
      );
    }
    await revokeDevice(pool, { user, id: device });
    const { rows } = await pool.query(
      'select device_id from sessions where user_id = $1 and revoked_at is null',
      [user],
    );
    assert.deepEqual(
      rows.map(({ device_id }) => Number(device_id)),
      [other.device],
    );
  });

  test('a revoked device that returns is a new device', async () => {
    const user = await makeUser(pool);
    const browser = clientAt('192.0.2.14', { isBrowserApp: true });
    const { device, token } = await remember(user, browser);
    const returning = clientAt('192.0.2.14', { isBrowserApp: true, deviceToken: token });
    await remember(user, returning, NOW_MS + DAY_MS);
    const first = async () => (await listDevices(pool, user)).map((row) => +row.firstSeenAt);
    assert.deepEqual(await first(), [NOW_MS], 'another login of a known device');
    await revokeDevice(pool, { user, id: device });
    await remember(user, returning, NOW_MS + 2 * DAY_MS);
    assert.deepEqual(await first(), [NOW_MS + 2 * DAY_MS]);
  });

  test('a user has at most 50 devices; countries stay known without devices', async () => {
    const user = await makeUser(pool);
    for (let index = 0; index < DEVICES_MAX + 5; index++) {
      await remember(user, clientAt(`203.0.113.${index}`), NOW_MS + index);
    }
    const devices = await listDevices(pool, user);
    assert.equal(devices.length, DEVICES_MAX);
    assert.equal(devices[0].network, `203.0.113.${DEVICES_MAX + 4}`);
    assert.equal(await known(user, clientAt('203.0.113.0')), undefined);
    for (const { id } of devices) await revokeDevice(pool, { user, id });
    const { countries, lastMs } = await pastLogins(pool, user);
    assert.deepEqual([...countries], ['DE']);
    assert.equal(lastMs, NOW_MS + DEVICES_MAX + 4);
  });

  test('a password is known to others if the factor fails and no success follows', async () => {
    const user = await makeUser(pool);
    const record = async (outcome: LoginOutcome, ip: string, nowMs = NOW_MS) => {
      const client = clientAt(ip);
      await recordLogin(pool, vault, {
        user,
        email: 'a@example.com',
        outcome,
        client,
        country: '',
        device: null,
        nowMs,
      });
      return countPasswordKnown(pool, { user, nowMs });
    };
    assert.equal(await record('factor_missing', '192.0.2.1'), 1);
    assert.equal(await record('success', '192.0.2.1'), 0, 'the owner types the code afterwards');
    assert.equal(await record('factor_missing', '192.0.2.2'), 1);
    assert.equal(await record('factor_wrong', '192.0.2.3'), 2);
    assert.equal(await record('success', '192.0.2.1'), 2, 'a success elsewhere does not count');
    assert.equal(await record('password_wrong', '192.0.2.2'), 2);
    assert.equal(await record('factor_wrong', '192.0.2.2', NOW_MS + DAY_MS), 1);
  });

  test('abuse 35: the login list contains only rows of its user', async () => {
    const [user, other] = [await makeUser(pool), await makeUser(pool)];
    const attempt = { email: 'a@b.example', client: clientAt('192.0.2.1'), country: 'FR' };
    const common = { ...attempt, device: null, nowMs: NOW_MS };
    await recordLogin(pool, vault, { ...common, user, outcome: 'password_wrong' });
    await recordLogin(pool, vault, { ...common, user, outcome: 'success' });
    await recordLogin(pool, vault, { ...common, user: other, outcome: 'success' });
    await recordLogin(pool, vault, { ...common, user: null, outcome: 'password_wrong' });
    const outcomes = async (status?: boolean) => {
      const list = loginList({ user, status });
      const { rows } = await pool.query(list.rows('order by id desc'), [...list.values, 10, 0]);
      const { rows: counted } = await pool.query(list.count, [...list.values, 1_000]);
      assert.equal(Number(counted[0].count), rows.length);
      return rows.map((row) => loginOf(row).outcome);
    };
    assert.deepEqual(await outcomes(), ['success', 'password_wrong']);
    assert.deepEqual(await outcomes(true), ['success']);
    assert.deepEqual(await outcomes(false), ['password_wrong']);
  });

  test('logins have a partition per month and are deleted after 13 months', async () => {
    // In the past, because a login of the last 12 months is never deleted, whatever the caller
    // requests.
    const start = Date.UTC(2025, 0, 20);
    assert.equal(await ensureLoginPartitions(pool, start), 3);
    assert.equal(await ensureLoginPartitions(pool, start), 0);
    assert.equal(await ensureLoginPartitions(pool, Date.UTC(2025, 1, 1)), 1);
    assert.deepEqual(await partitions(), [
      'logins_2025_01',
      'logins_2025_02',
      'logins_2025_03',
      'logins_2025_04',
    ]);
    const user = await makeUser(pool);
    const attempt = { user, email: '', outcome: 'success', country: '', device: null } as const;
    const client = clientAt('192.0.2.1');
    await recordLogin(pool, vault, { ...attempt, client, nowMs: start });
    await recordLogin(pool, vault, { ...attempt, client, nowMs: Date.UTC(2024, 11, 1) });
    const count = async (table: string) =>
      Number(
        (await pool.query(`select count(*) from ${table} where user_id = $1`, [user])).rows[0]
          .count,
      );
    assert.equal(await count('logins_2025_01'), 1);
    assert.equal(await count('logins_default'), 1);
    assert.equal(await dropOldLogins(pool, Date.UTC(2025, 11, 31)), 0);
    assert.equal(await count('logins_2025_01'), 1);
    assert.equal(await count('logins_default'), 1);
    assert.equal(await dropOldLogins(pool, Date.UTC(2026, 2, 1)), 2);
    assert.equal(await count('logins'), 0);
    await recordLogin(pool, vault, { ...attempt, client, nowMs: Date.now() });
    await dropOldLogins(pool, Date.UTC(2099, 0, 1));
    assert.equal(await count('logins'), 1);
  });

  test('a month with rows in the default partition keeps them there', async () => {
    const nowMs = Date.UTC(2029, 5, 1);
    const user = await makeUser(pool);
    const attempt = { user, email: '', outcome: 'success', country: '', device: null } as const;
    await recordLogin(pool, vault, { ...attempt, client: clientAt('192.0.2.1'), nowMs });
    assert.equal(await ensureLoginPartitions(pool, nowMs), 2);
    const made = (await partitions()).filter((name) => name > 'logins_2029');
    assert.deepEqual(made, ['logins_2029_07', 'logins_2029_08']);
  });

  test('a freeze token is valid for six hours and one user', () => {
    const user = 7 as UserId;
    const token = freezeToken(vault, user, NOW_MS);
    assert.deepEqual(readFreezeToken(vault, token, NOW_MS), { user, issuedMs: NOW_MS });
    assert.ok(readFreezeToken(vault, token, NOW_MS + 6 * 3_600_000 - 1));
    assert.equal(readFreezeToken(vault, token, NOW_MS + 6 * 3_600_000), undefined);
    for (const forged of [token.replace('7.', '8.'), `${token}x`, token.slice(0, -1), '', '7.1']) {
      assert.equal(readFreezeToken(vault, forged, NOW_MS), undefined, forged);
    }
  });

  test('circumstances show time, address, country and device', () => {
    const source = {
      vault,
      clock: { nowMs: () => NOW_MS },
      identity: { countries: { countryOf: () => 'DE' } },
    };
    const client = clientAt('192.0.2.1', { userAgent: `evil\r\nagent${'x'.repeat(500)}` });
    const found = circumstancesOf(source, client, undefined);
    assert.deepEqual(
      { ...found, device: found.device.slice(0, 12) },
      {
        time: '2026-05-15T00:00:00.000Z',
        ip: '192.0.2.1',
        country: 'DE',
        device: 'evil  agentx',
        freezeToken: '',
      },
    );
    assert.equal(found.device.length, 200);
  });
});

function remember(user: UserId, client: IdentityClient, nowMs = NOW_MS) {
  return rememberDevice(pool, { user, client, country: 'DE', nowMs });
}

function known(user: UserId, client: IdentityClient, nowMs = NOW_MS) {
  return findKnownDevice(pool, { user, client, nowMs });
}

async function partitions(): Promise<string[]> {
  const { rows } = await pool.query(
    `select relname from pg_class where relname ~ '^logins_\\d{4}_\\d{2}$' order by 1`,
  );
  return rows.map(({ relname }) => relname);
}
