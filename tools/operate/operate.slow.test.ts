// The operate tool on real tables: its commands and its refusals.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TimeMs, UserId } from '../../core/money/index.ts';
import { checkpointAudit } from '../../features/audit/checkpoints.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../../features/auth/registry-for-test.ts';
import { sendSupportMessage } from '../../features/messages/support/support-messages.ts';
import { memoOf } from '../../features/payments/addresses/memo.ts';
import { addBankAccount, verifyBankAccount } from '../../features/payments/banks/bank-accounts.ts';
import { addPaymentDetail } from '../../features/payments/banks/payment-details.ts';
import { manualAddresses } from '../../features/payments/index.ts';
import { readReferralSettings } from '../../features/referral/index.ts';
import { migrate, withConnection } from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { ArchiveRecorder } from '../replay/archive-recorder-for-test.ts';
import { executeOperate, type OperateOptions } from './execute-operate.ts';

const FLAGS = { memo: false, popup: false, navbar: false, dropdown: false, type: 'default' };
const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

let tables: RegistryForTest;

function run(command: string, options: Partial<OperateOptions> = {}): Promise<readonly string[]> {
  const projectionSchema = 'rialto';
  const context = { pool: tables.pool, projectionSchema, openVault: async () => vault };
  return executeOperate(command, { ...FLAGS, ...options }, context);
}

describe('operate tool', () => {
  before(async () => {
    tables = await openRegistryForTest();
    await migrate(await tables.connection(), 'rialto', readProjectionMigrations());
  });
  after(() => tables.close());

  test('configures, lists and removes an address', async () => {
    const address = { currency: 'XRP', network: 'xrp', address: XRP, memo: true };
    assert.deepEqual(await run('address list'), ['There are no addresses.']);
    assert.match((await run('address add', address))[0], /all users, each with a memo/);
    assert.match((await run('address list')).at(-1) ?? '', /1 +xrp +xrp +rPEP\w+ +all users/);
    await assert.rejects(
      run('address add', { ...address, address: 'x' }),
      /Invalid address for this network/,
    );
    const withoutTags = { ...address, network: 'eth', address: ETH };
    await assert.rejects(run('address add', withoutTags), /This network has no tags/);
    await assert.rejects(run('address add', { currency: 'xrp' }), /--network is required/);
    assert.deepEqual(await run('address remove', { id: '1' }), ['address 1 is removed']);
    await assert.rejects(run('address remove', { id: '1' }), /No address with ID 1/);
  });

  test('shows how many addresses are free', async () => {
    const given = { currency: 'usdt', network: 'eth', address: ETH };
    await run('address add', given);
    await assert.rejects(run('address add', given), /has already been added/);
    assert.equal((await run('address list')).at(-1), 'usdt on eth: 1 free');
    const wanted = { user: await makeUser(tables.pool), currency: 'usdt', network: 'eth' };
    await withConnection(tables.pool, (connection) => manualAddresses.issue(connection, wanted));
    assert.equal((await run('address list')).at(-1), 'usdt on eth: 0 free');
  });

  test('finds the owner of a tag, and no owner for a mistyped tag', async () => {
    const user = await makeUser(tables.pool);
    const memo = memoOf(user);
    assert.deepEqual(await run('address owner', { tag: memo }), [`user ${user}`]);
    const mistyped = `${memo.slice(0, -1)}${(Number(memo.at(-1)) + 1) % 10}`;
    for (const tag of [mistyped, memoOf(999_999 as UserId), 'x']) {
      await assert.rejects(run('address owner', { tag }), /No user has the tag/);
    }
  });

  test('lists and changes the withdrawal ceilings', async () => {
    assert.deepEqual(await run('ceiling list'), ['There are no ceilings.']);
    const set = await run('ceiling set', { currency: 'BTC', hourly: '2.5', daily: '10' });
    assert.match(set.at(-1) ?? '', /^btc +2\.5 +10$/);
    const changed = await run('ceiling set', { currency: 'btc', hourly: '3' });
    assert.match(changed.at(-1) ?? '', /^btc +3 +none$/);
    await assert.rejects(run('ceiling set', { currency: 'btc', daily: '-1' }), /invalid ceiling/);
    assert.deepEqual(await run('ceiling set', { currency: 'btc' }), ['There are no ceilings.']);
  });

  test('lists and changes the withdrawal policy', async () => {
    assert.ok((await run('policy list')).some((line) => /oneReviewFrom +10000$/.test(line)));
    const changed = await run('policy set', { name: 'oneReviewFrom', value: '500.5' });
    assert.ok(changed.some((line) => /oneReviewFrom +500.5$/.test(line)));
    const fewer = await run('policy set', { name: 'perHourMax', value: '3' });
    assert.ok(fewer.some((line) => /perHourMax +3$/.test(line)));
    assert.ok(
      fewer.some((line) => /oneReviewFrom +500.5$/.test(line)),
      'the others stay',
    );
    for (const [name, value, text] of [
      ['oneReviewFrom', 'much', /Invalid --value 'much': expected a decimal/],
      ['oneReviewFrom', '', /--value is required/],
      ['perHourMax', 'x', /Invalid --value 'x': expected a whole number/],
      ['perHourMax', '', /--value is required/],
      ['currency', 'U$', /Invalid --value 'U\$': expected a coin/],
      ['currency', '', /--value is required/],
      ['other', '1', /Invalid --name 'other': expected one of currency, oneReviewFrom, /],
    ] as const) {
      await assert.rejects(run('policy set', { name, value }), text);
    }
    const inEuro = await run('policy set', { name: 'currency', value: 'eur' });
    assert.ok(inEuro.some((line) => /^currency +eur$/.test(line.trim())));
  });

  test('shows support messages, each value on one line', async () => {
    const content = { email: 'a@b.example', category: 'c', subject: 's', description: 'x\ny' };
    await withConnection(tables.pool, (connection) =>
      sendSupportMessage(connection, vault, { content, to: 'o@p.example', nowMs: Date.now() }),
    );
    const lines = await run('support list');
    assert.deepEqual(lines.slice(1), [
      '  from      "a@b.example"',
      '  category  "c"',
      '  subject   "s"',
      '  text      "x\\ny"',
    ]);
  });

  test('turns referral on and off, and rejects settings that cannot be paid', async () => {
    const user = `${await makeUser(tables.pool)}`;
    await tables.pool.query(`insert into rialto.assets values (1, 'usdt', 6, 1, now())`);
    const given = { currency: 'USDT', rate: '30', minimum: '2.5', months: '6', user };
    const settings = () => readReferralSettings(tables.pool, 'rialto');
    for (const [name, value] of [
      ['currency', 'none'],
      ['rate', '101'],
      ['minimum', '0.0000001'],
      ['months', '-1'],
      ['user', '999999'],
    ]) {
      const changed = { ...given, [name]: value };
      await assert.rejects(run('referral on', changed), /The settings were rejected/, name);
      assert.equal(await settings(), undefined);
    }
    await assert.rejects(run('referral on', { ...given, rate: '' }), /--rate is required/);
    assert.deepEqual(await run('referral on', given), [
      'referral is on: at most 30% of fees, for 6 months',
      `user ${user} pays amounts of 2.5 usdt or more`,
    ]);
    assert.equal((await settings())?.minimumAtoms, 2_500_000n);
    assert.deepEqual(await run('referral off'), ['referral is off']);
    assert.equal(await settings(), undefined);
  });

  test("shows a user's bank accounts, and those pending verification", async () => {
    assert.deepEqual(await run('bank pending'), ['No bank account waits for verification.']);
    const user = await makeUser(tables.pool);
    const added = await withConnection(tables.pool, (connection) =>
      addBankAccount(connection, vault, { user, fields: { iban: 'CH1' } }),
    );
    assert.ok(!(added instanceof Refused));
    const line = `user ${user}  ${added[0].id}  pending  {"iban":"CH1"}`;
    assert.deepEqual(await run('bank list', { user: `${user}` }), [line]);
    assert.deepEqual(await run('bank pending'), [line]);
    const more = await withConnection(tables.pool, async (connection) => {
      const operator = await makeUser(tables.pool);
      await verifyBankAccount(connection, vault, { user, id: added[0].id, operator });
      return addBankAccount(connection, vault, { user, fields: { iban: 'CH2' } });
    });
    assert.ok(!(more instanceof Refused));
    const waits = `user ${user}  ${more.at(-1)?.id}  pending  {"iban":"CH2"}`;
    assert.deepEqual(await run('bank pending'), [waits], 'the verified one does not wait');
    assert.equal((await run('bank list', { user: `${user}` })).length, 2);
    await assert.rejects(run('bank list', { user: 'x' }), /Invalid --user 'x'/);
  });

  test("reviews payment details, except the operator's own", async () => {
    assert.deepEqual(await run('payment pending'), ['No payment details wait for verification.']);
    const user = await makeUser(tables.pool);
    const content = { name: 'bank', label: 'mine', details: { iban: 'CH3' } };
    const id = await withConnection(tables.pool, async (connection) => {
      const flags = { isP2p: false, isFiatControl: true };
      const added = await addPaymentDetail(connection, vault, user, { ...content, ...flags });
      assert.ok(!(added instanceof Refused));
      return added.id;
    });
    const line = (status: string) => `user ${user}  ${id}  ${status}  ${JSON.stringify(content)}`;
    assert.deepEqual(await run('payment pending'), [line('pending')]);
    const operator = `${await makeUser(tables.pool)}`;
    const given = { user: `${user}`, id: `${id}`, operator };
    await assert.rejects(run('payment verify', { ...given, operator: `${user}` }), /their own/);
    await assert.rejects(run('payment verify', { ...given, id: '999' }), /has no payment/);
    await assert.rejects(
      run('payment verify', { ...given, operator: '' }),
      /--operator is required/,
    );
    for (const [command, status] of [
      ['payment verify', 'verified'],
      ['payment reject', 'rejected'],
    ]) {
      const done = `payment details ${id} of user ${user} are ${status}`;
      assert.deepEqual(await run(command, given), [done]);
      assert.deepEqual(await run('payment list', { user: `${user}` }), [line(status)]);
    }
    assert.deepEqual(await run('payment pending'), ['No payment details wait for verification.']);
  });

  test('every change writes one audit entry, and a rejected one writes none', async () => {
    const { rows } = await tables.pool.query(
      `select act, object, actor_id, subject_id, credential, before, after
       from audit_entries order by seq`,
    );
    const count = rows.length;
    const acts = new Set(rows.map(({ act }) => act));
    assert.deepEqual([...acts].sort(), [
      'tool.address_add',
      'tool.address_remove',
      'tool.ceiling_set',
      'tool.payment_reject',
      'tool.payment_verify',
      'tool.policy_set',
      'tool.referral_off',
      'tool.referral_on',
    ]);
    assert.ok(rows.every(({ credential }) => credential === 'tool'));
    const review = rows.find(({ act }) => act === 'tool.payment_verify');
    assert.ok(review.actor_id !== null && review.subject_id !== null);
    const policy = rows.find(({ act }) => act === 'tool.policy_set');
    assert.deepEqual(
      [policy.object, policy.before, policy.after],
      ['policy oneReviewFrom', '10000', '500.5'],
    );
    await assert.rejects(run('address remove', { id: '999' }), /No address with ID 999/);
    const lines = await run('audit list');
    assert.equal(lines.filter((line) => line.includes('tool.')).length, count);
  });

  test('verifies the audit with a stored note and with the archived log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'operate-'));
    const { rows } = await tables.pool.query('select seq, hash from audit_head');
    const { hash, seq } = rows[0];
    assert.deepEqual(await run('audit verify'), [
      `${seq} entries, 0 checkpoints and 0 anchors are valid`,
    ]);
    await assert.rejects(run('audit note'), /No checkpoints yet/);
    await checkpointAudit(tables.pool, vault, Date.now());
    const note = join(folder, 'note');
    writeFileSync(note, `${(await run('audit note')).join('\n')}\n`);
    assert.match((await run('audit key'))[0], /^rialto-audit\+[0-9a-f]{8}\+[\w+/=]{44}$/);
    const recorder = await ArchiveRecorder.start(join(folder, 'archive'));
    const anchor = { auditSequence: Number(seq), hash: hash.toString('hex') };
    recorder.apply({
      sequence: 1,
      epoch: 1,
      timeMs: 1 as TimeMs,
      previousHash: new Uint8Array(32),
      commands: [{ kind: 'AnchorAudit', source: 1, number: 1, ...anchor }],
    });
    await recorder.endSegment();
    const sources = { note, archive: join(folder, 'archive') };
    assert.deepEqual(await run('audit verify', sources), [
      `${seq} entries, 1 checkpoints and 1 anchors are valid`,
    ]);
    await assert.rejects(run('audit verify', { note: join(folder, 'none') }), /Invalid --note/);

    await tables.pool.query(`begin; set local session_replication_role = replica;
      delete from audit_entries where seq = (select seq from audit_head);
      delete from audit_checkpoints;
      update audit_head h set (seq, hash) =
        (select seq, hash from audit_entries order by seq desc limit 1);
      commit`);
    assert.match((await run('audit verify'))[0], /are valid/, 'the tables alone do not show it');
    await assert.rejects(run('audit verify', { note }), /entry \d+: note differs/);
    await assert.rejects(run('audit verify', { archive: sources.archive }), /: anchor differs/);
    rmSync(folder, { recursive: true });
  });

  test('an unknown command is rejected', async () => {
    await assert.rejects(run('address'), /Unknown command 'address'/);
    await assert.rejects(run(''), /A command is required/);
  });
});
