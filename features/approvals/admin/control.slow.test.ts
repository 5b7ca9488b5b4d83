// The mode of the exchange and its thresholds as acts on a real server.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import { changeKit } from '../../exchange-config/admin.ts';
import { readPolicyCurrency } from '../../payments/index.ts';
import { type ActTable, readApproval } from '../approvals.ts';
import { readControl, setThresholds } from '../control.ts';
import { type OperatorForTest, OperatorStage } from '../operators-for-test.ts';
import { performAct } from '../perform-act.ts';
import { changeControlMode, changeThresholds, completeSetup } from './control.ts';

const HOUR_MS = 3_600_000;

let stage: OperatorStage;
let admin: OperatorForTest;

const choose = (mode: 'normal' | 'single_operator') =>
  performAct(stage.ports, admin, changeControlMode, { mode }).then(outcome);
const outcome = (performed: { readonly kind: string } | Refused) =>
  performed instanceof Refused ? performed.key : performed.kind;
const change = (
  oneApprovalFrom: string,
  twoApprovalsFrom: string,
  currency: string | null = null,
) =>
  performAct(stage.ports, admin, changeThresholds, { oneApprovalFrom, twoApprovalsFrom, currency });
const thresholds = async () => {
  const { currency, oneApprovalFrom, twoApprovalsFrom } = await readControl(stage.pool);
  return [oneApprovalFrom, twoApprovalsFrom, currency];
};
const modeNow = async () => (await readControl(stage.pool)).mode;

async function setMode(mode: string, fromHours?: number): Promise<void> {
  const ended = mode === 'setup' ? null : new Date();
  const from = fromHours === undefined ? null : new Date(stage.clock.nowMs() + fromHours * HOUR_MS);
  await stage.pool.query('alter table exchange_control disable trigger keep_setup_ended');
  await stage.pool.query(
    'update exchange_control set mode = $1, setup_ended_at = $2, single_operator_from = $3',
    [mode, ended, from],
  );
  await stage.pool.query('alter table exchange_control enable trigger keep_setup_ended');
}

describe('control of the exchange', () => {
  before(async () => {
    stage = await OperatorStage.open();
    admin = await stage.operator();
  });
  after(() => stage.close());
  beforeEach(() => setMode('setup'));

  test('a single operator is chosen during the set-up', async () => {
    assert.equal(await choose('single_operator'), 'done');
    assert.equal(await modeNow(), 'single_operator');
    assert.equal(await choose('single_operator'), 'control_mode_unchanged');
  });

  test('one administrator alone does not leave the mode of a single operator', async () => {
    await setMode('single_operator');
    assert.equal(await choose('normal'), 'administrators_too_few');
    const second = await stage.operator();
    assert.equal(await choose('normal'), 'done');
    assert.equal(await modeNow(), 'normal');
    await stage.pool.query('update users set role = null where id = $1', [second.user]);
  });

  const later: [when: string, fromHours: number | undefined, outcome: string][] = [
    ['without an agreement waits for two people', undefined, 'waiting'],
    ['before 72 hours is refused', 1, 'single_operator_not_yet'],
    ['after 72 hours is done', -1, 'done'],
    ['ten days after the agreement waits again', -8 * 24, 'waiting'],
  ];
  for (const [when, fromHours, outcome] of later) {
    test(`a single operator, chosen later, ${when}`, async () => {
      await setMode('normal', fromHours);
      assert.equal(await choose('single_operator'), outcome);
      assert.equal(await modeNow(), outcome === 'done' ? 'single_operator' : 'normal');
    });
  }

  test('thresholds wait for two people, and are in order', async () => {
    await setMode('normal');
    const waiting = await change('500', '20000');
    assert.ok(waiting.kind === 'waiting');
    const { rows } = await stage.pool.query('select needed from approval_requests where id = $1', [
      waiting.approval,
    ]);
    assert.equal(Number(rows[0].needed), 2);
    assert.equal(outcome(await change('500', '499')), 'thresholds_reversed');
    await setMode('setup');
    assert.equal((await change('500', '20000')).kind, 'done');
    assert.deepEqual(await thresholds(), ['500', '20000', 'usdt']);
  });

  test('during the set-up one person only lowers thresholds', async () => {
    await setThresholds(stage.pool, { oneApprovalFrom: '1000', twoApprovalsFrom: '50000' });
    const refused = 'setup_thresholds_raised';
    assert.equal(outcome(await change('1000.01', '50000')), refused);
    assert.equal(outcome(await change('1000', '1000000000')), refused);
    assert.equal(outcome(await change('10', '500', 'btc')), refused, 'ten bitcoins are more');
    assert.deepEqual(await thresholds(), ['1000', '50000', 'usdt']);
    assert.equal((await change('1000', '40000', 'usdt')).kind, 'done');
  });

  test('thresholds above the defaults do not outlive the set-up', async () => {
    for (const mode of ['single_operator', 'normal'] as const) {
      await setMode('setup');
      const raised = { oneApprovalFrom: '1000000000', twoApprovalsFrom: '1000000000' };
      await setThresholds(stage.pool, raised);
      const second = mode === 'normal' ? await stage.operator() : undefined;
      if (mode === 'single_operator') await choose(mode);
      else await stage.note(admin, await stage.user(), 'hello');
      assert.equal(await modeNow(), mode);
      assert.deepEqual(await thresholds(), ['1000', '50000', 'usdt']);
      await stage.pool.query('update users set role = null where id = $1', [second?.user ?? 0]);
    }
  });

  test('two people change the currency of the thresholds; the kit does not', async () => {
    await setMode('normal');
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
      assert.equal(outcome(await change('1', '2', currency)), 'thresholds_currency_unknown');
    }
    const waiting = await change('0.02', '1', 'btc');
    assert.ok(waiting.kind === 'waiting');
    const row = await readApproval(stage.pool, waiting.approval);
    assert.deepEqual(row?.shown[0], {
      label: 'One approval from',
      value: '0.02 btc (now 1000 usdt)',
    });
    const voters = [await stage.operator(), await stage.operator()];
    const acts = new Map([[changeThresholds.name, changeThresholds]]) as unknown as ActTable;
    for (const voter of voters) await stage.vote(voter, waiting.approval, {}, acts);
    assert.deepEqual(await thresholds(), ['0.02', '1', 'btc']);
    assert.equal(await readPolicyCurrency(stage.pool), 'btc');
    assert.equal((await stage.pay(admin, paid, '500')).kind, 'waiting', 'the sum went along');
    await stage.pool.query(`update exchange_control set currency = 'usdt'`);
    for (const { user } of voters) {
      await stage.pool.query('update users set role = null where id = $1', [user]);
    }
  });

  test('the end of the set-up is in the kit', async () => {
    await performAct(stage.ports, admin, completeSetup, {});
    const { rows } = await stage.pool.query('select content from kit');
    assert.equal(rows[0].content.setup_completed, true);
  });
});
