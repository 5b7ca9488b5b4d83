// Attacks on money that once worked, over HTTP as a user and as an operator against a running
// exchange with two gateways: one transaction credited twice, a paid withdrawal canceled, payouts
// redirected, limits raised by wash trades. Also a gateway that crashes between accepting and
// writing a signed request: the request is not lost and counts once.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { KeyId } from '../../core/money/index.ts';
import { accessSubjects } from '../../infra/access/access-changes.ts';
import { ReplaySet } from '../../infra/access/replay-set.ts';
import { systemClock } from '../../infra/process/index.ts';
import {
  type RestAnswer,
  RestClient,
  type RestRequest,
  sign,
} from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import type { ApiKey } from '../../tools/sandbox/sandbox-admin.ts';
import { EXCHANGE } from '../../tools/sandbox/sandbox-settings.ts';
import { PersonOverHttp } from '../identity/person-over-http.ts';
import { readLastMail } from '../identity/read-mails.ts';

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const OTHER_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const RACES = 10;
const REPLAYED = 2002;
const COPIES = 8;

let sandbox: Sandbox;
let operator: RestClient;
/** Replay set of a gateway that has crashed. */
let dead: ReplaySet;

type Attacker = PersonOverHttp & { readonly client: RestClient };

/** Creates an attacker with 10 BTC and a second factor. */
async function attacker(): Promise<Attacker> {
  const [{ key, secret, user }] = await sandbox.createTraders({ count: 1 });
  const person = await PersonOverHttp.make(sandbox, { user });
  return Object.assign(person, { client: new RestClient({ url: sandbox.url, key, secret }) });
}

async function request(person: Attacker, more: object = {}): Promise<RestAnswer> {
  const terms = { currency: 'btc', amount: 0.01, address: ADDRESS, network: 'btc' };
  const body = { ...terms, otp_code: await person.otp(), ...more };
  return person.send('POST', '/user/request-withdrawal', { body });
}

/** Creates a confirmed withdrawal, whose money is on hold. */
async function held(person: Attacker): Promise<{ id: number; transaction_id: string }> {
  const asked = await request(person);
  assert.equal(asked.status, 200, asked.text);
  const { registry, vault } = sandbox.admin;
  const { user } = person;
  const mail = await readLastMail(registry, vault, { user, kind: 'confirm_withdrawal' });
  const confirmed = await person.send('POST', '/user/confirm-withdrawal', {
    body: { token: mail.values.code },
  });
  assert.equal(confirmed.status, 200, confirmed.text);
  return newest(person);
}

async function newest(person: Attacker) {
  return (await person.send('GET', '/user/withdrawals')).body.data[0];
}

async function balance({ client }: Attacker): Promise<Record<string, number>> {
  return (await client.get('/user/balance')).body;
}

interface Signed {
  readonly key: ApiKey;
  readonly clients: readonly RestClient[];
  readonly request: RestRequest & { readonly body: string; readonly expires: number };
}

/** Creates a request by a new user with 10 BTC, whose key can withdraw. */
async function signedRequest(
  target: string,
  bodyOf: (clients: readonly RestClient[]) => Promise<object>,
): Promise<Signed> {
  const [{ user }] = await sandbox.createTraders({ count: 1, funds: { btc: '10' } });
  const key = await sandbox.admin.issueKey({ user });
  const clients = sandbox.urls.map((url) => new RestClient({ url, ...key }));
  const body = JSON.stringify(await bodyOf(clients));
  const expires = Math.floor(Date.now() / 1_000) + 120;
  return { key, clients, request: { method: 'POST', target, body, expires } };
}

/** Simulates a gateway that accepts the request, so the others have its signature. */
async function acceptAndDie({ key, request }: Signed): Promise<void> {
  const { body, expires, method, target } = request;
  const signature = Buffer.from(sign(key.secret, `${method}${target}${expires}${body}`), 'hex');
  dead.take({ key: key.id as KeyId, signature, expiresS: expires });
  await new Promise<void>((published) => setImmediate(published));
  await sandbox.admin.nats.client.flush();
}

function withdrawal(amount: number) {
  return () => Promise.resolve({ currency: 'btc', network: 'btc', address: ADDRESS, amount });
}

async function move([client]: readonly RestClient[]): Promise<object> {
  const made = await client.post('/subaccount', { label: 'lost answers', virtual: true });
  assert.equal(made.status, 201, made.text);
  return { subaccount_id: made.body.id, currency: 'btc', amount: 2, direction: 'to_sub' };
}

async function btcOf({ clients: [client] }: Signed): Promise<number> {
  return (await client.get('/user/balance')).body.btc_available;
}

describe('attacks on money', () => {
  before(async () => {
    sandbox = await startSandbox({ gateways: 2, checkAnswers: true });
    operator = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.admin });
    const subject = accessSubjects(EXCHANGE).signatures;
    const { bus } = sandbox.admin;
    dead = new ReplaySet({ bus, subject, clock: systemClock, signaturesMax: 100 });
  });
  after(() => sandbox?.stop());

  test('abuse 89: one transaction is credited once, in any spelling', async () => {
    const person = await attacker();
    const hash = randomBytes(32).toString('hex');
    const deposit = { user_id: person.user, currency: 'usdt', amount: 5, network: 'eth' };
    const first = await operator.post('/admin/mint', { ...deposit, transaction_id: hash });
    assert.equal(first.status, 201, first.text);
    const { usdt_balance: once } = await balance(person);
    const spellings: object[] = [
      { transaction_id: hash },
      { transaction_id: hash.toUpperCase() },
      { transaction_id: `0x${hash}` },
      { transaction_id: `0X${hash.toUpperCase()}` },
      { transaction_id: ` ${hash} ` },
      { transaction_id: `${hash.slice(0, 9)}\u200b${hash.slice(9)}` },
      { transaction_id: hash, network: 'ETH' },
      { transaction_id: hash, network: ' eth' },
      { transaction_id: hash, network: 'ethereum' },
      { transaction_id: hash, network: 'trx' },
      { transaction_id: `${hash}#0` },
      { transaction_id: `${hash}/0` },
      { transaction_id: `${hash}:1` },
      { transaction_id: `https://etherscan.io/tx/0x${hash}` },
      { transaction_id: hash, output: 1 },
      { transaction_id: hash, address: OTHER_ADDRESS },
      { transaction_id: hash, amount: 4 },
      { transaction_id: hash, output: '00' },
      { transaction_id: hash, user_id: sandbox.seeded.users.bob.user },
    ];
    for (const spelling of spellings) {
      const again = await operator.post('/admin/mint', { ...deposit, ...spelling });
      assert.equal(again.status, 400, `${JSON.stringify(spelling)}: ${again.text}`);
    }
    assert.equal((await balance(person)).usdt_balance, once);
  });

  test('abuse 81: pending deposits never share an id, and one completion credits one', async () => {
    const person = await attacker();
    const transaction_id = randomBytes(32).toString('hex');
    const deposit = { user_id: person.user, currency: 'usdt', amount: 5, network: 'eth' };
    const pending = { ...deposit, transaction_id, status: false };
    const made = await Promise.all(
      sandbox.urls.flatMap((url) => {
        const at = new RestClient({ url, ...sandbox.seeded.users.admin });
        return [pending, { ...pending, amount: 6 }].map((one) => at.post('/admin/mint', one));
      }),
    );
    const statuses = made.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, 400, 400, 400], made.map(({ text }) => text).join('\n'));
    const { usdt_balance: none } = await balance(person);
    const accepted = made.find(({ status }) => status === 201)!;
    for (const expected of [200, 400]) {
      const { status, text } = await operator.put('/admin/mint', { transaction_id, status: true });
      assert.equal(status, expected, text);
    }
    assert.equal((await balance(person)).usdt_balance, none + accepted.body.amount);
  });

  test('abuse 82: a withdrawal is canceled or paid, never both', async () => {
    for (let race = 0; race < RACES; race++) {
      const person = await attacker();
      const { id, transaction_id } = await held(person);
      const paid = { transaction_id, status: true, updated_transaction_id: `paid-${id}` };
      const [completed, canceled] = await Promise.all([
        operator.put('/admin/burn', paid),
        person.send('DELETE', `/user/withdrawal?id=${id}`, { at: 1 }),
      ]);
      const statuses = [completed.status, canceled.status];
      assert.deepEqual(statuses.toSorted(), [200, 400], `${completed.text}\n${canceled.text}`);
      // The losing side tries again and fails.
      const late =
        completed.status === 200
          ? await person.send('DELETE', `/user/withdrawal?id=${id}`)
          : await operator.put('/admin/burn', paid);
      assert.equal(late.status, 400, late.text);
      const { dismissed, status } = await newest(person);
      assert.deepEqual([status, dismissed], statuses[0] === 200 ? [true, false] : [false, true]);
    }
  });

  test('abuse 83: no operator field changes the destination of a payout', async () => {
    const person = await attacker();
    const { transaction_id } = await held(person);
    const rewrites: object[] = [
      { updated_address: OTHER_ADDRESS },
      { address: OTHER_ADDRESS },
      { updated_address: OTHER_ADDRESS, processing: true },
      { updated_address: OTHER_ADDRESS, status: true },
      { address: OTHER_ADDRESS, processing: true },
    ];
    for (const rewrite of rewrites) {
      await operator.put('/admin/burn', { transaction_id, ...rewrite });
      assert.equal((await newest(person)).address, ADDRESS, JSON.stringify(rewrite));
    }
  });

  test('abuse 84: a withdrawal to an impossible address is rejected', async () => {
    const person = await attacker();
    const wrong: object[] = [
      { address: `${ADDRESS.slice(0, -1)}p` },
      { address: `${ADDRESS} ` },
      { address: '0x52908400098527886E0F7030069857D2E4169EE7' },
      { address: 'me' },
      { address: '' },
      { currency: 'usdt', network: 'eth', address: ADDRESS },
      // One letter of the checksum has the wrong case.
      { currency: 'usdt', network: 'eth', address: '0x52908400098527886E0F7030069857D2E4169Ee7' },
      { network: 'trx' },
    ];
    for (const terms of wrong) {
      const { status, text } = await request(person, terms);
      assert.equal(status, 400, `${JSON.stringify(terms)}: ${text}`);
    }
    assert.equal((await person.send('GET', '/user/withdrawals')).body.count, 0);
  });

  const cases: [name: string, open: () => Promise<Signed>, left: number][] = [
    ['withdrawal', () => signedRequest('/v2/user/withdrawal', withdrawal(2)), 7.9995],
    ['transfer', () => signedRequest('/v2/subaccount/transfer', move), 8],
  ];
  for (const [name, open, left] of cases) {
    test(`a ${name} that a crashed gateway accepted is executed once by another`, async () => {
      const signed = await open();
      await acceptAndDie(signed);
      const answers = await Promise.all(
        Array.from({ length: COPIES }, (_, at) => signed.clients[at % 2].send(signed.request)),
      );
      const texts = answers.map(({ text }) => text).join('\n');
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, texts);
      const replays = answers.filter(({ body }) => body.code === REPLAYED);
      assert.equal(replays.length, COPIES - 1, texts);
      assert.equal(await btcOf(signed), left);
    });
  }

  test('a repeat is reported as a repeat, even if a second would exceed the limit', async () => {
    // 5 BTC per day at level 1.
    const signed = await signedRequest('/v2/user/withdrawal', withdrawal(4));
    const [first, again] = [
      await signed.clients[0].send(signed.request),
      await signed.clients[1].send(signed.request),
    ];
    assert.equal(first.status, 200, first.text);
    assert.deepEqual([again.status, again.body.code], [409, REPLAYED], again.text);
  });

  test('abuse 85: wash trades at a low price do not allow larger withdrawals', async () => {
    // Bitcoin is limited by its value: 100,000 per day at level 1.
    await sandbox.admin.registry.query(
      `delete from transaction_limits where tier = 1 and limit_currency = 'btc'`,
    );
    const [person, friend] = [await attacker(), await attacker()];
    // The lowest price of the band. At this price two bitcoins would be worth 97,600.
    const order = { symbol: 'btc-usdt', type: 'limit', size: 1, price: 48_800 };
    for (let trade = 0; trade < 5; trade++) {
      const price = order.price + trade;
      const bid = await friend.client.post('/order', { ...order, price, side: 'buy' });
      const ask = await person.client.post('/order', { ...order, price, side: 'sell' });
      assert.deepEqual([bid.status, ask.status], [200, 200], `${bid.text}\n${ask.text}`);
      assert.equal(ask.body.filled, 1, ask.text);
    }
    const refused = await request(friend, { amount: 2 });
    assert.deepEqual([refused.status, refused.body.code], [400, 228], refused.text);
    const allowed = await request(friend, { amount: 1.5 });
    assert.equal(allowed.status, 200, allowed.text);
  });
});
