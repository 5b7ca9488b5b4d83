// Sign-up, password reset and password change over HTTP on two gateways: equal responses for known
// and unknown addresses, limits across gateways, and links that only a person confirms.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { compare } from '../drills/enumeration/rank-test.ts';
import {
  makeKnownAddresses,
  PUBLIC_CALLS,
  SETTINGS_FOR_MANY_CALLS,
  timeCalls,
} from '../drills/enumeration/timed-calls.ts';
import { readLastMail } from './read-mails.ts';

const TRIES = 30;
const OLD = 'marbles under the stairs';
const NEW = 'lanterns over the canal';

let sandbox: Sandbox;
let here: RestClient;
let there: RestClient;

describe('sign-up over HTTP', () => {
  before(async () => {
    sandbox = await startSandbox({ gateways: 2, gatewaySettings: SETTINGS_FOR_MANY_CALLS });
    [here, there] = sandbox.urls.map((url) => new RestClient({ url }));
  });
  after(() => sandbox?.stop());

  for (const [name, ask] of Object.entries(PUBLIC_CALLS)) {
    test(`abuse 3 and 4: ${name} responds to known and unknown addresses alike`, async () => {
      const known = await makeKnownAddresses(sandbox, TRIES);
      const { answers, knownMs, unknownMs } = await timeCalls(sandbox.url, ask, known);
      assert.equal(answers.length, 1, answers.join('\n'));
      // A leak of a few milliseconds has a p far below this; the drill measures 1,000 tries.
      assert.ok(
        compare(knownMs, unknownMs).p > 0.0001,
        JSON.stringify(compare(knownMs, unknownMs)),
      );
      for (const tookMs of [...knownMs, ...unknownMs]) assert.ok(tookMs >= 99, `${tookMs} ms`);
    });
  }

  test('abuse 6: new, unverified and verified addresses get the same response', async () => {
    const [verified] = await makeKnownAddresses(sandbox, 1);
    const email = newAddress();
    const asked = [email, email, verified].map((to) =>
      here.post('/signup', { email: to, password: OLD }),
    );
    const answers = (await Promise.all(asked)).map(({ status, text }) => `${status} ${text}`);
    assert.equal(new Set(answers).size, 1, answers.join('\n'));
    assert.match(answers[0], /^201 /);
  });

  test('abuse 26: a squatter cannot log in after the owner has verified', async () => {
    const email = newAddress();
    await here.post('/signup', { email, password: OLD });
    await there.post('/signup', { email, password: NEW });
    const { body, status } = await here.post('/login', { email, password: OLD });
    assert.deepEqual([status, body.code], [401, 22]);
    const waiting = await here.post('/login', { email, password: NEW });
    assert.deepEqual([waiting.status, waiting.body.code], [401, 16]);
    const { code } = await lastMail(email, 'verify_email');
    const verified = await there.post('/verify', { verification_code: code });
    assert.deepEqual([verified.status, verified.body.code], [200, 28]);
    assert.equal((await here.post('/login', { email, password: OLD })).status, 401);
    assert.equal((await here.post('/login', { email, password: NEW })).status, 201);
  });

  test('a reset closes sessions on both gateways and invalidates the old password', async () => {
    const { email, token } = await person();
    await there.get('/reset-password', { email });
    const { code } = await lastMail(email, 'reset_password');
    const reset = await here.post('/reset-password', { code, new_password: NEW });
    assert.deepEqual([reset.status, reset.body.code], [200, 13]);
    for (const url of sandbox.urls) {
      await waitUntil({
        what: 'the session is rejected',
        timeoutMs: 1_000,
        question: async () => (await asPerson(url, token, 'GET', '/verify-token')).status === 401,
      });
    }
    assert.equal((await here.post('/login', { email, password: OLD })).status, 401);
    assert.equal((await here.post('/login', { email, password: NEW })).status, 201);
    const again = await here.post('/reset-password', { code, new_password: OLD });
    assert.deepEqual([again.status, again.body.code], [400, 136]);
    assert.equal((await lastMail(email, 'password_changed')).code, undefined);
  });

  test('abuse 23: a scanner that opens a password change link confirms nothing', async () => {
    const { email, token } = await person();
    const body = { old_password: OLD, new_password: NEW };
    const url = sandbox.urls[0];
    const asked = await asPerson(url, token, 'POST', '/user/change-password', body);
    assert.equal(asked.status, 200, asked.text);
    const { code } = await lastMail(email, 'change_password');
    const opened = await fetch(`${url}/v2/confirm-change-password/${code}`, { redirect: 'manual' });
    assert.equal(opened.status, 302);
    const location = `${opened.headers.get('location')}`;
    assert.match(location, /\/confirm#purpose=change_password&code=/);
    const page = await fetch(location);
    assert.match(`${page.headers.get('content-type')}`, /text\/html/);
    assert.equal((await here.post('/login', { email, password: NEW })).status, 401);
    const confirmed = await there.post('/confirm-change-password', { code });
    assert.equal(confirmed.status, 200, confirmed.text);
    assert.equal((await here.post('/login', { email, password: NEW })).status, 201);
    // The requesting session remains valid.
    assert.equal((await asPerson(url, token, 'GET', '/verify-token')).status, 200);
  });

  test('the old password cannot be guessed in a stolen session', async () => {
    const { token } = await person();
    const body = { old_password: 'a wrong password', new_password: NEW };
    const statuses: number[] = [];
    for (let at = 0; at < 6; at++) {
      const url = sandbox.urls[at % 2];
      const { status } = await asPerson(url, token, 'POST', '/user/change-password', body);
      statuses.push(status);
    }
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429]);
  });
});

describe('sign-up limits', () => {
  test('an address signs up four times in two minutes, across both gateways', async (context) => {
    const limited = await startSandbox({ gateways: 2, budgets: 'usual' });
    context.after(() => limited.stop());
    const clients = limited.urls.map((url) => new RestClient({ url }));
    const statuses: number[] = [];
    for (let at = 0; at < 5; at++) {
      const body = { email: newAddress(), password: OLD };
      const { headers, status } = await clients[at % 2].post('/signup', body);
      statuses.push(status);
      if (status === 429) assert.ok(Number(headers.get('retry-after')) > 60);
    }
    assert.deepEqual(statuses, [201, 201, 201, 201, 429]);
  });
});

async function person(): Promise<{ email: string; token: string }> {
  const [email] = await makeKnownAddresses(sandbox, 1);
  const { body, status, text } = await here.post('/login', { email, password: OLD });
  assert.equal(status, 201, text);
  return { email, token: body.token };
}

function asPerson(
  url: string,
  token: string,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
) {
  const headers = { authorization: `Bearer ${token}` };
  return new RestClient({ url }).send({ method, target: `/v2${path}`, body, headers });
}

/** Returns the values of the last email of a kind, as its recipient would read them. */
async function lastMail(email: string, kind: string): Promise<{ code: string }> {
  const { registry, vault } = sandbox.admin;
  return (await readLastMail(registry, vault, { to: email, kind })).values;
}

function newAddress(): string {
  return `${randomUUID()}@example.com`;
}
