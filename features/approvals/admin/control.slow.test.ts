// Tests actions on control mode and thresholds on a real server.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { withConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { readMails } from '../../../testing/identity/read-mails.ts';
import { changeKit } from '../../exchange-config/admin.ts';
import { readPolicyCurrency } from '../../payments/index.ts';
import { type ActTable, readApproval } from '../approvals.ts';
import { endTeam, readControl, setThresholds } from '../control.ts';
import { completeModeChange } from '../jobs.ts';
import { type OperatorForTest, OperatorStage, useSolo, useTeam } from '../operators-for-test.ts';
import { performAct } from '../perform-act.ts';
import { changeControlMode, changeThresholds, completeSetup } from './control.ts';

const ACTS = new Map(
  [changeControlMode, changeThresholds].map((act) => [act.name, act]),
) as unknown as ActTable;

let stage: OperatorStage;
let [admin, second]: OperatorForTest[] = [];

const choose = (mode: 'solo' | 'team', operator = admin) =>
  performAct(stage.ports, operator, changeControlMode, { mode });
const outcome = (performed: { readonly kind: string } | Refused) =>
  performed instanceof Refused ? performed.key : performed.kind;
const change = (
  oneApprovalFrom: string,
  twoApprovalsFrom: string,
  { currency = null, notifyFrom = null }: Partial<Record<string, string | null>> = {},
) => {
  const wanted = { oneApprovalFrom, twoApprovalsFrom, notifyFrom, currency };
  return performAct(stage.ports, admin, changeThresholds, wanted);
};
const thresholds = async () => {
  const { currency, oneApprovalFrom, twoApprovalsFrom } = await readControl(stage.pool);
  return [oneApprovalFrom, twoApprovalsFrom, currency];
};
const modeNow = async () => (await readControl(stage.pool)).mode;
const titlesFor = async ({ user }: OperatorForTest) => {
  const mails = await readMails(stage.pool, stage.ports.vault, { user });
  return mails.map(({ values }) => values.title);
};

const complete = () =>
  completeModeChange({ pool: stage.pool, vault: stage.ports.vault, nowMs: Date.now() });

/** Moves the notice this far into the past. */
async function noticed(hoursAgo: number): Promise<void> {
  await useTeam(stage.pool);
  await stage.pool.query('alter table exchange_control disable trigger keep_team');
  await stage.pool.query(
    `update exchange_control set solo_from = now() + interval '24 hours' - interval '1 hour' * $1`,
    [hoursAgo],
  );
  await stage.pool.query('alter table exchange_control enable trigger keep_team');
}

describe('exchange control', () => {
  before(async () => {
    stage = await OperatorStage.open();
    admin = await stage.operator();
  });
  after(() => stage.close());
  beforeEach(() => useSolo(stage.pool));

  test('a new exchange is in solo mode', async () => {
    const { rows } = await stage.pool.query(
      `select column_default from information_schema.columns
       where table_name = 'exchange_control' and column_name = 'mode'`,
    );
    assert.deepEqual(rows, [{ column_default: "'solo'::text" }]);
  });

  test('choosing solo mode on a new exchange is recorded once', async () => {
    assert.equal((await readControl(stage.pool)).chosenAt, null);
    assert.equal(outcome(await choose('solo')), 'done');
    const { chosenAt, mode } = await readControl(stage.pool);
    assert.equal(mode, 'solo');
    assert.ok(chosenAt !== null);
    assert.equal(outcome(await choose('solo')), 'control_mode_unchanged');
  });

  test('team mode needs two administrators with factors, and starts immediately', async () => {
    assert.deepEqual(await choose('team'), new Refused('administrators_too_few', { count: 1 }));
    second = await stage.operator();
    await stage.pool.query(`delete from totp_secrets where user_id = $1`, [second.user]);
    assert.equal(outcome(await choose('team')), 'administrators_too_few');
    second = await stage.operator();
    assert.equal(outcome(await choose('team')), 'done');
    assert.equal(await modeNow(), 'team');
    assert.equal(outcome(await choose('team')), 'control_mode_unchanged');
  });

  test('team mode ends 24 hours after another operator approved its end', async () => {
    await useTeam(stage.pool);
    const auditor = await stage.operator('auditor');
    const asked = await choose('solo');
    assert.ok(asked.kind === 'waiting');
    const request = `Request ${asked.approval}: control.mode`;
    assert.ok(
      (await titlesFor(auditor)).includes(request),
      'every operator is notified of the request',
    );
    assert.equal((await readControl(stage.pool)).soloFrom, null);
    assert.equal(await stage.vote(second, asked.approval, {}, ACTS), 'executed');
    const { mode, soloFrom } = await readControl(stage.pool);
    assert.equal(mode, 'team');
    assert.ok(Math.abs((soloFrom?.getTime() ?? 0) - Date.now() - 86_400_000) < 60_000);
    assert.ok((await titlesFor(auditor)).includes('The exchange changes to solo mode'));
    assert.equal(outcome(await choose('solo')), 'control_mode_noticed');
  });

  // Each row: hours since the notice, and the mode.
  const NOTICES: readonly (readonly [number, 'solo' | 'team'])[] = [
    [0, 'team'],
    [23.99, 'team'],
    [24.01, 'solo'],
  ];
  for (const [hours, mode] of NOTICES) {
    test(`${hours} hours after the notice, the exchange is in ${mode} mode`, async () => {
      await noticed(hours);
      const paid = await stage.pay(admin, await stage.user(), '2000');
      assert.equal(paid.kind, mode === 'solo' ? 'done' : 'waiting');
      assert.equal(await modeNow(), mode);
      await withConnection(stage.pool, endTeam);
      const { rows } = await stage.pool.query('select mode, solo_from from exchange_control');
      assert.equal(rows[0].mode, mode);
      assert.equal(rows[0].solo_from === null, mode === 'solo');
    });
  }

  test('when solo mode starts, every operator gets an email, once', async () => {
    const count = async () =>
      (await titlesFor(second)).filter((title) => title === 'The exchange is in solo mode').length;
    await noticed(23);
    assert.equal(await complete(), 0);
    assert.equal(await count(), 0);
    await noticed(25);
    assert.equal(await complete(), 1);
    assert.equal(await complete(), 0);
    assert.equal(await count(), 1);
  });

  test('any operator who votes on configuration can cancel the notice', async () => {
    await stage.pool.query(
      `insert into roles (name, permissions, powers)
       values ('guard', '{/admin/control/mode:put}', '{approve.config}'),
         ('clerk', '{/admin/control/mode:put}', '{}')`,
    );
    const [guard, clerk] = [await stage.operator('guard'), await stage.operator('clerk')];
    await noticed(23);
    assert.equal(outcome(await choose('team', clerk)), 'power_missing');
    assert.equal(outcome(await choose('team', guard)), 'done');
    assert.deepEqual((await readControl(stage.pool)).soloFrom, null);
    assert.equal(await modeNow(), 'team');
    await withConnection(stage.pool, endTeam);
    assert.equal(await modeNow(), 'team');
  });

  // Each row: a statement run with a stolen database login.
  for (const text of [
    `mode = 'solo'`,
    `mode = 'solo', solo_from = null`,
    `solo_from = now()`,
    `solo_from = now() + interval '23 hours'`,
  ]) {
    test(`PostgreSQL itself rejects in team mode: ${text}`, async () => {
      await useTeam(stage.pool);
      await assert.rejects(stage.pool.query(`update exchange_control set ${text}`), /24 hours/);
      await noticed(1);
      await assert.rejects(stage.pool.query(`update exchange_control set ${text}`), /24 hours/);
      assert.equal(await modeNow(), 'team');
    });
  }

  test('in team mode, two operators approve thresholds, which must be in order', async () => {
    await useTeam(stage.pool);
    const waiting = await change('500', '20000');
    assert.ok(waiting.kind === 'waiting');
    assert.equal((await readApproval(stage.pool, waiting.approval))?.needed, 2);
    assert.equal(outcome(await change('500', '499')), 'thresholds_reversed');
    await useSolo(stage.pool);
    assert.equal((await change('500', '20000', { notifyFrom: '7000' })).kind, 'done');
    assert.deepEqual(await thresholds(), ['500', '20000', 'usdt']);
    assert.equal((await change('500', '20000')).kind, 'done');
    assert.equal((await readControl(stage.pool)).notifyFrom, '7000', 'it is kept');
  });

  test('two operators change the threshold currency; the kit does not', async () => {
    await useTeam(stage.pool);
    await setThresholds(stage.pool, { oneApprovalFrom: '1000', twoApprovalsFrom: '50000' });
    await stage.pool.query(
      `insert into coins (symbol, fullname, estimated_price) values ('usdt', 'Tether', 1),
         ('btc', 'Bitcoin', 50000), ('doge', 'Dogecoin', null)`,
    );
    const paid = await stage.user();
    assert.equal((await stage.pay(admin, paid, '500')).kind, 'done');
    await performAct(stage.ports, admin, changeKit, { kit: { native_currency: 'btc' } });
    assert.equal(await readPolicyCurrency(stage.pool), 'usdt');
    for (const currency of ['doge', 'none']) {
      assert.equal(outcome(await change('1', '2', { currency })), 'thresholds_currency_unknown');
    }
    const waiting = await change('0.02', '1', { currency: 'btc' });
    assert.ok(waiting.kind === 'waiting');
    const row = await readApproval(stage.pool, waiting.approval);
    assert.deepEqual(row?.shown[0], {
      label: 'One approval from',
      value: '0.02 btc (now 1000 usdt)',
    });
    const key = await stage.key(admin);
    await stage.grant(key, '5000');
    const voters = [await stage.operator(), await stage.operator()];
    for (const voter of voters) await stage.vote(voter, waiting.approval, {}, ACTS);
    assert.deepEqual(await thresholds(), ['0.02', '1', 'btc']);
    assert.equal(await readPolicyCurrency(stage.pool), 'btc');
    assert.equal((await stage.pay(admin, paid, '500')).kind, 'waiting', 'the total is converted');
    const { rows } = await stage.pool.query(
      `select trim_scale(daily_limit) as limit, trim_scale(notify_from) as notify
       from key_grants, exchange_control`,
    );
    assert.deepEqual(rows, [{ limit: '0.1', notify: '0.14' }]);
    await stage.pool.query(`update exchange_control set currency = 'usdt'`);
  });

  test('the completed setup is stored in the kit', async () => {
    await performAct(stage.ports, admin, completeSetup, {});
    const { rows } = await stage.pool.query('select content from kit');
    assert.equal(rows[0].content.setup_completed, true);
  });
});
