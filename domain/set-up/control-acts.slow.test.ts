// The mode of the exchange and its thresholds as acts on a real server.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { performAct, readControl } from '../operators/index.ts';
import { type OperatorForTest, OperatorStage } from '../operators/operators-for-test.ts';
import { changeControlMode, changeThresholds, completeSetup } from './control-acts.ts';

const HOUR_MS = 3_600_000;

let stage: OperatorStage;
let admin: OperatorForTest;

const choose = (mode: 'normal' | 'single_operator') =>
  performAct(stage.ports, admin, changeControlMode, { mode }).then(
    (performed) => performed.kind,
    (fault: { refusal: string }) => fault.refusal,
  );
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
    const change = (oneApprovalFrom: string, twoApprovalsFrom: string) =>
      performAct(stage.ports, admin, changeThresholds, { oneApprovalFrom, twoApprovalsFrom });
    const waiting = await change('500', '20000');
    assert.ok(waiting.kind === 'waiting');
    const { rows } = await stage.pool.query('select needed from approval_requests where id = $1', [
      waiting.approval,
    ]);
    assert.equal(Number(rows[0].needed), 2);
    await assert.rejects(change('500', '499'), { refusal: 'thresholds_reversed' });
    await setMode('setup');
    assert.equal((await change('500', '20000')).kind, 'done');
    const { oneApprovalFrom, twoApprovalsFrom } = await readControl(stage.pool);
    assert.deepEqual([oneApprovalFrom, twoApprovalsFrom], ['500', '20000']);
  });

  test('the end of the set-up is in the kit', async () => {
    await performAct(stage.ports, admin, completeSetup, {});
    const { rows } = await stage.pool.query('select content from kit');
    assert.deepEqual(rows, [{ content: { setup_completed: true } }]);
  });
});
