// Tests kill switches between operators: one stops, others resume, and no operator can undo a stop
// that another has seen.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActTable, performAct } from '../../approvals/index.ts';
import { type OperatorForTest, OperatorStage } from '../../approvals/operators-for-test.ts';
import { KILL_SWITCHES_ACTS } from './acts.ts';
import { RESUME, STOP } from './stop-and-resume.ts';
import type { ResumeOrder, StopOrder } from './switch-target.ts';
import { readSwitches } from './switches.ts';

const TABLE = new Map(KILL_SWITCHES_ACTS.map((act) => [act.name, act])) as unknown as ActTable;

let stage: OperatorStage;
let [ann, ben, cid]: OperatorForTest[] = [];

describe('switches and operators', () => {
  before(async () => {
    stage = await OperatorStage.open();
    [ann, ben, cid] = await stage.administrators();
  });
  after(() => stage.close());

  const stop = (who: OperatorForTest, order: StopOrder) =>
    performAct(stage.ports, who, STOP, { reason: 'breach', ...order });

  async function request(who: OperatorForTest, order: ResumeOrder): Promise<number> {
    const performed = await performAct(stage.ports, who, RESUME, order);
    assert.ok(performed.kind === 'waiting');
    return performed.approval;
  }

  const vote = (who: OperatorForTest, id: number) => stage.vote(who, id, {}, TABLE);
  const stops = async () => (await readSwitches(stage.pool)).stops;

  test('one operator stops the exchange, and three resume it', async () => {
    assert.equal((await stop(ann, { name: 'writes' })).kind, 'done');
    const id = await request(ann, { name: 'writes' });
    assert.equal(await vote(ben, id), 'pending');
    assert.equal((await stops()).length, 1);
    assert.equal(await vote(cid, id), 'executed');
    assert.deepEqual(await stops(), []);
  });

  test('the audit entry of a stop has its impact, reason and banner', async () => {
    const target = { name: 'intake', service: 'notifier' } as const;
    await stop(ann, { ...target, banner: 'Mails are late.' });
    const { rows } = await stage.pool.query(
      `select act, object, actor_id::int, before, after from audit_entries
       order by seq desc limit 1`,
    );
    assert.deepEqual(rows[0], {
      act: 'switch.stop',
      object: 'intake notifier',
      actor_id: ann.user,
      before: {
        orders: 0,
        users: 0,
        waiting: Number(rows[0].before.waiting),
        money: [],
        value: '0',
        value_currency: 'usdt',
        unpriced: [],
        precision: 'exact',
      },
      after: {
        name: 'intake',
        objects: ['notifier'],
        commands: [],
        accounts: 0,
        mode: null,
        reason: 'breach',
        banner: 'Mails are late.',
      },
    });
    assert.equal(await vote(ben, await request(ann, target)), 'executed');
  });

  test('a stop does not wait for unavailable impact numbers', async () => {
    // The projected tables of this stage have no orders.
    assert.equal((await stop(ann, { name: 'writes' })).kind, 'done');
    const { rows } = await stage.pool.query(
      'select before from audit_entries order by seq desc limit 1',
    );
    assert.deepEqual(rows[0].before, { impact: 'unknown' });
    const id = await request(ann, { name: 'writes' });
    await vote(ben, id);
    assert.equal(await vote(cid, id), 'executed');
  });

  test('a pending resume does not undo a later stop', async () => {
    const target = { name: 'intake', service: 'notifier' } as const;
    await stop(ann, target);
    const id = await request(ann, target);
    stage.clock.advance(1_000);
    await stop(cid, { ...target, reason: 'it is worse' });
    assert.equal(await vote(ben, id), 'stale');
    const [{ reason, stoppedBy }] = await stops();
    assert.deepEqual([reason, stoppedBy], ['it is worse', cid.user]);
    assert.equal(await vote(ben, await request(ann, target)), 'executed');
  });

  test('two concurrent stops create one stop, and both are recorded', async () => {
    const before = await countStops();
    await Promise.all([stop(ann, { name: 'logins' }), stop(ben, { name: 'logins' })]);
    assert.equal((await stops()).length, 1);
    assert.equal(await countStops(), before + 2);
    const id = await request(cid, { name: 'logins' });
    await vote(ann, id);
    assert.equal(await vote(ben, id), 'executed');
  });

  test('of two requests to resume the same stop, one is executed', async () => {
    const target = { name: 'intake', service: 'outbox-dispatcher' } as const;
    await stop(ann, target);
    const [one, other] = [await request(ann, target), await request(ben, target)];
    assert.equal(await vote(cid, one), 'executed');
    assert.equal(await vote(cid, other), 'failed');
    assert.deepEqual(await stops(), []);
  });

  test('a role without the permission can neither stop nor resume', async () => {
    const support = await stage.operator('support');
    const stopped = await stop(support, { name: 'writes' });
    assert.deepEqual(stopped, new Refused('power_missing', { power: 'switch.stop' }));
    const resumed = await performAct(stage.ports, support, RESUME, { name: 'writes' });
    assert.deepEqual(resumed, new Refused('power_missing', { power: 'switch.resume' }));
  });

  async function countStops(): Promise<number> {
    const { rows } = await stage.pool.query(
      `select count(*)::int as n from audit_entries where act = 'switch.stop'`,
    );
    return rows[0].n;
  }
});
