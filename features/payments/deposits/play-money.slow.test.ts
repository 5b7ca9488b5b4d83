// Play money on a running demo exchange: once in 24 hours per user and asset, through the engine.
// Another exchange refuses it, even if a gateway of a demo writes into its tables.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import { openConnection } from '../../../infra/postgres/index.ts';
import { PersonOverHttp } from '../../../testing/identity/person-over-http.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import {
  PROJECTION_SCHEMA,
  REGISTRY_SCHEMA,
  urlAs,
} from '../../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { describeKit } from '../../listings/index.ts';
import { requestPlayMoney } from './play-money.ts';

const MONEY = { currency: 'usdt' };

describe('play money', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox({ givesPlayMoney: true });
  });
  after(() => sandbox?.stop());

  test('a user gets the amount once, however many requests arrive together', async () => {
    const person = await PersonOverHttp.make(sandbox);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => person.send('POST', '/user/play-money', { body: MONEY })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 400, 400, 400, 400]);
    const refused = answers.filter(({ status }) => status === 400);
    assert.ok(
      refused.every(({ body }) => body.code === 2475),
      refused[0].text,
    );
    const { body } = await person.send('GET', '/user/balance');
    assert.equal(body.usdt_available, 10_000);
    const other = await person.send('POST', '/user/play-money', { body: { currency: 'btc' } });
    assert.deepEqual([other.status, other.body.amount], [200, 0.1], other.text);
  });

  test('a day later the user gets it again', async () => {
    const person = await PersonOverHttp.make(sandbox);
    const get = () => person.send('POST', '/user/play-money', { body: MONEY });
    assert.equal((await get()).status, 200);
    await sandbox.admin.registry.query(
      "update deposit_requests set created_at = now() - interval '24 hours' where user_id = $1",
      [person.user],
    );
    assert.equal((await get()).status, 200);
    const { body } = await person.send('GET', '/user/balance');
    assert.equal(body.usdt_available, 20_000);
  });

  test('a faucet without money refuses, and the user can try again', async () => {
    const { registry } = sandbox.admin;
    const person = await PersonOverHttp.make(sandbox);
    const empty = await PersonOverHttp.make(sandbox);
    const kept = await registry.query("select content -> 'play_money' as kept from kit");
    await describeKit(registry, { play_money: { account_id: empty.user, amounts: { usdt: '5' } } });
    const refused = await person.send('POST', '/user/play-money', { body: MONEY });
    assert.deepEqual([refused.status, refused.body.code], [400, 2476], refused.text);
    await describeKit(registry, { play_money: kept.rows[0].kept });
    const given = await person.send('POST', '/user/play-money', { body: MONEY });
    assert.equal(given.status, 200, given.text);
  });
});

describe('an exchange that is not a demo', () => {
  test('gives nothing, even to a row that a gateway wrote', async (context) => {
    const sandbox = await startSandbox();
    context.after(() => sandbox.stop());
    const { admin, seeded } = sandbox;
    const { alice } = seeded.users;
    await describeKit(admin.registry, {
      play_money: { account_id: alice.user, amounts: { usdt: '100' } },
    });
    const person = await PersonOverHttp.make(sandbox);
    const refused = await person.send('POST', '/user/play-money', { body: MONEY });
    assert.deepEqual([refused.status, refused.body.code], [400, 2474], refused.text);
    // Written by the role of the gateway; the owner of the database could send anything.
    const gateway = await openConnection({
      url: urlAs('gateway-http', sandbox.postgres.url),
      schema: REGISTRY_SCHEMA,
      name: 'forger',
      statementTimeoutMs: 30_000,
    });
    context.after(() => gateway.end());
    const forged = await requestPlayMoney(gateway, {
      user: person.user as UserId,
      currency: 'usdt',
      session: 0,
      projectionSchema: PROJECTION_SCHEMA,
    });
    assert.ok('depositRequest' in forged);
    await waitUntil({
      what: 'the dispatcher has voided the row',
      timeoutMs: 30_000,
      question: async () => {
        const text = 'select state from outbox where channel = $1 and sequence = $2';
        const { channel, sequence } = forged.position;
        const { rows } = await admin.registry.query(text, [channel, sequence]);
        return rows[0].state === 'refused';
      },
    });
    const { body } = await person.send('GET', '/user/balance');
    assert.equal(body.usdt_balance ?? 0, 0);
  });
});
