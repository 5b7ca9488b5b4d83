// Tests the console's calls on a real PostgreSQL: each role sees only what it can read, and reads
// cost lookups.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { migrate, openPool, type Pool } from '../../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../../infra/projections/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import type { Call, Dependencies } from '../../../platform/http/index.ts';
import { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { startPostgresForTest } from '../../../testing/projections/postgres-for-test.ts';
import { createUser } from '../../accounts/index.ts';
import type { Caller } from '../../auth/index.ts';
import { consoleRoutes } from './console-routes.ts';

const PROJECTED = 'projected';
const vault = new Vault(new Map([[1, Buffer.alloc(32, 3)]]));

let registry: Pool;
let stop: () => Promise<void> = async () => {};
let ann: UserId;
let bob: UserId;
let dependencies: Dependencies;

describe('console endpoints', { timeout: 120_000 }, () => {
  before(async () => {
    const postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    const projection = await postgres.session(PROJECTED);
    await migrate(projection, PROJECTED, readProjectionMigrations());
    const connection = await postgres.session('registry');
    await migrate(connection, 'registry', readRegistryMigrations());
    registry = openPool({ ...postgres.connection('registry'), connectionsMax: 4 });
    ann = await newUser('ann');
    bob = await newUser('bob');
    await plant();
    dependencies = {
      registry,
      vault,
      clock: { nowMs: () => Date.now() },
      exchange: { projectionSchema: PROJECTED },
    } as unknown as Dependencies;
  });
  after(async () => {
    await registry?.end();
    await stop();
  });

  test('abuse 49: a role finds only what it can read, with an endpoint for it', async () => {
    const path = (call: string) => `/v2/admin/${call}?user_id=${ann}&transaction_id=tx-1`;
    const deposit = ['deposit', 'deposit 0.00000005 btc canceled', path('deposits')];
    const withdrawal = ['withdrawal', 'withdrawal 0.00000005 btc canceled', path('withdrawals')];
    assert.deepEqual(await found(await operator('support'), 'tx-1'), [deposit, withdrawal]);
    assert.deepEqual(await found(await operator('kyc'), 'tx-1'), []);
    assert.deepEqual(await found(await operator('manager'), 'btc'), [
      ['coin', 'Bitcoin active', '/v2/admin/coins?currency=btc'],
    ]);
    assert.deepEqual(await found(await operator('support'), 'btc'), []);
  });

  test('abuse 49: support finds a user by an exact value, masked; others by parts', async () => {
    const user = ['user', 'a•••@c•••.example active', `/v2/admin/users?id=${ann}`];
    assert.deepEqual(await found(await operator('support'), 'ann@console.example'), [user]);
    assert.deepEqual(await found(await operator('support'), 'ann@conso'), []);
    assert.deepEqual(await found(await operator('kyc'), 'ann@conso'), [user]);
  });

  test('abuse 49: each user that support finds counts; a list counts once', async () => {
    const support = await operator('support');
    await found(support, 'shared');
    await found(support, 'shared');
    const counted = [`search ${bob}`, `search ${ann}`];
    assert.deepEqual(await searchQueriesOf(support), counted);
    const manager = await operator('manager');
    await found(manager, 'shared');
    assert.deepEqual(await searchQueriesOf(manager), ['search']);
  });

  test('abuse 49: beyond the budget, the search returns nothing', async () => {
    const support = await operator('support');
    await registry.query(
      `insert into data_lookups (at, operator_id, reason)
       select now(), $1, 'list' from generate_series(1, 59)`,
      [support.user],
    );
    const refused = await search(support, 'shared');
    assert.ok(refused instanceof Refused && refused.key === 'lookup_budget_spent');
    assert.deepEqual(
      await searchQueriesOf(support),
      Array(59).fill('list'),
      'nothing is counted partly',
    );
    assert.equal((await found(support, 'ann@console.example')).length, 1);
  });

  test('abuse 49: the timeline has the types that the role can read', async () => {
    const types = async (role: string, asked?: string[]) => {
      const answer = await timeline(await operator(role), { types: asked });
      const inData = [...new Set(answer.data.map(({ type }) => type))].sort();
      assert.deepEqual(
        inData.filter((type) => !answer.types.includes(type)),
        [],
      );
      return inData.join(' ');
    };
    assert.equal(await types('auditor'), 'account deposit login operator withdrawal');
    assert.equal(await types('support'), 'account deposit login withdrawal');
    assert.equal(await types('kyc'), 'account login');
    assert.equal(await types('kyc', ['deposit', 'login']), 'login');
    assert.equal(await types('announcer'), '');
  });

  test('a timeline page leads to the next one', async () => {
    const auditor = await operator('auditor');
    const whole = await timeline(auditor, {});
    assert.equal(whole.next, null);
    const first = await timeline(auditor, { limit: 2 });
    const second = await timeline(auditor, { limit: 50, before: first.next! });
    assert.equal(second.next, null);
    assert.deepEqual([...first.data, ...second.data], whole.data);
    for (const query of [{ before: 'x' }, { user_id: 999_999 }]) {
      assert.ok((await askTimeline(auditor, query)) instanceof Refused);
    }
  });
});

async function search(caller: Caller, q: string) {
  const call = { caller, query: { q }, address: '' };
  return consoleRoutes.search(call as never, dependencies);
}

async function found(caller: Caller, q: string): Promise<string[][]> {
  const answer = await search(caller, q);
  assert.ok('data' in answer && answer.count === answer.data.length);
  return answer.data.map(({ path, title, type }) => [type, title, path]);
}

async function askTimeline(caller: Caller, query: object) {
  const call = { caller, query: { user_id: ann, limit: 50, ...query } } as unknown as Call;
  return consoleRoutes.getTimeline(call as never, dependencies);
}

async function timeline(caller: Caller, query: object) {
  const answer = await askTimeline(caller, query);
  assert.ok('types' in answer);
  return answer;
}

let operators = 0;

/** Creates an operator with the role from the migrations. */
async function operator(role: string): Promise<Caller> {
  const user = await newUser(`${role}${++operators}`);
  const { rows } = await registry.query('select permissions, powers from roles where name = $1', [
    role,
  ]);
  const permissions = new Set<string>(rows[0].permissions);
  const caller: Partial<Caller> = {
    kind: 'session',
    session: 1,
    user,
    role,
    permissions,
    powers: new Set<string>(rows[0].powers),
    mayOperate: (path, method) => permissions.has(`${path}:${method.toLowerCase()}`),
  };
  return caller as Caller;
}

async function searchQueriesOf({ user }: Caller): Promise<string[]> {
  const { rows } = await registry.query(
    `select concat_ws(' ', reason, subject_id) as text from data_lookups
     where operator_id = $1 and counts order by id`,
    [user],
  );
  return rows.map(({ text }) => text);
}

async function newUser(name: string): Promise<UserId> {
  const user = await createUser(registry, { email: `${name}@console.example` });
  assert.ok(typeof user === 'object', `${user}`);
  return user.id;
}

async function plant(): Promise<void> {
  const requests: [user: UserId, transaction: string][] = [
    [ann, 'tx-1'],
    [ann, 'shared'],
    [bob, 'shared'],
  ];
  for (const [user, transaction] of requests) {
    await registry.query(
      `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
         address, network, transaction_id, state)
       values ('deposit', $1, 1, 'btc', 8, 5, 'a', 'btc', $2, 'canceled')`,
      [user, transaction],
    );
  }
  await registry.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state)
     values ('withdrawal', $1, 1, 'btc', 8, 5, 1, 'btc', 8, 0, 'a', 'btc', 'tx-1', 'canceled')`,
    [ann],
  );
  await registry.query(
    `insert into logins (user_id, email_mac, outcome, ip) values ($1, '', 'success', '')`,
    [ann],
  );
  await registry.query(
    `insert into audit_entries (seq, at, credential, address, act, object, subject_id, prev, hash,
       mac)
     values (1, now(), 'tool', '', 'user.note', 'user', $1, sha256(''), sha256(''), sha256(''))`,
    [ann],
  );
  await registry.query(
    `insert into coins (symbol, fullname) values ('btc', 'Bitcoin') on conflict do nothing`,
  );
}
