// One user, over HTTP, email and stream: signs up, verifies, logs in, adds a one-time password and
// a passkey, creates an API key, trades with it through ccxt, withdraws to the address book and
// resets the password. All old sessions, codes and keys are then rejected, and the next withdrawal
// is on hold. Email goes through a real SMTP server.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hollaex } from 'ccxt';
import { totpCode } from '../../features/auth/index.ts';
import { type SmtpForTest, startSmtpForTest } from '../../services/notifier/smtp-for-test.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { PasskeyBrowser } from '../browser/passkey-browser.ts';
import { StreamProbe } from '../stream/stream-probe.ts';

const EMAIL = 'Ada.Lovelace@example.com';
const ADDRESS = EMAIL.toLowerCase();
const PASSWORD = 'an engine weaves patterns';
const NEW_PASSWORD = 'another engine, other patterns';
const WITHDRAWAL = {
  currency: 'usdt',
  amount: 50,
  network: 'eth',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
};
const PAYMENT = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';

let smtp: SmtpForTest;
let sandbox: Sandbox;
let browser: PasskeyBrowser;
/** Number of emails read so far. */
let read = 0;
/** Shared between tests, which run as one sequence. */
let token = '';
let resetToken = '';
let otpSecret = '';
let recoveryCodes: string[] = [];
let key = { id: 0, apiKey: '', secret: '' };
let oldVerification = '';
let stream: StreamProbe;
let withdrawalOtp = '';
/** On hold when the password is reset. */
let heldWithdrawal = '';

before(async () => {
  smtp = await startSmtpForTest();
  sandbox = await startSandbox({
    gateways: 2,
    streams: 1,
    withIdentity: true,
    withNotifier: true,
    notifierSettings: { RIALTO_SMTP_URL: smtp.url },
  });
  browser = await PasskeyBrowser.open(sandbox.url);
});

after(async () => {
  stream?.close();
  await browser?.close();
  await sandbox?.stop();
  await smtp?.stop();
});

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on bodies of any shape.
  readonly body: any;
}

interface Sent {
  readonly body?: unknown;
  readonly as?: string;
  /** Gateway index, 0 by default. */
  readonly gateway?: number;
}

async function call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const { as, body, gateway = 0 } = sent;
  const answer = await fetch(`${sandbox.urls[gateway]}/v2${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

async function done(method: string, path: string, sent: Sent = {}, status = 200): Promise<Answer> {
  const answer = await call(method, path, sent);
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer;
}

/**
 * Returns the text part of the user's next email with a matching subject, and skips earlier emails.
 * The seeded users get emails about their deposits.
 */
async function mail(subject: RegExp): Promise<string> {
  let found: string | undefined;
  await waitUntil({
    what: `an email with the subject ${subject}`,
    timeoutMs: 30_000,
    question: () => {
      for (; read < smtp.received.length && found === undefined; read++) {
        const { raw, to } = smtp.received[read];
        if (to.join() !== ADDRESS) continue;
        const text = textOf(raw);
        if (subject.test(/^Subject: (.*)$/m.exec(raw)?.[1] ?? '')) found = text;
      }
      return found !== undefined;
    },
  });
  return found ?? '';
}

/** Decodes quoted-printable. */
function textOf(raw: string): string {
  return raw
    .replaceAll('=\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function codeIn(text: string, pattern: RegExp): string {
  const code = pattern.exec(text)?.[1];
  assert.ok(code !== undefined, `no ${pattern} in the email:\n${text}`);
  return code;
}

const LINK = /#purpose=\w+&code=([0-9a-f-]{36})/;
const LONG_CODE = /\b([A-Z2-9]{20})\b/;

/** Returns the next one-time password, valid for at least a minute. The last one is reset. */
async function otp(): Promise<string> {
  await sandbox.admin.registry.query('update totp_secrets set last_step = 0');
  return totpCode(otpSecret, Date.now() + 30_000);
}

async function confirmation(): Promise<string> {
  await done('GET', '/user/request-email-confirmation', { as: token });
  return codeIn(await mail(/confirm/i), LONG_CODE);
}

test('the user signs up and verifies the address with the emailed link', async () => {
  const body = { email: EMAIL, password: PASSWORD };
  await done('POST', '/signup', { body }, 201);
  oldVerification = codeIn(await mail(/verif|confirm/i), LINK);
  const early = await call('POST', '/login', { body });
  assert.deepEqual([early.status, early.body.code], [401, 16]);
  // Signing up again sends a new code and invalidates the first one.
  await done('POST', '/signup', { body }, 201);
  const code = codeIn(await mail(/verif|confirm/i), LINK);
  const dead = { verification_code: oldVerification, email: EMAIL };
  assert.equal((await call('POST', '/verify', { body: dead })).status, 400);
  await done('POST', '/verify', { body: { verification_code: code, email: EMAIL } });
  await mail(/welcome/i);
});

test('the user logs in', async () => {
  const wrong = await call('POST', '/login', { body: { email: EMAIL, password: 'a wrong one' } });
  assert.deepEqual([wrong.status, wrong.body.code], [401, 22]);
  const { body } = await done(
    'POST',
    '/login',
    { body: { email: EMAIL, password: PASSWORD } },
    201,
  );
  ({ token } = body);
  const { body: user } = await done('GET', '/user', { as: token, gateway: 1 });
  assert.deepEqual([user.email, user.email_verified, user.otp_enabled], [ADDRESS, true, false]);
});

test('the user adds a one-time password, which every later login needs', async () => {
  const { body: requested } = await done('GET', '/user/request-otp', { as: token });
  otpSecret = requested.secret;
  const activated = await done('POST', '/user/activate-otp', {
    as: token,
    body: { code: await otp() },
  });
  assert.equal(activated.body.message, 'OTP enabled');
  recoveryCodes = activated.body.recovery_codes;
  assert.equal(recoveryCodes.length, 10);
  const without = await call('POST', '/login', { body: { email: EMAIL, password: PASSWORD } });
  assert.equal(without.status, 401);
  assert.match(without.body.message, /otp/i);
});

test('the user adds a passkey in a browser and logs in with only the passkey', async () => {
  const added = await browser.register({ token, name: 'laptop', otpCode: await otp() });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  const opened = await browser.logIn(EMAIL);
  assert.equal(opened.status, 201, JSON.stringify(opened.body));
  resetToken = opened.body.token;
  await done('GET', '/verify-token', { as: resetToken });
});

test('the user creates an API key that can trade', async () => {
  const otp_code = await otp();
  const made = await done('POST', '/user/token', {
    as: token,
    body: { name: 'bot', otp_code, email_code: await confirmation() },
  });
  key = { id: made.body.id, apiKey: made.body.key, secret: made.body.secret };
  await done('PUT', '/user/token', {
    as: token,
    body: {
      token_id: key.id,
      permissions: { can_trade: true },
      otp_code: await otp(),
      email_code: await confirmation(),
    },
  });
  const { body: listed } = await done('GET', '/user/tokens', { as: token });
  assert.equal(listed.count, 1);
  assert.ok(!JSON.stringify(listed).includes(key.secret));
});

test('the user places an order through ccxt', async () => {
  const { body: user } = await done('GET', '/user', { as: token });
  const operator = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.admin });
  const minted = await operator.send({
    method: 'POST',
    target: '/v2/admin/mint',
    body: { user_id: user.id, currency: 'usdt', amount: 1_000 },
  });
  assert.equal(minted.status, 201, minted.text);
  const exchange = trader(1);
  const order = await exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.01, 10_000);
  const open = await exchange.fetchOpenOrders('BTC/USDT');
  assert.deepEqual(
    open.map(({ id }) => id),
    [order.id],
  );
});

test('the user lists sessions and logins, and revokes one session', async () => {
  const { body: sessions } = await done('GET', '/user/sessions', { as: token });
  assert.equal(sessions.count, 2);
  const { body: logins } = await done('GET', '/user/logins', { as: token });
  assert.ok(logins.count >= 2);
  const opened = await browser.logIn(EMAIL);
  const { body: more } = await done('GET', '/user/sessions', { as: token });
  const newest = Math.max(...more.data.map(({ id }: { id: number }) => id));
  await done('POST', '/user/revoke-session', { as: token, body: { session_id: newest } });
  await untilRefused(opened.body.token);
});

test('the user adds an address to the book, which is on hold for a day', async () => {
  const { amount: _, ...entry } = WITHDRAWAL;
  await done('POST', '/user/addressbook', {
    as: token,
    body: { addresses: [{ ...entry, label: 'cold wallet' }], otp_code: await otp() },
  });
  assert.match(await mail(/address book/i), new RegExp(WITHDRAWAL.address));
  await done('PUT', '/user/addressbook', { as: token, body: { book_only: true } });
  await mail(/withdrawal restriction changed/i);
  withdrawalOtp = await otp();
  const { registry } = sandbox.admin;
  const held = await requestWithdrawal(withdrawalOtp);
  assert.deepEqual([held.status, held.body.code], [403, 242], 'the passkey is new');
  // A day passes for the passkey, then for the address.
  await registry.query('update users set withdrawal_blocked_until = now()');
  const early = await requestWithdrawal(withdrawalOtp);
  assert.deepEqual([early.status, early.body.code], [403, 2402]);
  await registry.query('update address_book set active_at = now()');
});

test('the user withdraws, and history, stream and email agree at each step', async () => {
  const query = new URLSearchParams({ authorization: `Bearer ${token}` });
  stream = await StreamProbe.open(`${sandbox.streamUrls[0]}?${query}`);
  stream.subscribe('withdrawal');
  stream.send({ op: 'ping' });
  await stream.until('the subscription counts', () =>
    stream.received.some(({ message }) => message === 'pong'),
  );

  // The rejections did not use up the one-time password.
  const requested = await requestWithdrawal(withdrawalOtp);
  assert.deepEqual([requested.status, requested.body], [200, { message: 'Success' }]);
  await agrees(['unconfirmed'], { waiting: true });
  const asked = await mail(/confirm your withdrawal/i);
  for (const term of ['50', 'usdt', WITHDRAWAL.address]) {
    assert.match(asked, new RegExp(term, 'i'));
  }

  const { body: confirmed } = await done('POST', '/user/confirm-withdrawal', {
    body: { token: codeIn(asked, LINK) },
    gateway: 1,
  });
  const { transaction_id } = confirmed;
  const held = await agrees(['opening', 'approved'], {});
  assert.equal(held.transaction_id, transaction_id);
  assert.match(await mail(/withdrawal accepted/i), new RegExp(WITHDRAWAL.address));

  const claimed = await review({ transaction_id, processing: true });
  assert.equal(claimed.status, 200, claimed.text);
  await agrees(['claimed'], { processing: true });
  const late = await call('DELETE', `/user/withdrawal?id=${held.id}`, { as: token });
  assert.deepEqual([late.status, late.body.code], [400, 2212]);

  // The operator pays manually and reports the payment.
  const paid = await review({ transaction_id, updated_transaction_id: PAYMENT, status: true });
  assert.equal(paid.status, 200, paid.text);
  const ended = await agrees(['completing', 'completed'], { status: true });
  assert.equal(ended.transaction_id, PAYMENT);
  assert.match(await mail(/withdrawal sent/i), new RegExp(PAYMENT));
  const { body: balance } = await done('GET', '/user/balance', { as: token });
  assert.equal(balance.usdt_balance, 1_000 - WITHDRAWAL.amount - confirmed.fee);
});

test('another withdrawal of the user is on hold', async () => {
  const requested = await requestWithdrawal(await otp());
  assert.equal(requested.status, 200, JSON.stringify(requested.body));
  const code = codeIn(await mail(/confirm your withdrawal/i), LINK);
  const confirmed = await done('POST', '/user/confirm-withdrawal', { body: { token: code } });
  heldWithdrawal = confirmed.body.transaction_id;
  await agrees(['unconfirmed', 'opening', 'approved'], {});
});

test('a password reset invalidates old sessions, codes and trading keys', async () => {
  await done('GET', `/reset-password?email=${encodeURIComponent(EMAIL)}`);
  const code = codeIn(await mail(/reset/i), LINK);
  const pending = await confirmation();
  const body = { code, new_password: NEW_PASSWORD };
  const bare = await call('POST', '/reset-password', { body });
  assert.equal(bare.status, 400, 'a reset without the second factor');
  await done('POST', '/reset-password', { body: { ...body, otp_code: recoveryCodes[0] } });
  await untilRefused(token);
  await untilRefused(resetToken);
  await assert.rejects(trader(0).createOrder('BTC/USDT', 'limit', 'buy', 0.01, 10_000), /API key/);

  const now = { email: EMAIL, password: NEW_PASSWORD, otp_code: recoveryCodes[1] };
  ({ token } = (await done('POST', '/login', { body: now }, 201)).body);
  const { body: user } = await done('GET', '/user', { as: token });
  const heldMs = Date.parse(user.withdrawal_blocked) - Date.now();
  assert.ok(heldMs > 86_000_000 && heldMs <= 86_400_000, `held for ${heldMs} ms`);
  // The wrong attempts come last, because after three of them an address needs a captcha.
  const old = { email: EMAIL, password: PASSWORD, otp_code: recoveryCodes[2] };
  assert.equal((await call('POST', '/login', { body: old })).status, 401);
  assert.equal((await call('POST', '/reset-password', { body })).status, 400);
  const stale = { name: 'late', otp_code: await otp(), email_code: pending };
  assert.equal((await call('POST', '/user/token', { as: token, body: stale })).status, 400);
});

test('withdrawals are on hold after the reset, including the earlier one', async () => {
  const next = await requestWithdrawal(await otp());
  assert.deepEqual([next.status, next.body.code], [403, 242]);
  for (const change of [{ processing: true }, { status: true, updated_transaction_id: 'paid' }]) {
    const refused = await review({ transaction_id: heldWithdrawal, ...change });
    assert.deepEqual([refused.status, refused.body.code], [400, 2422]);
    assert.match(refused.body.message, /credential_hold/);
  }
  const { body: history } = await done('GET', '/user/withdrawals', { as: token });
  const { id, processing, status, transaction_id } = history.data[0];
  assert.deepEqual([transaction_id, processing, status], [heldWithdrawal, false, false]);
  // A thief would not do this.
  const { body: canceled } = await done('DELETE', `/user/withdrawal?id=${id}`, { as: token });
  assert.equal(canceled.dismissed, true);
  await mail(/withdrawal not completed/i);
});

test('the user logs out', async () => {
  await done('GET', '/logout', { as: token });
  await untilRefused(token);
});

function requestWithdrawal(otp_code: string): Promise<Answer> {
  const body = { ...WITHDRAWAL, otp_code };
  return call('POST', '/user/request-withdrawal', { as: token, body });
}

function review(body: object) {
  const operator = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.admin });
  return operator.put('/admin/burn', body);
}

/** The stream lists these states in order, and the history shows the last one. */
async function agrees(
  states: readonly string[],
  flags: Readonly<Record<string, boolean>>,
): Promise<{ readonly id: number; readonly transaction_id: string }> {
  let last: Answer['body'];
  for (const state of states) {
    last = (await stream.nextOf('withdrawal')).data;
    assert.equal(last.state, state);
  }
  const { body } = await done('GET', '/user/withdrawals', { as: token, gateway: 1 });
  const [{ dismissed, processing, rejected, status, waiting, ...row }] = body.data;
  const none = { dismissed: false, processing: false, rejected: false, status: false };
  assert.deepEqual(
    { dismissed, processing, rejected, status, waiting },
    { ...none, waiting: false, ...flags },
  );
  for (const field of ['id', 'amount', 'fee', 'address', 'network', 'transaction_id'] as const) {
    assert.equal(last[field], row[field], field);
  }
  assert.equal(last.status, status ? 'COMPLETED' : 'PENDING');
  return row;
}

function trader(gateway: number): hollaex {
  const urls = { api: { rest: sandbox.urls[gateway] } };
  return new hollaex({ urls, apiKey: key.apiKey, secret: key.secret });
}

/** Both gateways reject the token within a second. */
async function untilRefused(dead: string): Promise<void> {
  for (const gateway of [0, 1]) {
    await waitUntil({
      what: `gateway ${gateway} rejects the session`,
      timeoutMs: 5_000,
      question: async () =>
        (await call('GET', '/verify-token', { as: dead, gateway })).status === 401,
    });
  }
}
