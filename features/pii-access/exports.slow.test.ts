// Tests exports on a real server: none without an entry, and none with personal data without
// approval.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { readApproval, voteOn } from '../approvals/approvals.ts';
import type { Act, ActTable } from '../approvals/index.ts';
import { type OperatorForTest, OperatorStage } from '../approvals/operators-for-test.ts';
import { totpCode } from '../auth/index.ts';
import { exportList, exportOfRow } from './export-list.ts';
import { EXPORT_PEOPLE, type ExportAsked, endExport, recordExport } from './exports.ts';

const HOUR_MS = 3_600_000;
const ORDERS: ExportAsked = {
  list: 'orders',
  format: 'csv',
  filters: { symbol: 'btc-usdt', search: '•••' },
  queryHash: 'aa'.repeat(32),
  isPersonal: false,
};
const LOGINS: ExportAsked = {
  list: 'logins',
  format: 'csv',
  filters: {},
  queryHash: 'bb'.repeat(32),
  isPersonal: true,
};
const ACTS: ActTable = new Map([[EXPORT_PEOPLE.name, EXPORT_PEOPLE as unknown as Act]]);

let stage: OperatorStage;

describe('exports', () => {
  before(async () => {
    stage = await OperatorStage.open();
  });
  after(() => stage.close());

  test('abuse 49: in solo mode, an administrator exports alone, with an entry', async () => {
    const admin = await stage.operator();
    assert.equal(await ask(admin, LOGINS), 'recorded');
    assert.deepEqual(await entriesOf(admin.user), [
      ['people.export', 'list logins'],
      ['list.export', 'list logins'],
    ]);
  });

  test('abuse 49: an export of a money list leaves an entry with its filters', async () => {
    const auditor = await stage.operator('auditor');
    assert.equal(await ask(auditor, ORDERS), 'recorded');
    const { rows } = await stage.pool.query(
      `select act, object, after - 'export' as after from audit_entries where actor_id = $1`,
      [auditor.user],
    );
    const after = { format: 'csv', filters: { symbol: 'btc-usdt', search: '•••' } };
    assert.deepEqual(rows, [{ act: 'list.export', object: 'list orders', after }]);
  });

  test('abuse 49: rows and hash of the sent file are recorded once and audited', async () => {
    const auditor = await stage.operator('auditor');
    const begun = await recordExport(stage.ports, auditor, ORDERS);
    assert.ok(begun.kind === 'recorded');
    const { export: id } = begun;
    assert.deepEqual(await exportsOf(auditor.user), [`${id} sending`]);
    stage.clock.advance(5_000);
    const sent = { isComplete: true, rows: 3, bytes: 120, sha256: Buffer.alloc(32, 0xab) };
    await endExport(stage.ports, auditor, { export: id, sent });
    const other = { ...sent, isComplete: false, rows: 9 };
    await endExport(stage.ports, auditor, { export: id, sent: other });
    assert.deepEqual(await exportsOf(auditor.user), [`${id} complete 3 120 ${'ab'.repeat(32)} 5`]);
    const { rows } = await stage.pool.query(
      `select object, after from audit_entries where actor_id = $1 and act = 'list.exported'`,
      [auditor.user],
    );
    const sha256 = 'ab'.repeat(32);
    const after = { export: id, state: 'complete', rows: 3, bytes: 120, sha256 };
    assert.deepEqual(rows, [{ object: 'list orders', after }]);
  });

  test('an export is found by its hash, its list and its state', async () => {
    const auditor = await stage.operator('auditor');
    const begun = await recordExport(stage.ports, auditor, { ...ORDERS, list: 'trades' });
    assert.ok(begun.kind === 'recorded');
    const sent = { isComplete: false, rows: 1, bytes: 7, sha256: Buffer.alloc(32, 0xcd) };
    await endExport(stage.ports, auditor, { export: begun.export, sent });
    const found = async (filter: Parameters<typeof exportList>[0]) => {
      const { rows, values } = exportList(filter);
      const answer = await stage.pool.query(rows('order by e.id'), [...values, 10, 0]);
      return answer.rows.map((row) => exportOfRow(row)).map(({ id, state }) => `${id} ${state}`);
    };
    const expected = [`${begun.export} broken`];
    assert.deepEqual(await found({ sha256: 'CD'.repeat(32) }), expected);
    assert.deepEqual(await found({ list: 'trades', state: 'broken' }), expected);
    assert.deepEqual(await found({ sha256: 'ce'.repeat(32) }), []);
    assert.deepEqual(await found({ list: 'trades', state: 'complete' }), []);
  });

  test('abuse 49: an auditor cannot export personal data', async () => {
    const auditor = await stage.operator('auditor');
    assert.equal(await ask(auditor, LOGINS), 'power_missing');
    assert.deepEqual(await entriesOf(auditor.user), []);
  });

  test('abuse 49: personal data is exported after approval, once, within an hour', async () => {
    const [admin, voter] = await stage.administrators();
    const approval = await ask(admin, LOGINS);
    assert.match(approval, /^waiting \d+$/);
    assert.equal(await ask(admin, LOGINS), approval, 'a repeated request creates no new approval');
    const ofUsers = await ask(admin, { ...LOGINS, list: 'users' });
    assert.match(ofUsers, /^waiting \d+$/);
    assert.notEqual(ofUsers, approval, 'the same query for another list is another file');
    assert.equal(await vote(admin, approval), 'vote_not_independent');
    assert.equal(await vote(voter, approval), 'executed');
    const other = { ...LOGINS, queryHash: 'cc'.repeat(32) };
    assert.match(await ask(admin, other), /^waiting/, 'another query');
    assert.match(await ask(voter, LOGINS), /^waiting/, 'another operator');
    assert.match(await ask(admin, { ...LOGINS, list: 'users' }), /^waiting/, 'another list');
    assert.equal(await ask(admin, LOGINS), 'recorded');
    assert.match(await ask(admin, LOGINS), /^waiting/, 'a second file');
    const entries = (await entriesOf(admin.user)).filter(([act]) => act === 'list.export');
    assert.deepEqual(entries, [['list.export', 'list logins']]);
  });

  test('a pending list does not serve a request for another list', async () => {
    const [admin] = await stage.administrators();
    const pending = await ask(admin, LOGINS);
    assert.equal(await ask(admin, LOGINS), pending, 'the same file');
    assert.notEqual(await ask(admin, { ...LOGINS, list: 'users' }), pending);
  });

  test('an unused approval expires after an hour', async () => {
    const [admin, voter] = await stage.administrators();
    assert.equal(await vote(voter, await ask(admin, LOGINS)), 'executed');
    stage.clock.advance(HOUR_MS);
    assert.match(await ask(admin, LOGINS), /^waiting/);
  });

  test('files about more than 1,000 users need two approvals; one user needs one', async () => {
    const [admin] = await stage.administrators();
    await stage.pool.query(
      `insert into users (email, username, affiliation_code)
       select 'many' || i || '@example.com', 'many' || i, 'M' || lpad(i::text, 5, '0')
       from generate_series(1, 1001) i`,
    );
    const neededFor = async (asked: ExportAsked) => {
      const [, id] = (await ask(admin, asked)).split(' ');
      return (await readApproval(stage.pool, Number(id)))?.needed;
    };
    assert.equal(await neededFor({ ...LOGINS, queryHash: '01'.repeat(32) }), 2);
    const ofOne = { ...LOGINS, filters: { user_id: '17' }, queryHash: '02'.repeat(32) };
    assert.equal(await neededFor(ofOne), 1);
  });
});

/** `7 complete 3 120 abab… 5`: rows, bytes, hash and seconds. */
async function exportsOf(operator: UserId): Promise<string[]> {
  const { rows } = await stage.pool.query(
    `select concat_ws(' ', id, state, rows, bytes, encode(sha256, 'hex'),
       extract(epoch from ended_at - started_at)::int) as text
     from exports where operator_id = $1 order by id`,
    [operator],
  );
  return rows.map(({ text }) => text);
}

/** `recorded`, `waiting 17`, or the rejection. */
async function ask(operator: OperatorForTest, asked: ExportAsked): Promise<string> {
  const answer = await recordExport(stage.ports, operator, asked);
  if (answer instanceof Refused) return answer.key;
  return answer.kind === 'waiting' ? `waiting ${answer.approval}` : answer.kind;
}

async function vote(voter: OperatorForTest, waiting: string): Promise<string> {
  stage.clock.advance(60_000);
  const approval = Number(waiting.split(' ')[1]);
  const row = await readApproval(stage.pool, approval);
  const nowMs = stage.clock.nowMs();
  const { session, user } = voter;
  const circumstances = { time: '', ip: '192.0.2.1', country: '', device: '', freezeToken: '' };
  const act = { user, flow: { network: '192.0.2.1', session }, circumstances, nowMs };
  const given = {
    approval,
    vote: 'approve' as const,
    payloadHash: row?.payloadHash ?? '',
    otpCode: totpCode(voter.secret, nowMs),
  };
  const voted = await voteOn(stage.ports, ACTS, act, given);
  return voted instanceof Refused ? voted.key : voted.approval.state;
}

async function entriesOf(operator: UserId): Promise<[act: string, object: string][]> {
  const { rows } = await stage.pool.query(
    'select act, object from audit_entries where actor_id = $1 order by seq',
    [operator],
  );
  return rows.map(({ act, object }) => [act, object]);
}
