// Passkeys in a real browser against a running exchange: registered, proven, used to log in, and
// rejected if the device, the origin or the user is wrong.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { PasskeyBrowser } from './passkey-browser.ts';

let sandbox: Sandbox;
let browser: PasskeyBrowser;
let token: string;
let email: string;

before(async () => {
  sandbox = await startSandbox({ checkAnswers: true, gateways: 2 });
  browser = await PasskeyBrowser.open(sandbox.url);
  const { user } = sandbox.seeded.users.alice;
  ({ token } = await sandbox.admin.issueSession({ user }));
  const { rows } = await sandbox.admin.registry.query('select email from users where id = $1', [
    user,
  ]);
  email = rows[0].email;
});

after(async () => {
  await browser?.close();
  await sandbox?.stop();
});

test('a user adds a passkey and gets recovery codes', async () => {
  const added = await browser.register({ token, name: 'laptop' });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  assert.equal(added.body.message, 'Passkey enabled');
  assert.equal(added.body.recovery_codes.length, 10);
  const { body } = await browser.call({ method: 'GET', path: '/v2/user/passkeys', token });
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['laptop'],
  );
});

test('the same device cannot add its passkey twice', async () => {
  await assert.rejects(browser.register({ token }), /InvalidStateError/);
});

test('the session accepts the passkey as proof', async () => {
  const proven = await browser.prove(token);
  assert.equal(proven.status, 200, JSON.stringify(proven.body));
});

test('the passkey logs its owner in', async () => {
  const opened = await browser.logIn(email);
  assert.equal(opened.status, 201, JSON.stringify(opened.body));
  const path = '/v2/user';
  const { body } = await browser.call({ method: 'GET', path, token: opened.body.token });
  assert.equal(body.email, email);
});

test('abuse 5: options for known and unknown emails differ only in the challenge', async () => {
  const ask = async (address: string) => {
    const path = `/v2/login/passkey-auth-options?email=${address}`;
    const { body, status } = await browser.call({ method: 'GET', path });
    return { status, body: { ...body, challenge: body.challenge.length } };
  };
  assert.deepEqual(await ask(email), await ask('nobody@mail.test'));
});

test('abuse 14: a user who is not verified by the authenticator cannot log in', async () => {
  await browser.setUserVerified(false);
  try {
    await assert.rejects(browser.logIn(email), /NotAllowedError/);
  } finally {
    await browser.setUserVerified(true);
  }
});

test('abuse 14: a page from another origin cannot use the passkey', async () => {
  const asked = `${sandbox.url}/v2/login/passkey-auth-options?email=${email}`;
  const options = (await (await fetch(asked)).json()) as { challenge: string };
  // The second gateway has the same domain, `localhost`, and another port.
  await browser.goTo(sandbox.urls[1]);
  const credential = await browser.sign(options);
  await browser.goTo(sandbox.url);
  const path = '/v2/login/verify-passkey';
  const body = { challenge: options.challenge, credential };
  const phished = await browser.call({ method: 'POST', path, body });
  assert.equal(phished.status, 401, JSON.stringify(phished.body));
  await assert.rejects(browser.sign({ ...options, rpId: 'example.com' }), /SecurityError/);
});

test('abuse 15: a registration challenge cannot be used to log in', async () => {
  const path = '/v2/user/request-passkey-options';
  const registration = await browser.call({ method: 'GET', path, token });
  const { challenge } = registration.body;
  const credential = await browser.sign({ challenge, rpId: 'localhost', allowCredentials: [] });
  const body = { challenge, credential };
  const answer = await browser.call({ method: 'POST', path: '/v2/login/verify-passkey', body });
  assert.equal(answer.status, 401, JSON.stringify(answer.body));
});

test('abuse 14: a copied passkey whose counter is behind cannot log in', async () => {
  await browser.cloneWithCounter(0);
  const answer = await browser.logIn(email);
  assert.equal(answer.status, 401, JSON.stringify(answer.body));
});
