// Tests strangers at the first administrator's sign-up, on a real registry.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { withConnection } from '../../../infra/postgres/index.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import type { Dependencies } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { openRegistryForTest, type RegistryForTest, vault } from '../../auth/registry-for-test.ts';
import { issueSetupToken } from '../first-administrator.ts';
import { setUpRoutes } from './set-up-routes.ts';

const REFUSED = 'setup_token_invalid';
const CALLS_MAX = 5;
const TAG = { salt: Buffer.alloc(16), tag: Buffer.alloc(32), memory: 19_456, passes: 2, lanes: 1 };

let tables: RegistryForTest;
let hashes = 0;

async function signUp(body: object, network: string): Promise<string> {
  const hasher = {
    hash: async () => {
      hashes += 1;
      return TAG;
    },
  };
  const dependencies = {
    registry: tables.pool,
    vault,
    clock: new FakeClock(Date.now()),
    exchange: { name: 'Rialto' },
    identity: { callsPerAddressMax: CALLS_MAX, hasher },
  } as unknown as Dependencies;
  const given = { email: 'ann@example.com', password: 'lanterns over the canal', ...body };
  const call = { address: network, client: { network }, body: given } as never;
  const answer = await setUpRoutes.signUpAdministrator(call, dependencies);
  return answer instanceof Refused ? answer.key : 'signed up';
}

describe('first administrator sign-up', () => {
  before(async () => {
    tables = await openRegistryForTest();
  });
  after(() => tables.close());

  test('abuse 60: a request without a token reveals nothing and costs no hash', async () => {
    await withConnection(tables.pool, issueSetupToken);
    for (const body of [{}, { password: 'weak' }, { email: 'nothing' }]) {
      assert.equal(await signUp({ token: 'x'.repeat(43), ...body }, '192.0.2.1'), REFUSED);
    }
    assert.equal(hashes, 0);
  });

  test('abuse 60: guesses from an address are counted', async () => {
    const answers: string[] = [];
    for (let guess = 0; guess <= CALLS_MAX; guess++) {
      answers.push(await signUp({ token: `guess ${guess}` }, '192.0.2.2'));
    }
    const refusals = Array.from({ length: CALLS_MAX }, () => REFUSED);
    assert.deepEqual(answers, [...refusals, 'rate_limit_exceeded']);
  });

  test('abuse 60: the token is valid once', async () => {
    const token = await withConnection(tables.pool, issueSetupToken);
    assert.equal(await signUp({ token, password: 'weak' }, '192.0.2.3'), 'password_weak');
    assert.equal(await signUp({ token }, '192.0.2.3'), 'signed up');
    assert.equal(await signUp({ token }, '192.0.2.3'), REFUSED);
    assert.equal(await withConnection(tables.pool, issueSetupToken), undefined);
  });
});
