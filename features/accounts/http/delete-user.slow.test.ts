// Tests deleting a user while the projected tables lag, on a real registry.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Dependencies } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type OperatorForTest, OperatorStage } from '../../approvals/operators-for-test.ts';
import { vault } from '../../auth/registry-for-test.ts';
import { userActsRoutes } from './user-act-routes.ts';

let stage: OperatorStage;
let admin: OperatorForTest;

/** `untilFresh` serves the calls one after another. */
function remove(user: number, untilFresh: (timeoutMs?: number) => Promise<boolean>) {
  const { clock, exchange, registry } = stage.ports;
  const dependencies = {
    registry,
    vault,
    clock,
    exchange,
    fresh: { untilFresh },
    projections: { query: async () => ({ rows: [] }) },
    changes: { announce() {} },
  } as unknown as Dependencies;
  const caller = { ...admin, kind: 'session', key: 0 };
  const call = { caller, address: '192.0.2.1', body: { user_id: user } };
  return userActsRoutes.deleteUser(call as never, dependencies);
}

async function stateOf(user: number): Promise<string> {
  const { rows } = await stage.pool.query('select state from users where id = $1', [user]);
  return rows[0].state;
}

describe('deleting a user', () => {
  before(async () => {
    stage = await OperatorStage.open();
    admin = await stage.operator();
  });
  after(() => stage.close());

  test('lagging tables do not delay the actions of other operators', async () => {
    const user = await stage.user();
    const { promise: caughtUp, resolve: catchUp } = Promise.withResolvers<boolean>();
    const { promise: waits, resolve: isWaiting } = Promise.withResolvers<void>();
    const removed = remove(user, () => {
      isWaiting();
      return caughtUp;
    });
    await waits;
    const noted = await stage.note(admin, await stage.user(), 'meanwhile');
    assert.equal(noted.kind, 'done');
    catchUp(true);
    assert.deepEqual(await removed, { message: 'Success' });
    assert.equal(await stateOf(user), 'closing');
  });

  test('tables that fall behind again are detected within a quarter of a second', async () => {
    const user = await stage.user();
    const waits: (number | undefined)[] = [];
    const removed = remove(user, async (timeoutMs) => {
      waits.push(timeoutMs);
      return waits.length === 1;
    });
    assert.deepEqual(await removed, new Refused('tables_behind', {}, 1));
    assert.deepEqual(waits, [undefined, 250]);
    assert.equal(await stateOf(user), 'active');
  });
});
