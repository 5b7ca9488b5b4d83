// The last version of user settings reaches the engine, through kills, lost responses and refusals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../core/messages/index.ts';
import type { UserId } from '../../core/money/index.ts';
import { createUser, joinFamilyGroups, setEngineSettings } from '../../features/accounts/index.ts';
import type { Outcome } from '../../infra/command-link/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { DispatcherProcess } from '../../testing/outbox/dispatcher-process.ts';
import { startExchangeForTest } from '../../testing/outbox/exchange-for-test.ts';
import { startPostgresForTest } from '../../testing/projections/postgres-for-test.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { SettingsSender } from './settings-sender.ts';

const PATIENCE = { timeoutMs: 60_000 };

async function unsentUsers(session: OwnConnection): Promise<number[]> {
  const { rows } = await session.query(
    'select user_id from engine_user_settings where sent_version < version order by user_id',
  );
  return rows.map(({ user_id }) => Number(user_id));
}

test("a user without settings has the engine's defaults: tier 1, no group", async (context) => {
  const { replay, session, users } = await startExchangeForTest(context, { userCount: 1 });
  const { rows } = await session.query('select verification_level from users where id = $1', [
    users[0],
  ]);
  const { replica } = await replay();
  const tier = replica.exchange.users.tier(replica.exchange.users.find(users[0]));
  assert.deepEqual([Number(rows[0].verification_level), tier], [1, 1]);
  assert.deepEqual(await unsentUsers(session), []);
});

test('a level change is a tier change, for sub-accounts too', async (context) => {
  const session = await openRegistry(context);
  const parent = await userOf(session, 'parent@example.com');
  const sub = await userOf(session, 'sub@example.com');
  await session.query(`update users set kind = 'sub', parent_id = $1 where id = $2`, [parent, sub]);
  const high = await createUser(session, { email: 'high@example.com', verificationLevel: 3 });
  assert.ok(typeof high === 'object');
  assert.deepEqual(await tiers(), [[high.id, 3, 1]]);
  await session.query('update users set verification_level = 2 where id = $1', [parent]);
  await session.query('update users set verification_level = 2 where id = $1', [high.id]);
  assert.deepEqual(
    await tiers(),
    [
      [parent, 2, 1],
      [high.id, 2, 2],
    ],
    'a sub-account without money stays unknown to the engine',
  );
  await joinFamilyGroups(session, [sub]);
  await session.query('update users set verification_level = 3 where id = $1', [parent]);
  assert.deepEqual(await tiers(), [
    [parent, 3, 3],
    [sub, 3, 2],
    [high.id, 2, 2],
  ]);
  await assert.rejects(
    session.query('update users set verification_level = 64 where id = $1', [parent]),
    /engine_user_settings_tier_check/,
  );

  async function tiers(): Promise<number[][]> {
    const { rows } = await session.query(
      'select user_id, tier, version from engine_user_settings order by user_id',
    );
    return rows.map(({ tier, user_id, version }) => [user_id, tier, version].map(Number));
  }
});

test('only changes increase a version', async (context) => {
  const session = await openRegistry(context);
  const user = await userOf(session, 'a@example.com');
  const steps = [
    [{ group: 7 }, true, 1],
    [{ group: 7 }, false, 1],
    [{}, false, 1],
    [{ discountPpm: 50_000 }, true, 2],
    [{ group: 7, discountPpm: 50_000, isHouse: false }, false, 2],
    [{ isHouse: true }, true, 3],
    [{ group: 0 }, true, 4],
  ] as const;
  for (const [change, isChanged, version] of steps) {
    assert.equal(await setEngineSettings(session, { user, ...change }), isChanged);
    const { rows } = await session.query('select version from engine_user_settings');
    assert.equal(Number(rows[0].version), version, JSON.stringify(change));
  }
  const { rows } = await session.query('select * from engine_user_settings');
  const { discount_ppm, group_id, is_house, tier } = rows[0];
  assert.deepEqual([group_id, discount_ppm, tier].map(Number), [0, 50_000, 1]);
  assert.equal(is_house, true);
  await assert.rejects(setEngineSettings(session, { user, discountPpm: 1_000_001 }), /discount/);
});

test('unknown outcomes are sent again; refusals and newer changes are delayed', async (context) => {
  const session = await openRegistry(context);
  const users = [
    await userOf(session, 'answered@example.com'),
    await userOf(session, 'unknown@example.com'),
    await userOf(session, 'refused@example.com'),
    await userOf(session, 'changed@example.com'),
    await userOf(session, 'fees-lost@example.com'),
  ];
  for (const user of users) await setEngineSettings(session, { user, group: 1 });
  const [, unknown, refused, changed, feesLost] = users;
  const answers = new Map<number, string>([
    [unknown, 'unknown'],
    [refused, 'exchange_user_capacity_reached'],
  ]);
  const complaints: unknown[] = [];
  let isFeesLost = true;
  const sender = new SettingsSender({
    clock: systemClock,
    answerMs: 1_000,
    refusedMs: 0,
    onSent: () => {},
    onRefused: (settings, refusal) => complaints.push([settings.user, refusal]),
    client: {
      nextId: () => ({ source: 1, number: 1 }),
      send(command: Command, _timeoutMs: number, done: (outcome: Outcome) => void) {
        assert.ok('user' in command);
        const isLost = isFeesLost && command.user === feesLost && command.kind === 'SetUserFees';
        const answer = isLost ? 'unknown' : (answers.get(command.user) ?? 'none');
        if (answer === 'unknown') done({ kind: 'unknown' });
        else done({ kind: 'answered', result: { refusal: answer } } as unknown as Outcome);
      },
    },
  });
  const round = async () => {
    const answered = await sender.send(await sender.read(session));
    if (isFeesLost) await setEngineSettings(session, { user: changed, group: 2 });
    return sender.record(session, answered);
  };
  assert.equal(await round(), 2);
  assert.deepEqual(await unsentUsers(session), [unknown, refused, changed, feesLost]);
  assert.deepEqual(complaints, [[refused, 'exchange_user_capacity_reached']]);
  isFeesLost = false;
  answers.clear();
  assert.equal(await round(), 4);
  assert.deepEqual(await unsentUsers(session), []);
});

test('refused rows do not keep later ones from being sent', async (context) => {
  const session = await openRegistry(context);
  await session.query(
    `insert into users (email, username, affiliation_code)
     select i || '@example.com', 'u' || i, lpad(i::text, 6, '0') from generate_series(1, 600) i`,
  );
  await session.query('insert into engine_user_settings (user_id, tier) select id, 1 from users');
  const { rows } = await session.query('select max(id) as last from users');
  const last = Number(rows[0].last);
  const sender = new SettingsSender({
    clock: systemClock,
    answerMs: 1_000,
    refusedMs: 60_000,
    onSent: () => {},
    onRefused: () => {},
    client: {
      nextId: () => ({ source: 1, number: 1 }),
      send(command: Command, _timeoutMs: number, done: (outcome: Outcome) => void) {
        const refusal = 'user' in command && command.user === last ? 'none' : 'user_must_be_valid';
        done({ kind: 'answered', result: { refusal } } as unknown as Outcome);
      },
    },
  });
  let accepted = 0;
  for (let round = 1; round <= 3; round++) {
    accepted += await sender.record(session, await sender.send(await sender.read(session)));
  }
  assert.equal(accepted, 1);
  assert.deepEqual(await sender.read(session), [], 'it pauses after a scan with refusals');
});

test('after kill -9 the engine still gets the last version of each row', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 20 });
  const { session, users } = exchange;
  let changes = 0;
  for (let round = 1; round <= 4; round++) {
    const pair = [0, 1].map(() => new DispatcherProcess(exchange.environment));
    await Promise.race(pair.map(({ sends }) => sends));
    for (let step = 0; step < 100; step++) {
      const user = users[(step * 7) % users.length];
      const discountPpm = (round * 1_000 + step) * 10;
      await setEngineSettings(session, { user, group: round * 100 + (step % 3), discountPpm });
      changes++;
    }
    if (round < 4) for (const one of pair) await one.kill('SIGKILL');
    else {
      await waitUntil({
        what: 'all settings are sent',
        ...PATIENCE,
        question: async () => (await unsentUsers(session)).length === 0,
      });
      for (const one of pair) await one.kill('SIGTERM');
      assert.deepEqual(pair[0].complaints, []);
    }
  }
  const { events } = await exchange.replay();
  const inEngine = new Map<UserId, (number | boolean)[]>();
  let sets = 0;
  for (const event of events) {
    if (event.kind === 'UserGroupSet') {
      inEngine.set(event.user, [event.group, event.house, ...lastFees(event.user)]);
    }
    if (event.kind === 'UserFeesSet') {
      sets++;
      const [group = -1, house = false] = inEngine.get(event.user) ?? [];
      inEngine.set(event.user, [group, house, event.tier, event.discountPpm]);
    }
  }
  const { rows } = await session.query('select * from engine_user_settings order by user_id');
  assert.equal(rows.length, users.length);
  for (const row of rows) {
    assert.deepEqual(inEngine.get(Number(row.user_id) as UserId), [
      Number(row.group_id),
      row.is_house,
      Number(row.tier),
      Number(row.discount_ppm),
    ]);
  }
  context.diagnostic(`${changes} changes, ${sets} sent versions`);

  function lastFees(user: UserId): (number | boolean)[] {
    return inEngine.get(user)?.slice(2) ?? [];
  }
});

async function openRegistry(context: Parameters<typeof startPostgresForTest>[0]) {
  const postgres = await startPostgresForTest(context);
  const session = await postgres.session('registry');
  await migrate(session, 'registry', readRegistryMigrations());
  return session;
}

async function userOf(session: OwnConnection, email: string): Promise<UserId> {
  const user = await createUser(session, { email });
  assert.ok(typeof user === 'object', String(user));
  return user.id;
}
