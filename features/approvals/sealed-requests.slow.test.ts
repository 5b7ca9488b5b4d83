// Tests personal values in requests for approval, on PostgreSQL: never unencrypted, opened for the
// action, and lost when the user is erased while hashes and the audit log stay valid.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { readMails } from '../../testing/identity/read-mails.ts';
import { eraseUser } from '../accounts/index.ts';
import { verifyAudit } from '../audit/index.ts';
import { defineAct } from './act.ts';
import { type ActTable, type ApprovalRow, readApproval } from './approvals.ts';
import { type OperatorForTest, OperatorStage } from './operators-for-test.ts';
import { performAct } from './perform-act.ts';
import { openContent, payloadHash } from './sealed-requests.ts';

type Letter = { readonly user: number; readonly to: string; readonly text: string | null };

const LETTER_ACT = defineAct({
  name: 'test.letter',
  votePower: 'approve.access',
  personal: ['to', 'text'],
  prepare: async ({ connection }, { text, to, user }: Letter) => ({
    object: `user ${user}`,
    objectVersion: '',
    approvals: 1,
    beneficiaries: [user as UserId],
    shown: [
      { label: 'To', value: to, isPersonal: true },
      { label: 'Kind', value: 'letter' },
      { label: 'Text', value: text ?? 'none', isPersonal: true },
    ],
    run: async () => {
      await connection.query('update users set note = $2 where id = $1', [user, `${to}: ${text}`]);
      return { result: { sent: true }, subject: user as UserId, personal: { to, text } };
    },
  }),
});
const ACTS = new Map([[LETTER_ACT.name, LETTER_ACT]]) as unknown as ActTable;
const LETTER = { to: 'Calle Larga 7', text: 'Dear Marco' };

let stage: OperatorStage;
let requester: OperatorForTest;
let voter: OperatorForTest;
let user: UserId;

async function requested(letter: Omit<Letter, 'user'> = LETTER): Promise<ApprovalRow> {
  const performed = await performAct(stage.ports, requester, LETTER_ACT, { user, ...letter });
  assert.ok(performed.kind === 'waiting');
  return (await readApproval(stage.pool, performed.approval))!;
}

const opened = (row: ApprovalRow) => openContent(stage.pool, stage.ports.vault, row);

async function erase(): Promise<void> {
  await stage.pool.query(`update users set state = 'closed' where id = $1`, [user]);
  assert.equal(
    await withConnection(stage.pool, (connection) => eraseUser(connection, user)),
    'erased',
  );
}

describe('personal values in requests', () => {
  before(async () => {
    stage = await OperatorStage.open();
    [requester, voter] = await stage.administrators();
  });
  beforeEach(async () => {
    user = await stage.user();
  });
  after(() => stage.close());

  test('no table and no email contains personal values in clear text', async () => {
    const { id } = await requested();
    const { rows } = await stage.pool.query(
      `select to_jsonb(a)::text as text from approval_requests a where id = $1
       union all select to_jsonb(e)::text from audit_entries e where approval_id = $1`,
      [id],
    );
    assert.equal(rows.length, 2);
    const mails = await readMails(stage.pool, stage.ports.vault, { user: voter.user });
    const texts = [...rows.map(({ text }) => text), JSON.stringify(mails)];
    for (const text of texts) assert.ok(!/Calle|Marco/.test(text), text);
    assert.ok(texts[2].includes('To: (in the request)') && texts[2].includes('Kind: letter'));
  });

  test('a voter reads full values, and the action gets them', async () => {
    const row = await requested({ to: 'x'.repeat(5_000), text: null });
    assert.deepEqual(row.payload, { user, text: null });
    assert.deepEqual(await opened(row), {
      payload: { user, text: null, to: 'x'.repeat(5_000) },
      shown: [
        { label: 'To', value: 'x'.repeat(5_000), isPersonal: true },
        { label: 'Kind', value: 'letter' },
        { label: 'Text', value: 'none', isPersonal: true },
      ],
    });
    assert.equal(await stage.vote(voter, row.id, {}, ACTS), 'executed');
    const { rows } = await stage.pool.query('select note from users where id = $1', [user]);
    assert.equal(rows[0].note, `${'x'.repeat(5_000)}: null`);
  });

  test('after the user is erased, values are unreadable; hash and audit stay valid', async () => {
    const [done, pending] = [await requested(), await requested()];
    assert.equal(await stage.vote(voter, done.id, {}, ACTS), 'executed');
    await erase();
    for (const { id, payloadHash: hash } of [done, pending]) {
      const row = (await readApproval(stage.pool, id))!;
      assert.equal(await opened(row), undefined);
      assert.equal(payloadHash(row.act, row).toString('hex'), hash);
    }
    assert.equal(await stage.vote(voter, pending.id, {}, ACTS), 'stale');
    assert.equal((await readApproval(stage.pool, pending.id))?.reason, 'personal_data_erased');
    const { findings } = await withConnection(stage.pool, (connection) =>
      verifyAudit(connection, stage.ports.vault),
    );
    assert.deepEqual(findings, []);
  });

  test('requests about an erased user are rejected', async () => {
    await erase();
    const refused = await performAct(stage.ports, requester, LETTER_ACT, { user, ...LETTER });
    assert.deepEqual(refused, new Refused('user_is_erased'));
  });

  test('values from another request do not execute', async () => {
    const [one, other] = [await requested(), await requested({ to: 'Thief', text: '' })];
    await stage.pool.query('alter table approval_requests disable trigger keep_approval_payload');
    await stage.pool.query('update approval_requests set sealed = $2 where id = $1', [
      one.id,
      other.sealed,
    ]);
    await stage.pool.query('alter table approval_requests enable trigger keep_approval_payload');
    assert.equal(await stage.vote(voter, one.id, {}, ACTS), 'stale');
    assert.equal((await readApproval(stage.pool, one.id))?.reason, 'payload_changed');
  });
});
