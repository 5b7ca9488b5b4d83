// Tests the password login on PostgreSQL: every row of its table of checks, and what strangers
// cannot do to an account.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { clientAt, vault } from '../registry-for-test.ts';
import { applySecurityChange } from '../security-changes.ts';
import { makeChallenge, solveChallenge } from '../sign-up/proof-of-work.ts';
import { Throttles } from '../throttles.ts';
import {
  BLOCKED,
  browser,
  FRENCH,
  GERMAN,
  LoginStage,
  PASSWORD,
  type Person,
} from './login-for-test.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let stage: LoginStage;

describe('login', () => {
  before(async () => {
    stage = await LoginStage.open();
  });
  beforeEach(() => stage.pool.query('delete from login_throttles'));
  after(() => stage.close());

  // Each row: the user, the input, the response, and the counters afterward. `account` and
  // `address` are failures; `attempts` are charged to the address; `hashes` are hashed passwords.
  const WRONG = { password: 'wrong' };
  interface Row {
    readonly name: string;
    readonly answer: string;
    readonly who?: (stage: LoginStage) => Promise<Person>;
    readonly sent?: object;
    readonly earlier?: (person: Person) => Promise<unknown>;
    readonly counts?: Partial<
      Record<'account' | 'device' | 'address' | 'attempts' | 'hashes', number>
    >;
    readonly outcome?: string;
    readonly mails?: readonly string[];
  }
  const fails =
    (times: number, address = '192.0.2.200') =>
    async ({ email }: Person) => {
      for (let failure = 1; failure <= times; failure++) {
        // One address per failure, so no captcha is required.
        const client = clientAt(`${address}${failure}`);
        await stage.logIn(email, { ...WRONG, client });
      }
    };
  const states = (state: 'frozen' | 'closing' | 'closed') => (on: LoginStage) =>
    on.person({ state });
  const ROWS: readonly Row[] = [
    {
      name: '2: a blocked country',
      sent: { client: clientAt(BLOCKED) },
      answer: 'country_blocked',
      counts: { hashes: 0 },
    },
    {
      name: '2: the eleventh attempt from an address',
      earlier: async ({ email }) => {
        for (let attempt = 1; attempt <= 10; attempt++) await stage.logIn(email);
      },
      answer: 'rate_limit_exceeded',
      counts: { attempts: 11, hashes: 0 },
    },
    {
      name: '3: an account with five failures, from an unknown device',
      earlier: fails(5),
      answer: 'login_blocked',
      counts: { account: 5, attempts: 1, hashes: 0 },
    },
    {
      name: '3: a known device with five failures',
      earlier: async ({ email }) => {
        await stage.logIn(email);
        for (let failure = 1; failure <= 5; failure++) await stage.logIn(email, WRONG);
      },
      answer: 'login_blocked',
      counts: { account: 0, device: 5, attempts: 7, hashes: 0 },
    },
    {
      name: '4: a captcha is required after three failures from the address',
      earlier: async () => {
        for (let other = 1; other <= 3; other++) await stage.logIn(`x${other}@example.com`, WRONG);
      },
      answer: 'captcha_invalid',
      counts: { address: 3, hashes: 0 },
    },
    {
      name: '6: a wrong password',
      sent: WRONG,
      answer: 'credentials_wrong',
      counts: { account: 1, address: 1, attempts: 1, hashes: 1 },
      outcome: 'password_wrong',
    },
    ...[2, 3, 4].map((failure) => ({
      name: `6: wrong password number ${failure}`,
      earlier: fails(failure - 1),
      sent: WRONG,
      answer: `credentials_wrong_${5 - failure}_left`,
      counts: { account: failure, hashes: 1 },
      outcome: 'password_wrong',
    })),
    {
      name: '6: the fifth wrong password blocks',
      earlier: fails(4),
      sent: WRONG,
      answer: 'login_blocked',
      counts: { account: 5, hashes: 1 },
      outcome: 'password_wrong',
    },
    {
      name: '6: a wrong password from a known device',
      earlier: ({ email }) => stage.logIn(email),
      sent: WRONG,
      answer: 'credentials_wrong',
      counts: { account: 0, device: 1, address: 1, hashes: 1 },
      outcome: 'password_wrong',
    },
    {
      name: '7: an unverified user with the pending password',
      who: (on) => on.unverified(),
      answer: 'email_not_verified',
      counts: { account: 0, hashes: 2 },
      outcome: 'email_not_verified',
    },
    {
      name: '7: an unverified user with another password',
      who: (on) => on.unverified(),
      sent: WRONG,
      answer: 'credentials_wrong',
      counts: { account: 1, hashes: 2 },
    },
    {
      name: '7: an unverified user with the password of another sign-up flow',
      who: (on) => on.unverified(),
      sent: { client: clientAt('192.0.2.2') },
      answer: 'credentials_wrong',
      counts: { account: 1, hashes: 1 },
      outcome: 'password_wrong',
    },
    {
      name: '7: level 0',
      who: (on) => on.person({ verificationLevel: 0 }),
      answer: 'user_not_verified',
      counts: { account: 0 },
      outcome: 'not_verified',
    },
    {
      name: '7: level 0 with a wrong password',
      who: (on) => on.person({ verificationLevel: 0 }),
      sent: WRONG,
      answer: 'credentials_wrong',
    },
    ...(['frozen', 'closing', 'closed'] as const).flatMap((state) => [
      {
        name: `7: ${state}`,
        who: states(state),
        answer: 'user_not_activated',
        outcome: 'not_activated',
      },
      {
        name: `7: ${state} with a wrong password`,
        who: states(state),
        sent: WRONG,
        answer: 'credentials_wrong',
      },
    ]),
    {
      name: '8: a user with a factor sends no code',
      who: (on) => withOtp(on),
      answer: 'otp_wrong',
      counts: { account: 0, address: 0 },
      outcome: 'factor_missing',
    },
    {
      name: '8: a wrong password does not reveal that the user has a factor',
      who: (on) => withOtp(on),
      sent: WRONG,
      answer: 'credentials_wrong',
    },
    {
      name: '8: a user with only a passkey',
      who: async (on) => {
        const person = await on.person();
        await on.addPasskey(person);
        return person;
      },
      answer: 'passkey_needed',
      outcome: 'factor_missing',
    },
    {
      name: '9: a wrong one-time password',
      who: (on) => withOtp(on),
      sent: { code: '000000' },
      answer: 'otp_wrong',
      counts: { account: 0 },
      outcome: 'factor_wrong',
    },
    {
      name: '10: a new country',
      earlier: ({ email }) => stage.logIn(email),
      sent: { client: clientAt(FRENCH) },
      answer: 'login_suspicious',
      counts: { account: 0 },
      outcome: 'suspicious',
      mails: ['new_device', 'suspicious_login'],
    },
    {
      name: '10: a new device after 30 days without logins',
      earlier: async ({ email }) => {
        await stage.logIn(email);
        stage.clock.advance(30 * DAY_MS + 1);
      },
      sent: { client: clientAt('192.0.2.77') },
      answer: 'login_suspicious',
      outcome: 'suspicious',
      mails: ['new_device', 'suspicious_login'],
    },
    {
      name: '10: a new device after 29 days without logins',
      earlier: async ({ email }) => {
        await stage.logIn(email);
        stage.clock.advance(29 * DAY_MS);
      },
      sent: { client: clientAt('192.0.2.77') },
      answer: 'opened',
      outcome: 'success',
      mails: ['new_device', 'new_device'],
    },
    {
      name: '11: the correct password',
      earlier: fails(3),
      answer: 'opened',
      counts: { account: 0, attempts: 1, hashes: 1 },
      outcome: 'success',
      mails: ['new_device'],
    },
    {
      name: '11: a known device',
      earlier: async ({ email }) => {
        await stage.logIn(email);
        await stage.logIn(email, WRONG);
      },
      answer: 'opened',
      counts: { device: 0, address: 1, hashes: 1 },
      outcome: 'success',
      mails: ['new_device'],
    },
  ];

  for (const row of ROWS) {
    test(`${row.name}: ${row.answer}`, async () => {
      const person = await (row.who?.(stage) ?? stage.person());
      await row.earlier?.(person);
      const hashesBefore = stage.hasher.hashes;
      assert.equal(await stage.logIn(person.email, row.sent), row.answer);
      for (const [name, count] of Object.entries(row.counts ?? {})) {
        const found =
          name === 'hashes' ? stage.hasher.hashes - hashesBefore : await counterOf(name, person);
        assert.equal(found, count, name);
      }
      if (row.outcome !== undefined) {
        assert.equal((await stage.outcomes(person)).at(-1), row.outcome);
      }
      if (row.mails !== undefined) assert.deepEqual(await stage.mails(person), row.mails);
    });
  }

  test('abuse 3: an unknown address gets the responses and counters of a known one', async () => {
    const known = await stage.person();
    const answersOf = async (email: string) => {
      await stage.pool.query('delete from login_throttles');
      const answers: unknown[] = [];
      for (let attempt = 1; attempt <= 12; attempt++) {
        const client = clientAt(`192.0.2.${100 + Math.ceil(attempt / 3)}`);
        const hashes = stage.hasher.hashes;
        const answer = await stage.attempt(email, { ...WRONG, client });
        answers.push([answer, stage.hasher.hashes - hashes]);
      }
      const { rows } = await stage.pool.query(
        'select scope, failures from login_throttles order by scope, failures',
      );
      return { answers, rows };
    };
    assert.deepEqual(await answersOf('nobody@example.com'), await answersOf(known.email));
  });

  test('abuse 1: 2,000 guesses from 1,000 addresses are 100 per account', async () => {
    const victims = [await stage.person(), await stage.person()];
    const answers: Record<string, number> = {};
    const guess = async (attempt: number) => {
      const address = attempt % 1_000;
      const client = clientAt(`10.0.${address >> 8}.${address & 255}`);
      const { email } = victims[attempt % 2];
      const answer = await stage.logIn(email, { password: `guess ${attempt}`, client });
      answers[answer] = (answers[answer] ?? 0) + 1;
    };
    for (let batch = 0; batch < 100; batch++) {
      await Promise.all(Array.from({ length: 20 }, (_, index) => guess(20 * batch + index)));
      // In the end both accounts are blocked permanently, not only for an hour.
      stage.clock.advance(30 * MINUTE_MS);
    }
    for (const { email } of victims) assert.equal(await stage.failures('account', email), 100);
    assert.ok(guessesOf(answers) <= 2 * 100, JSON.stringify(answers));
  });

  test('abuse 1: concurrent guesses get no result once five have failed', async () => {
    const { email } = await stage.person();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        stage.logIn(email, { password: `guess ${index}`, client: clientAt(`10.1.0.${index}`) }),
      ),
    );
    assert.equal(answers.filter((answer) => answer.startsWith('credentials_wrong')).length, 4);
    assert.equal(answers.filter((answer) => answer === 'login_blocked').length, 36);
  });

  test('abuse 1: a correct password gets no result if five others failed first', async () => {
    for (const person of [await stage.person(), await stage.unverified()]) {
      stage.hasher.meanwhile = () => fails(5, '10.3.0.')(person);
      const client = clientAt('10.3.0.99');
      assert.equal(await stage.logIn(person.email, { client }), 'login_blocked');
      assert.equal(await stage.liveSessions(person), 0);
    }
  });

  test('abuse 2: after 120 failures of strangers, the owner can log in', async () => {
    const owner = await stage.person();
    const first = await stage.attempt(owner.email, { client: browser(GERMAN) });
    assert.ok(first.kind === 'opened');
    const { deviceToken } = first;
    await stage.logIn(owner.email, { client: clientAt('192.0.2.50') });
    for (let failure = 0; failure < 120; failure++) {
      await stage.logIn(owner.email, { ...WRONG, client: clientAt(`10.2.0.${failure}`) });
      // Longer than every block but the permanent one.
      stage.clock.advance(61 * MINUTE_MS);
    }
    assert.equal(await stage.failures('account', owner.email), 100);
    assert.equal(
      await stage.logIn(owner.email, { client: clientAt('192.0.2.51') }),
      'login_blocked',
    );
    const withCookie = browser('192.0.2.51', { deviceToken });
    assert.equal(await stage.logIn(owner.email, { client: withCookie }), 'opened', 'by cookie');
    const script = clientAt('192.0.2.50');
    assert.equal(await stage.logIn(owner.email, { client: script }), 'opened', 'by network');

    await Throttles.clear(stage.pool, vault, { scope: 'account', subject: owner.email });
    assert.equal(
      await stage.logIn(owner.email, { client: clientAt('192.0.2.51') }),
      'opened',
      'after a reset',
    );
  });

  test('a permanently blocked browser is unblocked after its devices are revoked', async () => {
    const owner = await stage.person();
    const first = await stage.attempt(owner.email, { client: browser(GERMAN) });
    assert.ok(first.kind === 'opened');
    const client = browser('192.0.2.53', { deviceToken: first.deviceToken });
    const subject = `${await stage.knownDevice(owner)}`;
    for (let failure = 0; failure < 100; failure++) {
      await Throttles.fail(stage.pool, vault, { scope: 'device', subject, nowMs: stage.nowMs });
      stage.clock.advance(61 * MINUTE_MS);
    }
    assert.equal(await stage.failures('device', subject), 100);
    assert.equal(await stage.logIn(owner.email, { client }), 'login_blocked');
    const { user } = owner;
    const reset = { user, reason: 'password_reset', holdMs: 0, endsDevices: true };
    await applySecurityChange(stage.pool, reset);
    assert.equal(await stage.logIn(owner.email, { client }), 'opened', 'as an unknown device');
    assert.equal(`${await stage.knownDevice(owner)}`, subject, 'the same device');
    assert.equal(await stage.logIn(owner.email, { client }), 'opened', 'as a known device');
  });

  test('abuse 10: a used one-time password opens no second session', async () => {
    const person = await stage.person();
    const code = stage.otp(await stage.enableOtp(person));
    assert.equal(await stage.logIn(person.email, { code }), 'opened');
    assert.equal(await stage.logIn(person.email, { code }), 'otp_wrong');
    const parallel = await withOtpSecret();
    const same = { code: stage.otp(parallel.secret) };
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        stage.logIn(parallel.email, { ...same, client: clientAt(`192.0.2.${index}`) }),
      ),
    );
    assert.equal(answers.filter((answer) => answer === 'opened').length, 1);
  });

  test('abuse 11: guessing the one-time password blocks it, from every address', async () => {
    const person = await stage.person();
    const secret = await stage.enableOtp(person);
    const counts: Record<string, number> = {};
    for (let guess = 0; guess < 200; guess++) {
      const client = clientAt(`10.3.0.${guess}`);
      const answer = await stage.logIn(person.email, { code: '000000', client });
      counts[answer] = (counts[answer] ?? 0) + 1;
    }
    assert.deepEqual(counts, { otp_wrong: 5, factor_blocked: 195 });
    assert.equal(await stage.logIn(person.email, { code: stage.otp(secret) }), 'factor_blocked');
  });

  test('abuse 13: a password alone opens no session for a user with a factor', async () => {
    const otpUser = await withOtpSecret();
    const passkeyUser = await stage.person();
    await stage.addPasskey(passkeyUser);
    const both = await withOtpSecret();
    await stage.addPasskey(both);
    const ways = [{}, { code: '' }, { code: ' ' }, { longTerm: true }, { codeForm: 'v4' }] as const;
    const clients = [clientAt(GERMAN), browser(GERMAN), clientAt('192.0.2.9')];
    for (const person of [otpUser, passkeyUser, both]) {
      for (const way of ways) {
        for (const client of clients) {
          await stage.pool.query('delete from login_throttles');
          const answer = await stage.logIn(person.email, { ...way, client });
          assert.match(answer, /^(?:otp_wrong|passkey_needed)$/);
        }
      }
      assert.equal(await stage.liveSessions(person), 0);
    }
    assert.equal(
      await stage.logIn(passkeyUser.email, { code: stage.otp(otpUser.secret) }),
      'passkey_needed',
    );

    const [recovery] = await stage.recoveryCodes(passkeyUser);
    assert.equal(await stage.logIn(passkeyUser.email, { code: recovery }), 'opened');
    assert.equal(await stage.logIn(passkeyUser.email, { code: recovery }), 'passkey_needed');
  });

  test('a login with a recovery code ends other sessions and pauses withdrawals', async () => {
    const person = await withOtpSecret();
    const { email, secret, user } = person;
    assert.equal(await stage.logIn(email, { code: stage.otp(secret) }), 'opened');
    const [code] = await stage.recoveryCodes(person);
    const opened = await stage.attempt(email, { code });
    assert.ok(opened.kind === 'opened');
    assert.equal(opened.ended.length, 1);
    const { rows } = await stage.pool.query(
      `select s.security_version = u.security_version as is_current,
         u.withdrawal_blocked_until > now() + interval '23 hours' as is_held
       from users u join sessions s on s.user_id = u.id
       where u.id = $1 and s.revoked_at is null`,
      [user],
    );
    assert.deepEqual(rows, [{ is_current: true, is_held: true }]);
    assert.ok((await stage.mails(person)).includes('recovery_code_used'));
  });

  test('a recovery code from a new country still lists the sessions it ended', async () => {
    const person = await withOtpSecret();
    const { email, secret, user } = person;
    assert.equal(await stage.logIn(email, { code: stage.otp(secret) }), 'opened');
    const [code] = await stage.recoveryCodes(person);
    const refused = await stage.attempt(email, { code, client: clientAt(FRENCH) });
    assert.ok(refused.kind === 'refused' && refused.refusal === 'login_suspicious');
    assert.equal(await stage.liveSessions(person), 0);
    assert.equal(refused.ended?.user, user);
    assert.equal(refused.ended?.sessions.length, 1);
  });

  test('a stranger at the same address uses no budget of a known browser', async () => {
    const person = await stage.person();
    const first = await stage.attempt(person.email, { client: browser(GERMAN) });
    assert.ok(first.kind === 'opened' && first.deviceToken !== undefined);
    for (let attempt = 1; attempt <= 10; attempt++) {
      await stage.logIn('nobody@example.com', { client: browser(GERMAN) });
    }
    const { deviceToken } = first;
    const own = { client: browser(GERMAN, { deviceToken }) };
    assert.equal(await stage.logIn(person.email, own), 'opened');
    const stolen = { client: browser(GERMAN, { deviceToken }), password: 'wrong' };
    assert.equal(await stage.logIn('nobody@example.com', stolen), 'rate_limit_exceeded');
    for (let attempt = 2; attempt <= 10; attempt++) await stage.logIn(person.email, own);
    assert.equal(await stage.logIn(person.email, own), 'rate_limit_exceeded', 'its own budget');
  });

  test('three passwords without a factor within a day alert the owner', async () => {
    const { email, secret, user } = await withOtpSecret();
    const person = { email, user };
    // The owner's app requests the code after the password at every login.
    for (let login = 1; login <= 4; login++) {
      await stage.logIn(email);
      assert.equal(await stage.logIn(email, { code: stage.otp(secret) }), 'opened');
      stage.clock.advance(2 * MINUTE_MS);
    }
    assert.ok(!(await stage.mails(person)).includes('password_known'));
    for (let event = 1; event <= 5; event++) {
      await stage.logIn(email, { client: clientAt(`10.4.0.${event}`) });
      const alerts = (await stage.mails(person)).filter((kind) => kind === 'password_known');
      assert.equal(alerts.length, event >= 3 ? 1 : 0);
    }
  });

  test('a solved captcha admits one attempt', async () => {
    const { email } = await stage.person();
    for (let other = 1; other <= 3; other++) await stage.logIn(`y${other}@example.com`, WRONG);
    const solved = solveChallenge(makeChallenge(vault, 4, stage.nowMs));
    assert.equal(await stage.logIn(email, { captcha: solved, ...WRONG }), 'credentials_wrong');
    assert.equal(await stage.logIn(email, { captcha: solved }), 'captcha_invalid');
    const other = solveChallenge(makeChallenge(vault, 4, stage.nowMs));
    assert.equal(await stage.logIn(email, { captcha: other }), 'opened');
    assert.equal(await stage.logIn(email), 'opened', 'a known device needs none');
  });

  test('a password replaced while it is hashed opens no session', async () => {
    const { email, user } = await stage.person();
    const { hasher } = stage.ports.identity;
    const slow = {
      ...stage.ports,
      identity: {
        ...stage.ports.identity,
        hasher: {
          hash: hasher.hash,
          verify: async () => {
            await stage.pool.query(
              'update users set security_version = security_version + 1 where id = $1',
              [user],
            );
            return true;
          },
        },
      },
    };
    const { logIn } = await import('./login.ts');
    const sent = { email, password: PASSWORD, code: '', captcha: '', longTerm: false };
    const answer = await logIn(slow, { ...sent, client: clientAt(GERMAN) });
    assert.deepEqual(answer, { kind: 'refused', refusal: 'credentials_wrong' });
  });
});

/** Responses that reveal whether the password was right. */
function guessesOf(answers: Readonly<Record<string, number>>): number {
  const told = Object.entries(answers).filter(([answer]) => answer.startsWith('credentials_wrong'));
  return told.reduce((sum, [, count]) => sum + count, 0);
}

async function counterOf(name: string, person: Person): Promise<number> {
  switch (name) {
    case 'account':
      return stage.failures('account', person.email);
    case 'device':
      return stage.failures('device', `${await stage.knownDevice(person)}`);
    case 'address':
      return stage.failures('address', `failures ${GERMAN}`);
    default:
      return stage.failures('address', `attempts ${GERMAN}`);
  }
}

async function withOtpSecret(): Promise<Person & { readonly secret: string }> {
  const person = await stage.person();
  return { ...person, secret: await stage.enableOtp(person) };
}

async function withOtp(on: LoginStage): Promise<Person> {
  const person = await on.person();
  await on.enableOtp(person);
  return person;
}
