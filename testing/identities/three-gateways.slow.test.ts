// The gateways as `rialto init` sets them up on one machine: public, identity and operators have a
// process each, with its own identity and PostgreSQL role.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { PersonOverHttp } from '../identity/person-over-http.ts';
import { refusedHandshake, StreamProbe, signedUrl } from '../stream/stream-probe.ts';

let sandbox: Sandbox;

describe('separate gateways', () => {
  before(async () => {
    sandbox = await startSandbox({
      isSplit: true,
      streams: 1,
      withIdentity: true,
      withNotifier: true,
    });
  });
  after(() => sandbox?.stop());

  test('the public gateway has no operator routes under any prefix', async () => {
    const operator = await PersonOverHttp.operator(sandbox, 'supervisor');
    const { headers } = operator;
    const get = (url: string, target: string) =>
      new RestClient({ url }).send({ method: 'GET', target, headers });
    for (const target of ['/v2/admin/users?id=1', '/api/v2/admin/users?id=1']) {
      assert.equal((await get(sandbox.url, target)).status, 404, target);
    }
    const admitted = await get(sandbox.adminUrl, '/v2/admin/users?id=1');
    assert.equal(admitted.status, 200, admitted.text);
  });

  test('the public gateway forwards logins and serves its users itself', async () => {
    const body = { email: 'nobody@example.com', password: 'Wrong-Password-1!' };
    const client = new RestClient({ url: sandbox.url });
    const login = await client.send({ method: 'POST', target: '/v2/login', body });
    assert.equal(login.status, 401, login.text);
    const person = await PersonOverHttp.make(sandbox);
    const own = await person.send('GET', '/user');
    assert.equal(own.status, 200, own.text);
  });

  test('the public stream rejects operator keys and sessions', async () => {
    const { admin, alice } = sandbox.seeded.users;
    const [stream] = sandbox.streamUrls;
    assert.equal((await refusedHandshake(signedUrl(stream, admin))).status, 401);
    const { headers } = await PersonOverHttp.operator(sandbox, 'supervisor');
    assert.equal((await refusedHandshake(stream, headers)).status, 401);
    const user = await StreamProbe.open(signedUrl(stream, alice));
    user.close();
  });

  test("the operators' stream serves the topic `admin` by key and by session", async () => {
    const { admin, alice } = sandbox.seeded.users;
    const stream = `${sandbox.adminUrl.replace('http', 'ws')}/stream`;
    const { headers } = await PersonOverHttp.operator(sandbox, 'admin');
    const probes = [
      await StreamProbe.open(signedUrl(stream, admin)),
      await StreamProbe.open(stream, headers),
    ];
    for (const probe of probes) probe.subscribe('admin');
    const rest = new RestClient({ url: sandbox.adminUrl, key: admin.key, secret: admin.secret });
    await waitUntil({
      what: 'both receive a deposit of another user',
      timeoutMs: 20_000,
      // NATS might receive the subscriptions after the first deposits.
      question: async () => {
        const body = { user_id: alice.user, currency: 'usdt', amount: 1 };
        const minted = await rest.post('/admin/mint', body);
        assert.equal(minted.status, 201, minted.text);
        return probes.every(({ received }) =>
          received.some(({ topic, user_id }) => topic === 'deposit' && user_id === alice.user),
        );
      },
    });
    for (const probe of probes) probe.close();
  });

  test('each gateway logs in with its own role', async () => {
    const { rows } = await sandbox.admin.registry.query(
      `select distinct usename from pg_stat_activity where usename like 'rialto\\_gateway\\_%'
       order by 1`,
    );
    assert.deepEqual(
      rows.map(({ usename }) => usename),
      [
        'rialto_gateway_admin',
        'rialto_gateway_http',
        'rialto_gateway_identity',
        'rialto_gateway_websocket',
        'rialto_gateway_ws_admin',
      ],
    );
  });
});
