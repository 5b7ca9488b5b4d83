// Tests on a real server which users an operator can act on, and how many approvals protect a
// voter's account.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inTransaction, withConnection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { vault } from '../auth/registry-for-test.ts';
import type { Assessment } from './act.ts';
import { OperatorStage } from './operators-for-test.ts';
import { guardVoter, lockTarget } from './target-user.ts';

const ASSESSMENT: Assessment = {
  object: '',
  objectVersion: '',
  approvals: 1,
  beneficiaries: [],
  shown: [],
};

describe('the user whom an action affects', () => {
  let stage: OperatorStage;

  before(async () => {
    stage = await OperatorStage.open();
  });
  after(() => stage.close());

  /** The refusal, or the number of approvals that the action needs. */
  async function actOn(operatorRole: string, target: 'itself' | 'user' | (string & {})) {
    const operator = await stage.operator(operatorRole);
    const roleOfTarget = async () => (await stage.operator(target)).user;
    const user =
      target === 'itself'
        ? operator.user
        : await (target === 'user' ? stage.user() : roleOfTarget());
    const { clock, ports, pool } = stage;
    return withConnection(pool, (connection) =>
      inTransaction(connection, async () => {
        const nowMs = clock.nowMs();
        const context = { connection, operator, vault, nowMs, exchange: ports.exchange };
        const locked = await lockTarget(context, user);
        return locked instanceof Refused ? locked.key : guardVoter(locked, ASSESSMENT).approvals;
      }),
    );
  }

  const CASES: readonly [operator: string, target: string, outcome: string | number][] = [
    ['support', 'user', 1],
    ['support', 'itself', 'act_on_own_account'],
    ['support', 'admin', 'act_on_higher_role'],
    ['support', 'supervisor', 'act_on_higher_role'],
    ['supervisor', 'admin', 'act_on_higher_role'],
    ['admin', 'itself', 'act_on_own_account'],
    ['admin', 'support', 1],
    // Two operators must not obtain the vote of a third one.
    ['admin', 'supervisor', 2],
    ['admin', 'admin', 2],
  ];
  for (const [operator, target, outcome] of CASES) {
    test(`abuse 37: ${operator} acts on ${target}: ${outcome}`, async () => {
      assert.equal(await actOn(operator, target), outcome);
    });
  }

  test('a user who does not exist is not found', async () => {
    const operator = await stage.operator();
    const context = { operator, vault, nowMs: 0, exchange: stage.ports.exchange };
    const locked = await withConnection(stage.pool, (connection) =>
      lockTarget({ ...context, connection }, 999_999_999),
    );
    assert.ok(locked instanceof Refused && locked.key === 'user_not_found');
  });
});
