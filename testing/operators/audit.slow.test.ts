// The audit on a running exchange: an anchor travels through the engine into the projected tables,
// operators list entries, and verification detects a change, even a consistent one.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { anchorAudit } from '../../features/audit/anchors.ts';
import { checkpointAudit } from '../../features/audit/checkpoints.ts';
import { appendAudit } from '../../features/audit/index.ts';
import { inTransaction, withConnection } from '../../infra/postgres/index.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';

const PATIENT = { timeout: 180_000 };
const NOW_MS = Date.parse('2026-11-15T12:00:00Z');

let sandbox: Sandbox;
let operator: RestClient;
let admin: UserId;
let alice: UserId;

describe('audit of a running exchange', PATIENT, () => {
  before(async () => {
    sandbox = await startSandbox();
    const { users } = sandbox.seeded;
    operator = new RestClient({
      url: sandbox.url,
      key: users.admin.key,
      secret: users.admin.secret,
    });
    admin = users.admin.user as UserId;
    alice = users.alice.user as UserId;
    await append({ user: admin, credential: 'session 3', address: '203.0.113.7' }, alice);
    await append({ user: undefined, credential: 'tool', address: '' }, undefined);
    await append({ user: admin, credential: 'key 4', address: '203.0.113.7' }, undefined);
  });
  after(() => sandbox?.stop());

  test('operators list entries by user, operator, action and object', async () => {
    const first = await listed({ user_id: alice });
    assert.equal(first.length, 1);
    const { hash, ...entry } = first[0];
    assert.match(hash, /^[0-9a-f]{64}$/);
    const time = '2026-11-15T12:00:00.000Z';
    assert.deepEqual(entry, {
      id: entry.id,
      subject: sandbox.seeded.users.admin.email,
      operator_id: admin,
      credential: 'session 3',
      session_id: 3,
      ip: '203.0.113.7',
      description: 'test.act thing 7',
      act: 'test.act',
      object: 'thing 7',
      user_id: alice,
      before: { limit: '1' },
      after: { limit: '2' },
      has_personal: true,
      approval_id: null,
      timestamp: time,
      created_at: time,
    });
    const numbers = async (query: Record<string, string | number>) =>
      (await listed({ act: 'test.act', ...query })).map(({ id }) => id - entry.id);
    assert.deepEqual(await numbers({}), [2, 1, 0]);
    assert.deepEqual(await numbers({ order: 'asc' }), [0, 1, 2]);
    assert.deepEqual(await numbers({ subject: `${admin}` }), [2, 0]);
    const email = sandbox.seeded.users.admin.email.toUpperCase();
    assert.deepEqual(await numbers({ subject: email }), [2, 0]);
    assert.deepEqual(await numbers({ subject: 'nobody@example.com' }), []);
    assert.deepEqual(await numbers({ object: 'thing 8' }), []);
    assert.deepEqual(await numbers({ start_date: time, end_date: '2026-11-16' }), [2, 1, 0]);
    assert.deepEqual(await numbers({ end_date: time }), []);
  });

  test('the file has the same rows and no personal data', async () => {
    const { status, text } = await operator.get('/admin/audits/csv', { act: 'test.act' });
    assert.equal(status, 202);
    assert.equal(text.trimEnd().split('\r\n').length, 4);
    assert.doesNotMatch(text, /alice-before/);
  });

  test('an anchor in the command log reveals a truncated audit', async () => {
    const { projections, registry, vault } = sandbox.admin;
    await waitUntil({
      what: 'the anchor is projected',
      timeoutMs: 60_000,
      question: async () => {
        // Repeated, because earlier tests might add an entry in the meantime.
        await checkpointAudit(registry, vault, NOW_MS);
        await withConnection(registry, anchorAudit);
        const { rows } = await projections.query('select max(audit_seq) from audit_anchors');
        return Number(rows[0].max) === (await verification()).to;
      },
    });
    const { findings, valid } = await verification();
    assert.deepEqual({ findings, valid }, { findings: [], valid: true });

    // The attacker owns the tables and leaves nothing that contradicts the shorter chain.
    await registry.query(`begin; set local session_replication_role = replica;
      delete from audit_entries where seq = (select seq from audit_head);
      delete from audit_checkpoints;
      update audit_head h set (seq, hash) =
        (select seq, hash from audit_entries order by seq desc limit 1);
      commit`);
    const cut = await verification();
    assert.equal(cut.valid, false);
    assert.deepEqual(cut.findings, [{ fault: 'anchor_differs', id: cut.to + 1 }]);
  });
});

function append(
  actor: { user: UserId | undefined; credential: string; address: string },
  subject: UserId | undefined,
): Promise<number> {
  const { registry, vault } = sandbox.admin;
  const entry = {
    actor,
    act: 'test.act',
    object: 'thing 7',
    subject,
    before: { limit: '1' },
    after: { limit: '2' },
    personal: { email: 'alice-before@example.com' },
    nowMs: NOW_MS,
  };
  return withConnection(registry, (connection) =>
    inTransaction(connection, () => appendAudit(connection, vault, entry)),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: rows as the wire has them.
async function listed(query: Record<string, string | number>): Promise<any[]> {
  const { body, status, text } = await operator.get('/admin/audits', query);
  assert.equal(status, 200, text);
  assert.equal(body.count, body.data.length);
  return body.data;
}

// biome-ignore lint/suspicious/noExplicitAny: the report as the wire has it.
async function verification(): Promise<any> {
  const { body, status, text } = await operator.get('/admin/audits/verify');
  assert.equal(status, 200, text);
  return body;
}
