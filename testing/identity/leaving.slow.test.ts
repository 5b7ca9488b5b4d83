// Closing an account on a running exchange: rejected while the account has any content. A deposit
// that arrives afterwards reactivates it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Atoms, UserId } from '../../core/money/index.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { PersonOverHttp } from './person-over-http.ts';

const AMOUNT = 1_000_000n as Atoms;
const RACES = 12;

let sandbox: Sandbox;
let deposits = 0;

async function credit(user: UserId): Promise<void> {
  const asset = sandbox.seeded.assets.get('btc')!;
  const transactionId = `leaving-${++deposits}`;
  await sandbox.admin.credit({ user, asset, transactionId, amountAtoms: AMOUNT });
}

async function close(person: PersonOverHttp) {
  return person.send('DELETE', '/user', { body: await person.proofs() });
}

async function stateOf({ user }: PersonOverHttp): Promise<string> {
  const { rows } = await sandbox.admin.registry.query('select state from users where id = $1', [
    user,
  ]);
  return rows[0].state;
}

describe('leaving the exchange', () => {
  before(async () => {
    sandbox = await startSandbox({ gateways: 2, checkAnswers: true });
  });
  after(() => sandbox?.stop());

  test('closing an empty account closes its session and revokes its keys', async () => {
    const person = await PersonOverHttp.make(sandbox);
    const { key, secret } = await person.createKey();
    const client = new RestClient({ url: sandbox.url, key, secret });
    assert.equal((await client.get('/user')).status, 200);
    const closed = await close(person);
    assert.equal(closed.status, 200, closed.text);
    assert.equal(await stateOf(person), 'closing');
    for (const ask of [() => client.get('/user'), () => person.send('GET', '/user', { at: 1 })]) {
      await waitUntil({
        what: 'the credential is rejected',
        timeoutMs: 10_000,
        question: async () => (await ask()).status === 401,
      });
    }
  });

  test('an account with money, orders or a withdrawal cannot be closed', async () => {
    const [trader] = await sandbox.createTraders({ count: 1 });
    const person = await PersonOverHttp.make(sandbox, { user: trader.user });
    const key = await sandbox.admin.issueKey({ user: trader.user, name: 'withdraws' });
    const client = new RestClient({ url: sandbox.url, ...key });
    const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001, price: 50_000 };
    assert.equal((await client.post('/order', order)).status, 200);
    const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
    const withdrawal = { currency: 'btc', amount: 0.01, address, network: 'btc' };
    assert.equal((await client.post('/user/withdrawal', withdrawal)).status, 200);
    const refused = await close(person);
    assert.deepEqual([refused.status, refused.body.code], [400, 2323]);
    const content = 'a withdrawal in progress, a balance, an open order';
    assert.ok(refused.body.message.endsWith(content), refused.text);
    assert.equal(await stateOf(person), 'active');
  });

  test('abuse 57: money that arrives while an account is closing reactivates it', async () => {
    const person = await PersonOverHttp.make(sandbox);
    assert.equal((await close(person)).status, 200);
    await credit(person.user);
    await waitUntil({
      what: 'the account is active again',
      timeoutMs: 10_000,
      question: async () => (await stateOf(person)) === 'active',
    });
  });

  test('abuse 57: a deposit during closing never leaves money in a closed account', async () => {
    const outcomes = { closed: 0, refused: 0 };
    for (let race = 0; race < RACES; race++) {
      const person = await PersonOverHttp.make(sandbox);
      const body = await person.proofs();
      const credited = credit(person.user);
      // Starts later in each race, to cover every point of the deposit.
      const closing = new Promise((resolve) => setTimeout(resolve, race)).then(() =>
        person.send('DELETE', '/user', { body }),
      );
      const [answer] = await Promise.all([closing, credited]);
      assert.ok([200, 400].includes(answer.status), answer.text);
      outcomes[answer.status === 200 ? 'closed' : 'refused'] += 1;
      await waitUntil({
        what: 'the owner of the money can log in',
        timeoutMs: 10_000,
        question: async () => (await stateOf(person)) === 'active',
      });
    }
    assert.equal(outcomes.closed + outcomes.refused, RACES);
  });

  test('freezing the own account by GET or POST ends keys, sessions and orders', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const [trader] = await sandbox.createTraders({ count: 1 });
      const person = await PersonOverHttp.make(sandbox, { user: trader.user });
      const client = new RestClient({ url: sandbox.url, key: trader.key, secret: trader.secret });
      const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001, price: 50_000 };
      assert.equal((await client.post('/order', order)).status, 200);
      const frozen = await person.send(
        method,
        '/user/deactivate',
        method === 'POST' ? { body: {} } : {},
      );
      assert.equal(frozen.status, 200, frozen.text);
      assert.equal(await stateOf(person), 'frozen');
      await waitUntil({
        what: 'the key is rejected and no order is open',
        timeoutMs: 10_000,
        question: async () => {
          const open = await sandbox.admin.projections.query(
            'select from orders where user_id = $1 and close_reason is null',
            [person.user],
          );
          return (await client.get('/user')).status === 401 && open.rows.length === 0;
        },
      });
    }
  });

  test('an operator cannot close the account before losing the role', async () => {
    const { admin } = sandbox.seeded.users;
    const person = await PersonOverHttp.make(sandbox, { user: admin.user });
    assert.equal((await person.send('GET', '/user/deactivate')).body.code, 144);
    assert.equal((await close(person)).body.code, 144);
  });
});
