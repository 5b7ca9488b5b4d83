// The console over HTTP: results link to calls that show them, timeline pages are contiguous, and
// an export can be verified by its hash.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { useTeam } from '../../features/approvals/operators-for-test.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';

const EMAIL = 'mara.example@console.example';
const POLL_MS = 20;

interface Result {
  readonly type: string;
  readonly id: string;
  readonly user_id: number | null;
  readonly title: string;
  readonly path: string;
}

interface Work {
  readonly control_mode: string;
  readonly is_mode_chosen: boolean;
  readonly queues: readonly { readonly name: string; readonly waiting: number }[];
}

let sandbox: Sandbox;
let mara: UserId;

describe('the console over HTTP', () => {
  before(async () => {
    sandbox = await startSandbox({});
    await useTeam(sandbox.admin.registry);
    mara = await newUser(EMAIL);
    await plant();
  });
  after(() => sandbox?.stop());

  test('abuse 49: support searches by exact values and sees masked results', async () => {
    const support = await newOperator('support');
    const [user] = await support.search(EMAIL);
    assert.deepEqual(
      [user.type, user.user_id, user.title],
      ['user', mara, 'm•••@c•••.example active'],
    );
    assert.deepEqual(await support.search('console.exam'), [], 'a part');
    const found = await support.search('tx-of-mara');
    assert.deepEqual(
      found.map(({ type }) => type),
      ['deposit', 'withdrawal'],
    );
    for (const { path } of [user, ...found]) {
      const { status, text } = await support.get(path);
      assert.equal(status, 200, text);
      assert.ok(text.includes(`"user_id":${mara}`) || text.includes(`"id":${mara}`), text);
      assert.ok(!text.includes(EMAIL), text);
    }
    for (const call of ['search?q=1', `user/timeline?user_id=${mara}`]) {
      const announcer = await newOperator('announcer');
      assert.equal((await announcer.get(`/v2/admin/${call}`)).status, 403, call);
    }
  });

  test('work counts each queue that the role decides, without own and chain deposits', async () => {
    const [supervisor, support] = [await newOperator('supervisor'), await newOperator('support')];
    const work = async ({ get }: { get: typeof support.get }) => {
      const { body, status, text } = await get('/v2/admin/work');
      assert.equal(status, 200, text);
      const { control_mode: mode, is_mode_chosen: isChosen, queues } = body as Work;
      const counts = Object.fromEntries(queues.map(({ name, waiting }) => [name, waiting]));
      return { mode, isChosen, counts };
    };
    const none = { approvals: 0, withdrawals: 0, deposits: 0, bank_accounts: 0, findings: 0 };
    assert.deepEqual(await work(supervisor), {
      mode: 'team',
      isChosen: true,
      counts: { ...none, reveals: 0 },
    });
    assert.deepEqual((await work(support)).counts, {});
    const { registry } = sandbox.admin;
    for (const [user, network] of [
      [mara, 'fiat'],
      [supervisor.user, 'fiat'],
      [mara, 'btc'],
    ]) {
      await registry.query(
        `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
           address, network, transaction_id, state)
         values ('deposit', $1, 3, 'eur', 2, 5, '', $2, gen_random_uuid()::text, 'pending')`,
        [user, network],
      );
    }
    await registry.query(
      `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
         fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state)
       values ('withdrawal', $1, 1, 'btc', 8, 5, 1, 'btc', 8, 0, 'a', 'btc', 'in review',
         'in_review')`,
      [mara],
    );
    const { counts } = await work(supervisor);
    assert.deepEqual(counts, { ...none, deposits: 1, withdrawals: 1, reveals: 0 });
  });

  test('timeline pages are contiguous', async () => {
    const admin = await newOperator('admin');
    const read = async (query: string) => {
      const { body } = await admin.get(`/v2/admin/user/timeline?user_id=${mara}${query}`);
      return body as { data: { type: string; id: string; event: string }[]; next: string | null };
    };
    const whole = await read('');
    assert.equal(whole.next, null);
    const joined: object[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page = await read(`&limit=2${next === '' ? '' : `&before=${next}`}`);
      joined.push(...page.data);
      ({ next } = page);
    }
    assert.deepEqual(joined, whole.data);
  });

  test('a file is found by its hash, with its rows', async () => {
    const auditor = await newOperator('auditor');
    const { text } = await auditor.get('/v2/admin/balances/csv');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const found = await ended(`sha256=${sha256}`);
    assert.deepEqual(
      [found.operator_id, found.list, found.state, found.rows, found.bytes],
      [auditor.user, 'balances', 'complete', text.trim().split('\n').length - 1, text.length],
    );
    const all = await auditor.get('/v2/admin/deposits?format=all&user_id=999999');
    const empty = createHash('sha256').update(all.text).digest('hex');
    assert.deepEqual((await ended(`sha256=${empty}`)).rows, 0);
    const header = await auditor.get('/v2/admin/orders/csv?user_id=999999');
    assert.match(header.text, /^id,[A-Za-z_,]+\r\n$/);
    const none = await ended(`operator_id=${auditor.user}&list=orders`);
    assert.deepEqual([none.state, none.rows], ['complete', 0]);
    assert.equal((await (await newOperator('support')).get('/v2/admin/exports')).status, 403);
  });
});

/** Returns the filter's newest export. Its end is recorded after the client has the last byte. */
async function ended(filter: string) {
  const admin = await newOperator('admin');
  for (;;) {
    const { body, text } = await admin.get(`/v2/admin/exports?${filter}`);
    const [found] = (body as { data: Record<string, unknown>[] }).data;
    if (found !== undefined && found.state !== 'sending') return found;
    assert.ok(!text.includes('"count":0') || filter.startsWith('sha256'), text);
    await wait(POLL_MS);
  }
}

async function newUser(email: string): Promise<UserId> {
  const user = await createUser(sandbox.admin.registry, { email });
  assert.ok(typeof user === 'object', `${user}`);
  return user.id;
}

async function plant(): Promise<void> {
  const { registry } = sandbox.admin;
  await registry.query(
    `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms, address,
       network, transaction_id, state)
     values ('deposit', $1, 1, 'btc', 8, 5, 'a', 'btc', 'tx-of-mara', 'canceled')`,
    [mara],
  );
  await registry.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state)
     values ('withdrawal', $1, 1, 'btc', 8, 5, 1, 'btc', 8, 0, 'a', 'btc', 'tx-of-mara',
       'canceled')`,
    [mara],
  );
  await registry.query(
    `insert into logins (user_id, email_mac, outcome, ip) values ($1, '', 'success', '')`,
    [mara],
  );
  const admin = await newOperator('admin');
  const note = { user_id: mara, note: 'calls often' };
  const { status, text } = await admin.put('/v2/admin/user/note', note);
  assert.equal(status, 200, text);
}

let operators = 0;

async function newOperator(role: string) {
  const user = await newUser(`console-${role}-${++operators}@exchange.example`);
  const { registry } = sandbox.admin;
  await registry.query('update users set role = $2 where id = $1', [user, role]);
  const { token } = await sandbox.admin.issueSession({ user, scopes: ['user', role] });
  const client = new RestClient({ url: sandbox.url });
  const headers = { authorization: `Bearer ${token}` };
  const get = (target: string) => client.send({ method: 'GET', target, headers });
  return {
    user,
    get,
    put: (target: string, body: Readonly<Record<string, unknown>>) =>
      client.send({ method: 'PUT', target, body, headers }),
    async search(text: string): Promise<Result[]> {
      const {
        body,
        status,
        text: answer,
      } = await get(`/v2/admin/search?q=${encodeURIComponent(text)}`);
      assert.equal(status, 200, answer);
      return (body as { data: Result[] }).data;
    },
  };
}
