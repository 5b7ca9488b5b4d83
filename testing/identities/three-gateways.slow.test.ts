// The HTTP gateways as `rialto init` lays them out on one machine: public, identity and operators
// have a process each, with its own identity and its own role in PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { PersonOverHttp } from '../identity/person-over-http.ts';

let sandbox: Sandbox;

describe('three HTTP gateways', () => {
  before(async () => {
    sandbox = await startSandbox({ isSplit: true, withIdentity: true, withNotifier: true });
  });
  after(() => sandbox?.stop());

  test('the public gateway has no route of operators, by whatever prefix', async () => {
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

  test('the public gateway passes logins on and serves its users itself', async () => {
    const body = { email: 'nobody@example.com', password: 'Wrong-Password-1!' };
    const client = new RestClient({ url: sandbox.url });
    const login = await client.send({ method: 'POST', target: '/v2/login', body });
    assert.equal(login.status, 401, login.text);
    const person = await PersonOverHttp.make(sandbox);
    const own = await person.send('GET', '/user');
    assert.equal(own.status, 200, own.text);
  });

  test('each gateway logs in as a role of its own', async () => {
    const { rows } = await sandbox.admin.registry.query(
      `select distinct usename from pg_stat_activity where usename like 'rialto\\_gateway\\_%'
       order by 1`,
    );
    assert.deepEqual(
      rows.map(({ usename }) => usename),
      ['rialto_gateway_admin', 'rialto_gateway_http', 'rialto_gateway_identity'],
    );
  });
});
