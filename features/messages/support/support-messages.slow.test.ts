// Tests support messages on a real server: sealed, linked to the account of their address, and
// limited.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { withConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { createUser } from '../../accounts/index.ts';
import { openRegistryForTest, type RegistryForTest, vault } from '../../auth/registry-for-test.ts';
import {
  listSupportMessages,
  MESSAGES_PER_HOUR_MAX,
  sendSupportMessage,
} from './support-messages.ts';

const CONTENT = { email: 'Someone@Example.com', category: 'c', subject: 's', description: 'd' };
const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const HOUR_MS = 3_600_000;

let tables: RegistryForTest;

function send(nowMs: number, change: object = {}) {
  const content = { ...CONTENT, ...change };
  return withConnection(tables.pool, (one) =>
    sendSupportMessage(one, vault, { content, to: 'support@example.com', nowMs }),
  );
}

describe('support messages', () => {
  before(async () => {
    tables = await openRegistryForTest();
  });
  after(() => tables.close());

  test('a message names the account of its address, regardless of case', async () => {
    const user = await createUser(tables.pool, { email: 'someone@example.com' });
    assert.ok(typeof user === 'object');
    const sent = await send(NOW_MS);
    await send(NOW_MS + 1, { email: 'nobody@example.com' });
    const [unknown, known] = await listSupportMessages(tables.pool, vault, { limit: 10 });
    assert.deepEqual([unknown.user, unknown.email], [null, 'nobody@example.com']);
    assert.deepEqual([known.user, known.email], [user.id, 'someone@example.com']);
    assert.deepEqual(sent, { reference: known.reference });
  });

  test('the hourly number of messages is limited, even if they arrive concurrently', async () => {
    await tables.pool.query('delete from support_messages');
    const all = await Promise.all(
      Array.from({ length: MESSAGES_PER_HOUR_MAX + 5 }, () => send(NOW_MS)),
    );
    const refused = all.filter((one) => one instanceof Refused);
    assert.equal(refused.length, 5);
    const { rows } = await tables.pool.query('select count(*) from support_messages');
    assert.equal(Number(rows[0].count), MESSAGES_PER_HOUR_MAX);
    assert.deepEqual(
      await send(NOW_MS + HOUR_MS - 1),
      new Refused('support_messages_too_many', {}, 600),
    );
    assert.ok(!((await send(NOW_MS + HOUR_MS)) instanceof Refused));
  });
});
