// Tests the first administrator on a real server: one token, one sign-up, and none afterward.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { withConnection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { makeUser, openRegistryForTest, vault } from '../auth/registry-for-test.ts';
import { createFirstAdministrator, issueSetupToken } from './first-administrator.ts';

const NOW_MS = Date.parse('2026-11-16T03:00:00Z');
const PASSWORD = {
  salt: Buffer.alloc(16),
  tag: Buffer.alloc(32),
  memory: 19_456,
  passes: 2,
  lanes: 1,
} as const;

let tables: Awaited<ReturnType<typeof openRegistryForTest>>;
let people = 0;

const issue = () => withConnection(tables.pool, issueSetupToken);

function signUp(token: string, email = `first${++people}@example.com`) {
  return withConnection(tables.pool, (connection) =>
    createFirstAdministrator(connection, vault, {
      email,
      token,
      password: PASSWORD,
      address: '192.0.2.1',
      nowMs: NOW_MS,
    }),
  );
}

async function refusal(token: string, email?: string): Promise<string | undefined> {
  const made = await signUp(token, email);
  return made instanceof Refused ? made.key : undefined;
}

describe('the first administrator', () => {
  before(async () => {
    tables = await openRegistryForTest();
  });
  after(() => tables.close());
  beforeEach(async () => {
    await tables.pool.query(`update users set role = null where role is not null`);
    await tables.pool.query('delete from setup_tokens');
  });

  test('abuse 60: one token creates one administrator and is then invalid', async () => {
    const [token, other] = [await issue(), await issue()];
    assert.ok(token !== undefined && other !== undefined && token.length === 43);
    const made = await signUp(token);
    assert.ok(typeof made === 'number');
    for (const again of [token, other]) assert.equal(await refusal(again), 'setup_token_invalid');
    assert.equal(await issue(), undefined);
    const { rows } = await tables.pool.query(
      `select u.role, u.state, exists (select from passwords where user_id = u.id) as "hasPassword"
       from users u where role = 'admin'`,
    );
    assert.deepEqual(rows, [{ role: 'admin', state: 'active', hasPassword: true }]);
  });

  test('abuse 60: of many concurrent sign-ups, one succeeds', async () => {
    const token = await issue();
    const answers = await Promise.all(Array.from({ length: 8 }, () => signUp(token!)));
    assert.equal(answers.filter((answer) => typeof answer === 'number').length, 1);
  });

  test('abuse 60: an administrator created elsewhere invalidates the tokens', async () => {
    const token = await issue();
    await makeUser(tables.pool, { role: 'admin' });
    assert.equal(await refusal(token!), 'setup_token_invalid');
  });

  test('a wrong token is rejected, and a taken address keeps the token valid', async () => {
    const token = await issue();
    assert.equal(await refusal('wrong'), 'setup_token_invalid');
    await makeUser(tables.pool, { email: 'taken@example.com' });
    assert.equal(await refusal(token!, 'taken@example.com'), 'setup_email_taken');
    assert.equal(typeof (await signUp(token!)), 'number');
  });

  test('the tokens of the last 16 starts are valid', async () => {
    const tokens: string[] = [];
    for (let start = 1; start <= 17; start++) tokens.push((await issue())!);
    assert.equal(await refusal(tokens[0]), 'setup_token_invalid');
    assert.equal(typeof (await signUp(tokens[1])), 'number');
  });

  test('the table stores hashes, and the audit log has an entry without the address', async () => {
    const token = await issue();
    const { rows: stored } = await tables.pool.query('select token_hash::text from setup_tokens');
    assert.ok(!JSON.stringify(stored).includes(token!));
    const made = await signUp(token!, 'audited@example.com');
    const { rows } = await tables.pool.query(
      `select actor_id, act, object, after::text, sealed is not null as "isSealed"
       from audit_entries order by seq desc limit 1`,
    );
    assert.deepEqual(rows, [
      {
        actor_id: `${made}`,
        act: 'setup.first_administrator',
        object: `user ${made}`,
        after: '{"role": "admin"}',
        isSealed: true,
      },
    ]);
  });
});
