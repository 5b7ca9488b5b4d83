// Budgets of look-ups on a real server: the hour and the day count, calls at once count each other,
// and a refused look-up leaves no row.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import {
  type Connection,
  inTransaction,
  type OwnConnection,
  withConnection,
} from '../../infra/postgres/index.ts';
import { createUser } from '../accounts/index.ts';
import { openRegistryForTest, type RegistryForTest } from '../identity/registry-for-test.ts';
import { type BudgetSpent, countLookUp } from './look-ups.ts';

const START_MS = Date.parse('2026-11-15T00:00:00Z');
const MINUTE_MS = 60_000;

let registry: RegistryForTest;
let connection: OwnConnection;
let people = 0;

describe('look-ups', () => {
  before(async () => {
    registry = await openRegistryForTest();
    connection = await registry.connection();
  });
  after(() => registry.close());

  const budgets: readonly [role: string, hour: number, day: number][] = [
    ['support', 60, 300],
    ['kyc', 100, 2_400],
    ['communicator', 60, 300],
  ];
  for (const [role, hour, day] of budgets) {
    test(`abuse 49: ${role} looks up ${hour} people in an hour and ${day} in a day`, async () => {
      const operator = await newOperator(role);
      let counted = 0;
      let refused = 0;
      // A few tries too many at the start of each hour of a day.
      for (let at = 0; at < 24; at++) {
        const nowMs = START_MS + at * 60 * MINUTE_MS;
        let inHour = 0;
        for (let one = 0; one < hour + 5; one++) {
          const spent = await lookUp(connection, { operator, role, nowMs: nowMs + one });
          if (spent === undefined) inHour += 1;
          else refused += 1;
        }
        assert.ok(inHour <= hour, `${inHour} in hour ${at}`);
        counted += inHour;
      }
      assert.equal(counted, day);
      assert.ok(refused > 0);
      assert.equal(await rowsOf(operator), day);
    });
  }

  test('the refusal says when the oldest look-up leaves the hour', async () => {
    const operator = await newOperator('support');
    for (let minute = 0; minute < 60; minute += 1) {
      const nowMs = START_MS + (minute * MINUTE_MS) / 2;
      assert.equal(await lookUp(connection, { operator, role: 'support', nowMs }), undefined);
    }
    const nowMs = START_MS + 30 * MINUTE_MS;
    const spent = await lookUp(connection, { operator, role: 'support', nowMs });
    assert.deepEqual(spent, { refusal: 'lookup_budget_spent', retryAfterS: 30 * 60 });
    const later = { operator, role: 'support', nowMs: START_MS + 60 * MINUTE_MS };
    assert.equal(await lookUp(connection, later), undefined);
  });

  test('many calls at once count each other', async () => {
    const operator = await newOperator('support');
    const calls = Array.from({ length: 80 }, () =>
      withConnection(registry.pool, (own) =>
        lookUp(own, { operator, role: 'support', nowMs: START_MS }),
      ),
    );
    const answers = await Promise.all(calls);
    assert.equal(answers.filter((answer) => answer === undefined).length, 60);
    assert.equal(await rowsOf(operator), 60);
  });

  test('an administrator has no budget, and each look-up is a row', async () => {
    const operator = await newOperator('admin');
    for (let one = 0; one < 400; one++) {
      await lookUp(connection, { operator, role: 'admin', nowMs: START_MS });
    }
    assert.equal(await rowsOf(operator), 400);
  });
});

function lookUp(
  own: Connection,
  { nowMs, operator, role }: { operator: UserId; role: string; nowMs: number },
): Promise<BudgetSpent | undefined> {
  return inTransaction(own, () =>
    countLookUp(own, { operator, role, subject: operator, reason: 'id', nowMs }),
  );
}

async function newOperator(role: string): Promise<UserId> {
  people += 1;
  const user = await createUser(connection, { email: `operator${people}@example.com`, role });
  assert.ok(typeof user === 'object');
  return user.id;
}

async function rowsOf(operator: UserId): Promise<number> {
  const { rows } = await connection.query(
    'select count(*) as looked from data_lookups where operator_id = $1',
    [operator],
  );
  return Number(rows[0].looked);
}
