// The operate tool against real tables: its commands and its refusals.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addBankAccount } from '../../domain/bank-accounts/index.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../../domain/identity/registry-for-test.ts';
import { readReferralSettings } from '../../domain/referral/index.ts';
import { sendSupportMessage } from '../../domain/support/index.ts';
import { migrate, withConnection } from '../../infra/postgres/index.ts';
import { readProjectionMigrations } from '../../infra/projections/index.ts';
import { executeOperate, type OperateOptions } from './execute-operate.ts';

const FLAGS = { memo: false, popup: false, navbar: false, dropdown: false, type: 'default' };
const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';

let tables: RegistryForTest;

function run(command: string, options: Partial<OperateOptions> = {}): Promise<readonly string[]> {
  const projectionSchema = 'rialto';
  const context = { pool: tables.pool, projectionSchema, openVault: async () => vault };
  return executeOperate(command, { ...FLAGS, ...options }, context);
}

describe('the operate tool', () => {
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
    await assert.rejects(run('address add', { ...address, address: 'x' }), /address_not_valid/);
    await assert.rejects(run('address add', { currency: 'xrp' }), /--network is missing/);
    assert.deepEqual(await run('address remove', { id: '1' }), ['address 1 is removed']);
    await assert.rejects(run('address remove', { id: '1' }), /no address 1/);
  });

  test('writes, lists and removes an announcement', async () => {
    const given = { title: 'Soon', message: '<b>x</b><script>y</script>', start: '2020-01-01' };
    assert.deepEqual(await run('announcement create', given), ['announcement 1', '<b>x</b>']);
    assert.match((await run('announcement list')).at(-1) ?? '', /1 .* Soon/);
    await assert.rejects(run('announcement create', { ...given, title: '<i>' }), /title_invalid/);
    await assert.rejects(run('announcement create', { ...given, end: 'soon' }), /expected a date/);
    assert.deepEqual(await run('announcement remove', { id: '1' }), ['announcement 1 is removed']);
    assert.deepEqual(await run('announcement list'), ['There are no announcements.']);
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
    for (const [name, value] of [
      ['oneReviewFrom', 'much'],
      ['perHourMax', 'x'],
      ['other', '1'],
    ]) {
      await assert.rejects(run('policy set', { name, value }), /policy was refused: invalid/);
    }
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

  test('turns referral on and off, and refuses settings that cannot be paid', async () => {
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
      await assert.rejects(run('referral on', changed), /The settings were refused/, name);
      assert.equal(await settings(), undefined);
    }
    await assert.rejects(run('referral on', { ...given, rate: '' }), /--rate is missing/);
    assert.deepEqual(await run('referral on', given), [
      'referral is on: at most 30 % of fees, for 6 months',
      `user ${user} pays from 2.5 usdt on`,
    ]);
    assert.equal((await settings())?.minimumAtoms, 2_500_000n);
    assert.deepEqual(await run('referral off'), ['referral is off']);
    assert.equal(await settings(), undefined);
  });

  test('shows the bank accounts of a user, and those that wait', async () => {
    assert.deepEqual(await run('bank pending'), ['No bank account waits for verification.']);
    const user = await makeUser(tables.pool);
    const added = await withConnection(tables.pool, (connection) =>
      addBankAccount(connection, vault, { user, fields: { iban: 'CH1' } }),
    );
    assert.ok(typeof added === 'object');
    const line = `user ${user}  ${added[0].id}  pending  {"iban":"CH1"}`;
    assert.deepEqual(await run('bank list', { user: `${user}` }), [line]);
    assert.deepEqual(await run('bank pending'), [line]);
    await assert.rejects(run('bank list', { user: 'x' }), /--user is 'x'/);
  });

  test('an unknown command is refused', async () => {
    await assert.rejects(run('address'), /The command is 'address'/);
  });
});
