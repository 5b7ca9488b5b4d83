// Tests the age of a voting role on a real server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { withConnection } from '../../infra/postgres/index.ts';
import { type OperatorForTest, OperatorStage } from './operators-for-test.ts';
import { isVoter, restartRoleAge } from './powers.ts';

const DAY_MS = 86_400_000;

describe('role age', () => {
  let stage: OperatorStage;
  let admins: readonly OperatorForTest[];

  before(async () => {
    stage = await OperatorStage.open();
    admins = await stage.administrators();
  });
  after(() => stage.close());

  test('abuse 40: a restart voids earlier votes and blocks new ones for 24 hours', async () => {
    const [requester, voter, other] = admins;
    const request = async (note: string) => {
      const asked = await stage.note(requester, await stage.user(), note);
      assert.ok(asked.kind === 'waiting');
      return asked.approval;
    };
    const early = await request('two early');
    assert.equal(await stage.vote(voter, early), 'pending');
    stage.clock.advance(1_000);
    const nowMs = stage.clock.nowMs();
    await withConnection(stage.pool, (connection) =>
      restartRoleAge({ connection, nowMs }, [voter.user]),
    );
    assert.equal(await stage.vote(other, early), 'pending', 'one vote is left');
    assert.equal(await stage.vote(voter, await request('one late')), 'vote_not_allowed');
    stage.clock.advance(DAY_MS);
    assert.equal(await stage.vote(voter, await request('one later')), 'executed');
  });

  test('a user without a role has no role age', async () => {
    const user = await stage.user();
    await withConnection(stage.pool, (connection) =>
      restartRoleAge({ connection, nowMs: stage.clock.nowMs() }, [user]),
    );
    const { rows } = await stage.pool.query('select role_since from users where id = $1', [user]);
    assert.deepEqual(rows, [{ role_since: null }]);
  });

  test('a role can vote if it has an approval permission', () => {
    assert.equal(isVoter({ powers: ['export', 'approve.money'] }), true);
    assert.equal(isVoter({ powers: ['export', 'switch.stop'] }), false);
  });
});
