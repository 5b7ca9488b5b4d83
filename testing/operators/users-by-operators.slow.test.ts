// Operator actions on users over HTTP, on real services, in team mode: immediate actions, actions
// that need approval, and their audit entries.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { useTeam } from '../../features/approvals/operators-for-test.ts';
import { factorsOf } from '../../features/auth/factors/second-factor.ts';
import { OPEN_ORDER_OF_USER } from '../../infra/projections/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { PersonOverHttp } from '../identity/person-over-http.ts';

let sandbox: Sandbox;
let first: PersonOverHttp;
let second: PersonOverHttp;

before(async () => {
  sandbox = await startSandbox({ checkAnswers: true });
  await useTeam(sandbox.admin.registry);
  first = await administrator();
  second = await administrator();
});
after(() => sandbox?.stop());

/** Creates an administrator with a factor, and a role old enough to vote. */
async function administrator(): Promise<PersonOverHttp> {
  const { user } = await PersonOverHttp.make(sandbox);
  await sandbox.admin.registry.query(`update users set role = 'admin' where id = $1`, [user]);
  await sandbox.admin.registry.query(
    `update users set role_since = now() - interval '2 days' where id = $1`,
    [user],
  );
  return PersonOverHttp.make(sandbox, { user });
}

async function rowOf(user: UserId) {
  const { rows } = await sandbox.admin.registry.query('select * from users where id = $1', [user]);
  return rows[0];
}

async function entriesOf(user: UserId, act: string) {
  const { rows } = await sandbox.admin.registry.query(
    `select actor_id, approval_id, before, after from audit_entries
     where subject_id = $1 and act = $2`,
    [user, act],
  );
  return rows;
}

/** Checks that the request is pending. The second administrator reads and approves it. */
async function approve(waiting: RestAnswer): Promise<void> {
  assert.equal(waiting.status, 202, waiting.text);
  assert.equal(waiting.body.waiting, true);
  const id = waiting.body.approval_id;
  const request = await second.send('GET', `/admin/approval?id=${id}`);
  assert.equal(request.status, 200, request.text);
  const vote = { id, vote: 'approve', payload_hash: request.body.payload_hash };
  const body = { ...vote, otp_code: await second.otp() };
  const voted = await second.send('POST', '/admin/approval/vote', { body });
  assert.equal(voted.status, 200, voted.text);
  assert.equal(voted.body.state, 'executed', voted.text);
}

/** Voters can read the new address, and each lookup is recorded. Others see less, or nothing. */
async function readers(id: number, subject: UserId, email: string): Promise<void> {
  const path = `/admin/approval?id=${id}`;
  const { body } = await second.send('GET', path);
  const line = { label: 'New email address', value: email };
  assert.deepEqual([body.personal, body.payload.email, body.shown.at(-1)], ['open', email, line]);
  const { rows } = await sandbox.admin.registry.query(
    `select subject_id, fields, reason from data_lookups
     where operator_id = $1 order by id desc limit 1`,
    [second.user],
  );
  assert.deepEqual(rows, [{ subject_id: `${subject}`, fields: ['email'], reason: 'approval' }]);
  const auditor = await PersonOverHttp.operator(sandbox, 'auditor');
  const sealed = await auditor.send('GET', path);
  assert.deepEqual([sealed.body.personal, sealed.body.payload], ['sealed', { user: subject }]);
  assert.ok(!sealed.text.includes('hidden'));
  const list = await second.send('GET', '/admin/approvals');
  assert.ok(list.text.includes(`"id":${id},`) && !list.text.includes('hidden'));
  // Neither the requester nor a voter, and without the audit.
  const manager = await PersonOverHttp.operator(sandbox, 'manager');
  assert.equal((await manager.send('GET', path)).status, 404);
  assert.equal((await manager.send('GET', '/admin/approvals')).body.count, 0);
}

/** Gateways drop a session when they are notified that it was closed. */
async function refusedSoon(person: PersonOverHttp): Promise<void> {
  await waitUntil({
    what: 'the session is rejected',
    timeoutMs: 10_000,
    question: async () => (await person.send('GET', '/user')).status === 401,
  });
}

describe('operators and users', () => {
  test('one operator freezes a user: closes sessions, cancels orders, adds an entry', async () => {
    const [{ key, secret, user }] = await sandbox.createTraders({ count: 1 });
    const keys = new RestClient({ url: sandbox.url, key, secret });
    const order = { symbol: 'btc-usdt', side: 'buy', size: 0.001, type: 'limit', price: 50_000 };
    const placed = await keys.post('/order', order);
    assert.equal(placed.status, 200, placed.text);
    const owner = await PersonOverHttp.make(sandbox, { user });
    const body = { user_id: user, activated: false };
    const frozen = await first.send('POST', '/admin/user/activate', { body });
    assert.equal(frozen.status, 200, frozen.text);
    assert.match(frozen.body.message, /^Account \S•+@\S+ has been deactivated$/);
    await refusedSoon(owner);
    await waitUntil({
      what: 'the order is canceled',
      timeoutMs: 20_000,
      question: async () => {
        const { rows } = await sandbox.admin.projections.query(OPEN_ORDER_OF_USER, [user]);
        return rows.length === 0;
      },
    });
    const entries = await entriesOf(user, 'user.freeze');
    assert.deepEqual(entries, [
      {
        actor_id: `${first.user}`,
        approval_id: null,
        before: { state: 'active' },
        after: { state: 'frozen' },
      },
    ]);
  });

  test('unfreezing needs approval from another operator', async () => {
    const { user } = await PersonOverHttp.make(sandbox);
    const send = (activated: boolean) =>
      first.send('POST', '/admin/user/activate', { body: { user_id: user, activated } });
    assert.equal((await send(false)).status, 200);
    const waiting = await send(true);
    assert.equal((await rowOf(user)).state, 'frozen');
    await approve(waiting);
    assert.equal((await rowOf(user)).state, 'active');
  });

  test('a lost factor is removed by two operators, and the session closes', async () => {
    const person = await PersonOverHttp.make(sandbox);
    const { user } = person;
    assert.equal((await person.send('GET', '/user')).status, 200);
    const body = { user_id: user };
    const waiting = await first.send('POST', '/admin/deactivate-otp', { body });
    assert.equal((await factorsOf(sandbox.admin.registry, user)).otp, true);
    assert.equal((await person.send('GET', '/user')).status, 200);
    await approve(waiting);
    assert.equal((await factorsOf(sandbox.admin.registry, user)).otp, false);
    await refusedSoon(person);
    const [entry] = await entriesOf(user, 'user.reset-factors');
    assert.equal(Number(entry.approval_id), waiting.body.approval_id);
    assert.equal(Number(entry.actor_id), first.user);
  });

  test('a role change needs the factor of one operator and the vote of another', async () => {
    const { user } = await PersonOverHttp.make(sandbox);
    const send = (otp_code: string) =>
      first.send('PUT', `/admin/user/role?user_id=${user}`, {
        body: { role: 'support', otp_code },
      });
    const wrong = await send('000000');
    assert.equal(wrong.status, 400, wrong.text);
    await approve(await send(await first.otp()));
    assert.equal((await rowOf(user)).role, 'support');
  });

  test('a new email address is never stored in plain text before two operators agree', async () => {
    const person = await PersonOverHttp.make(sandbox);
    const { user } = person;
    const email = 'hidden.address@example.com';
    const body = { user_id: user, email, ...(await first.proofs()) };
    const waiting = await first.send('PUT', '/admin/user/email', { body });
    const { rows } = await sandbox.admin.registry.query(
      'select to_jsonb(r)::text as text from approval_requests r where id = $1',
      [waiting.body.approval_id],
    );
    assert.ok(!rows[0].text.includes('hidden'), rows[0].text);
    assert.notEqual((await rowOf(user)).email, email);
    await readers(waiting.body.approval_id, user, email);
    await approve(waiting);
    assert.equal((await rowOf(user)).email, email);
    const [entry] = await entriesOf(user, 'user.email');
    assert.deepEqual([entry.before, entry.after], [null, null]);
  });

  test('operators cannot change themselves, and keys without the role do nothing', async () => {
    const body = { user_id: first.user, verification_level: 2 };
    const own = await first.send('POST', '/admin/upgrade-user', { body });
    assert.equal(own.status, 403, own.text);
    const person = await PersonOverHttp.make(sandbox);
    const other = await person.send('POST', '/admin/upgrade-user', { body });
    assert.equal(other.status, 403, other.text);
    assert.deepEqual(await entriesOf(first.user, 'user.level'), []);
  });
});
