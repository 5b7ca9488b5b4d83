// Tests lookup budgets on a real server: the hour and the day count, concurrent calls count each
// other, and a rejected lookup leaves no row.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import {
  type Connection,
  inTransaction,
  type OwnConnection,
  withConnection,
} from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { createUser } from '../accounts/index.ts';
import type { Power } from '../approvals/index.ts';
import { useSolo, useTeam } from '../approvals/operators-for-test.ts';
import { openRegistryForTest, type RegistryForTest } from '../auth/registry-for-test.ts';
import { admitRead, countLookUp } from './look-ups.ts';

const START_MS = Date.parse('2026-11-15T00:00:00Z');
const MINUTE_MS = 60_000;

let registry: RegistryForTest;
let connection: OwnConnection;
let people = 0;
const strangers: UserId[] = [];

describe('lookups', () => {
  before(async () => {
    registry = await openRegistryForTest();
    connection = await registry.connection();
    await useTeam(registry.pool);
    while (strangers.length < 60) strangers.push(await newUser());
  });
  after(() => registry.close());

  const budgets: readonly [role: string, hour: number, day: number][] = [
    ['support', 60, 300],
    ['kyc', 100, 500],
    ['communicator', 60, 300],
    ['manager', 300, 2_000],
    ['auditor', 300, 2_000],
    ['supervisor', 300, 2_000],
    ['admin', 600, 4_000],
  ];
  for (const [role, hour, day] of budgets) {
    test(`abuse 49: ${role} looks up ${hour} users per hour and ${day} per day`, async () => {
      const operator = await newOperator(role);
      const fourMore = async (nowMs: number) => {
        const spent: boolean[] = [];
        for (const subject of strangers.slice(0, 4)) {
          spent.push((await lookUp(connection, { operator, role, subject, nowMs })) !== undefined);
        }
        return spent;
      };
      await spend(operator, { count: hour - 2, atMs: START_MS });
      const lastMs = START_MS + 60 * MINUTE_MS - 1;
      assert.deepEqual(await fourMore(lastMs), [false, false, true, true], 'the hour');
      assert.deepEqual(await fourMore(lastMs + 60 * MINUTE_MS), Array(4).fill(false), 'the next');
      await spend(operator, { count: day - hour - 6, atMs: START_MS + MINUTE_MS });
      const dayMs = START_MS + 24 * 60 * MINUTE_MS - 1;
      assert.deepEqual(await fourMore(dayMs), [false, false, true, true], 'the day');
      assert.equal(await rowsOf(operator), day);
    });
  }

  test('the rejection states when the oldest lookup leaves the hour', async () => {
    const operator = await newOperator('support');
    for (let minute = 0; minute < 60; minute += 1) {
      const nowMs = START_MS + (minute * MINUTE_MS) / 2;
      assert.equal(await lookUp(connection, { operator, role: 'support', nowMs }), undefined);
    }
    const nowMs = START_MS + 30 * MINUTE_MS;
    const spent = await lookUp(connection, { operator, role: 'support', nowMs });
    assert.deepEqual(spent, new Refused('lookup_budget_spent', {}, 30 * 60));
    const later = { operator, role: 'support', nowMs: START_MS + 60 * MINUTE_MS };
    assert.equal(await lookUp(connection, later), undefined);
  });

  test('concurrent calls count each other', async () => {
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

  test('a user counts once per hour; a lookup without a user counts each time', async () => {
    const operator = await newOperator('support');
    const look = (subject: UserId | undefined, nowMs: number) =>
      lookUp(connection, { operator, role: 'support', subject, nowMs });
    for (let at = 0; at < 100; at++) {
      assert.equal(await look(strangers[0], START_MS + at), undefined);
    }
    for (let one = 1; one < 59; one++)
      assert.equal(await look(strangers[one], START_MS), undefined);
    assert.equal(await look(undefined, START_MS), undefined);
    assert.equal((await look(undefined, START_MS))?.key, 'lookup_budget_spent');
    assert.equal((await look(strangers[59], START_MS))?.key, 'lookup_budget_spent');
    assert.equal(await look(strangers[0], START_MS + MINUTE_MS), undefined, 'looked up before');
    assert.equal(await rowsOf(operator), 160, 'each call is a row');
  });

  test('abuse 49: without search permission, an operator reads one user at a time', async () => {
    const user = await newOperator('support');
    const read = (powers: readonly Power[], subject: UserId | undefined) =>
      admitRead(
        registry.pool,
        { user, role: 'support', powers: new Set(powers) },
        { subject, nowMs: START_MS },
      );
    assert.deepEqual(await read([], undefined), new Refused('read_needs_user'));
    assert.deepEqual(
      await read(['pii.unmasked', 'export'], undefined),
      new Refused('read_needs_user'),
    );
    assert.equal(await rowsOf(user), 0);
    assert.equal(await read(['pii.search'], undefined), undefined);
    for (let one = 0; one < 59; one++) assert.equal(await read([], strangers[one]), undefined);
    assert.equal((await read([], strangers[59]))?.key, 'lookup_budget_spent');
    assert.equal(await rowsOf(user), 60);
  });

  test('a lookup of a missing user counts', async () => {
    const operator = await newOperator('support');
    const nobody = 999_999_999 as UserId;
    for (let at = 0; at < 60; at++) {
      const asked = { operator, role: 'support', subject: nobody, nowMs: START_MS };
      assert.equal(await lookUp(connection, asked), undefined);
    }
    const next = { operator, role: 'support', nowMs: START_MS };
    assert.equal((await lookUp(connection, next))?.key, 'lookup_budget_spent');
  });

  test('in solo mode, only administrators have no budget, and each lookup is a row', async () => {
    await useSolo(registry.pool);
    const operator = await newOperator('admin');
    for (let one = 0; one < 605; one++) {
      const spent = await lookUp(connection, { operator, role: 'admin', nowMs: START_MS });
      assert.equal(spent, undefined);
    }
    assert.equal(await rowsOf(operator), 605);
    const other = await newOperator('support');
    for (let one = 0; one < 65; one++) {
      await lookUp(connection, { operator: other, role: 'support', nowMs: START_MS });
    }
    assert.equal(await rowsOf(other), 60);
    await useTeam(registry.pool);
  });
});

interface Looking {
  readonly operator: UserId;
  readonly role: string;
  readonly subject?: UserId | undefined;
  readonly nowMs: number;
}

function lookUp(own: Connection, looking: Looking) {
  return inTransaction(own, () => countLookUp(own, { ...looking, reason: 'id' }));
}

function newOperator(role: string): Promise<UserId> {
  return newUser(role);
}

async function newUser(role?: string): Promise<UserId> {
  people += 1;
  const email = `person${people}@example.com`;
  const user = await createUser(connection, { email, ...(role !== undefined && { role }) });
  assert.ok(typeof user === 'object');
  return user.id;
}

/** Rows like those of that many lookups of lists. */
async function spend(
  operator: UserId,
  { atMs, count }: { readonly atMs: number; readonly count: number },
): Promise<void> {
  await connection.query(
    `insert into data_lookups (at, operator_id, fields, reason, counts)
     select $1, $2, '{}', 'list', true from generate_series(1, $3::int)`,
    [new Date(atMs), operator, count],
  );
}

async function rowsOf(operator: UserId): Promise<number> {
  const { rows } = await connection.query(
    'select count(*) as looked from data_lookups where operator_id = $1',
    [operator],
  );
  return Number(rows[0].looked);
}
