// Tests sign-up and verification on a real PostgreSQL: the same traces for every address, and the
// password of the user who verifies.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import type { OwnConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findUserByEmail } from '../../accounts/index.ts';
import { type CodeForm, type Flow, issueCode, useCode } from '../codes.ts';
import { mailsTo, passwordFor, somewhere } from '../mails-for-test.ts';
import { readPassword } from '../passwords/passwords.ts';
import { requestPasswordReset } from '../passwords/reset-password.ts';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
  vault,
} from '../registry-for-test.ts';
import { createInvitation, INVITATION_LIFE_MS } from './invitations.ts';
import {
  type ApplyReferral,
  readWaitingPassword,
  resendVerification,
  signUp,
  type Verification,
  verifyEmail,
} from './sign-up.ts';

const flowAt = (network: string): Flow => ({ network, session: 0 });
const HOME = flowAt('192.0.2.1');
const ELSEWHERE = flowAt('198.51.100.7');

let registry: RegistryForTest;
let connection: OwnConnection;
let people = 0;

describe('sign-up', () => {
  before(async () => {
    registry = await openRegistryForTest();
    connection = await registry.connection();
  });
  after(() => registry.close());

  const forms: [CodeForm, RegExp][] = [
    ['v2', /^[0-9a-f-]{36}$/],
    ['v3', /^[A-Z]{2}-\d{5}$/],
    ['v4', /^\d{6}$/],
  ];
  for (const [form, pattern] of forms) {
    test(`a code of format ${form} activates the account and sets its password`, async () => {
      const email = newAddress();
      await ask(email, 'mine', { form });
      assert.equal((await known(email)).state, 'unverified');
      assert.equal(await readPassword(connection, vault, (await known(email)).id), undefined);
      const [mail] = await mailsTo(connection, email);
      assert.equal(mail.kind, 'verify_email');
      assert.match(mail.code, pattern);
      assert.equal(await verify(mail.code), (await known(email)).id);
      assert.equal((await known(email)).state, 'active');
      assert.deepEqual(await installed(email), passwordFor('mine').tag);
      assert.deepEqual(await kindsTo(email), ['verify_email', 'welcome']);
    });
  }

  test('a pending password is known to logins in the same flow', async () => {
    const email = newAddress();
    await ask(email, 'mine');
    const { id } = await known(email);
    const waiting = await readWaitingPassword(connection, vault, id, HOME);
    assert.deepEqual(waiting?.tag, passwordFor('mine').tag);
    assert.equal(await readWaitingPassword(connection, vault, id, ELSEWHERE), undefined);
    const stranger = await makeUser(registry.pool);
    assert.equal(await readWaitingPassword(connection, vault, stranger, HOME), undefined);
    const [{ code }] = await mailsTo(connection, email);
    await verify(code);
    assert.equal(await readWaitingPassword(connection, vault, id, HOME), undefined);
  });

  test('abuse 6: new, unverified and verified addresses leave the same traces', async () => {
    const verified = await activeAddress();
    const waiting = newAddress();
    await ask(waiting, 'first');
    const written = `select
        (select count(*) from mail_outbox)::integer as mails,
        (select c.created_at from codes c join users u on u.id = c.user_id
         where u.email = $1 and purpose = 'verify_email') as code_at`;
    for (const email of [newAddress(), waiting, verified]) {
      const [before] = (await connection.query(written, [email])).rows;
      assert.equal(await ask(email, 'second'), undefined);
      const [after] = (await connection.query(written, [email])).rows;
      assert.equal(after.mails - before.mails, 1);
      assert.ok(after.code_at > (before.code_at ?? 0), `a code was written for ${email}`);
    }
    assert.deepEqual((await kindsTo(verified)).at(-1), 'already_registered');
  });

  test('signing up a verified address changes neither its password nor its state', async () => {
    const email = await activeAddress('mine');
    await ask(email, 'theirs');
    // The code was not sent to any address; even its row installs nothing.
    const code = await issueCode(connection, vault, {
      user: (await known(email)).id,
      purpose: 'verify_email',
      form: 'v2',
      flow: HOME,
      payload: '{}',
    });
    assert.equal(await verify(code), 'email_already_verified');
    assert.deepEqual(await installed(email), passwordFor('mine').tag);
  });

  test("abuse 26: the owner verifies, and the squatter's password is discarded", async () => {
    const email = newAddress();
    await ask(email, 'squatter', { flow: ELSEWHERE });
    const [first] = await mailsTo(connection, email);
    await ask(email, 'owner');
    const [, second] = await mailsTo(connection, email);
    assert.equal(await verify(first.code), 'code_wrong');
    assert.equal(await verify(second.code), (await known(email)).id);
    assert.deepEqual(await installed(email), passwordFor('owner').tag);
    await ask(email, 'squatter', { flow: ELSEWHERE });
    assert.deepEqual(await installed(email), passwordFor('owner').tag);
  });

  test("abuse 26: if the owner follows a squatter's link, no password is set", async () => {
    const email = newAddress();
    await ask(email, 'owner');
    // Twice, because a second request by the squatter changes nothing.
    await ask(email, 'squatter', { flow: ELSEWHERE });
    await ask(email, 'squatter', { flow: ELSEWHERE });
    const [, , theirs] = await mailsTo(connection, email);
    assert.equal(await verify(theirs.code), (await known(email)).id);
    assert.equal(await installed(email), undefined);
  });

  test('the same user can follow the link on another device', async () => {
    const email = newAddress();
    await ask(email, 'mine', { flow: ELSEWHERE });
    const [{ code }] = await mailsTo(connection, email);
    assert.equal(await verify(code), (await known(email)).id);
    assert.deepEqual(await installed(email), passwordFor('mine').tag);
  });

  test('a code is sent again only to the flow that signed up', async () => {
    const email = newAddress();
    await ask(email, 'mine');
    await resend(email, ELSEWHERE);
    assert.deepEqual(await kindsTo(email), ['verify_email']);
    await resend(email, HOME);
    const [first, again] = await mailsTo(connection, email);
    assert.equal(await verify(first.code), 'code_wrong');
    assert.equal(await verify(again.code), (await known(email)).id);
    assert.deepEqual(await installed(email), passwordFor('mine').tag);
  });

  test('requesting again for an unknown or verified address leaves a row', async () => {
    const verified = await activeAddress();
    for (const email of [newAddress(), verified]) {
      const before = await mailRows();
      await resend(email, HOME);
      assert.equal(await mailRows(), before + 1);
    }
    assert.equal((await kindsTo(verified)).includes('already_registered'), false);
  });

  test('abuse 7: after five wrong codes, the correct one is rejected', async () => {
    const email = newAddress();
    await ask(email, 'mine', { form: 'v4' });
    const [{ code }] = await mailsTo(connection, email);
    const wrong = code === '000000' ? '111111' : '000000';
    for (let at = 0; at < 5; at++) assert.equal(await verify(wrong, { email }), 'code_wrong');
    assert.equal(await verify(code, { email }), 'code_wrong');
    assert.equal((await known(email)).state, 'unverified');
  });

  test('abuse 8: 400 foreign guesses match none of 100 live codes', async () => {
    const codes: string[] = [];
    await connection.query('begin');
    for (let at = 0; at < 100; at++) {
      const user = await makeUser(registry.pool, { state: 'unverified' });
      const flow = flowAt(`10.0.0.${at}`);
      codes.push(
        await issueCode(connection, vault, { user, purpose: 'verify_email', form: 'v4', flow }),
      );
    }
    await connection.query('commit');
    let hits = 0;
    const connections = await Promise.all(Array.from({ length: 4 }, () => registry.connection()));
    await Promise.all(
      connections.map(async (own, lane) => {
        // Guesses every live code too, from a network that requested none.
        for (let at = lane; at < 400; at += connections.length) {
          const code =
            at < codes.length ? codes[at] : `${(at * 7_919) % 1_000_000}`.padStart(6, '0');
          const used = await useCode(own, vault, {
            purpose: 'verify_email',
            code,
            flow: flowAt('203.0.113.66'),
          });
          if (!(used instanceof Refused)) hits += 1;
        }
      }),
    );
    assert.equal(hits, 0);
    const { rows } = await connection.query(
      "select count(*)::integer as tried from codes where network like '10.0.%' and tries > 0",
    );
    assert.equal(rows[0].tried, 0);
  });

  test('abuse 9: of 200 parallel uses of one code, one succeeds', async () => {
    const email = newAddress();
    await ask(email, 'mine');
    const [{ code }] = await mailsTo(connection, email);
    const connections = await Promise.all(Array.from({ length: 20 }, () => registry.connection()));
    const outcomes = await Promise.all(
      connections.map(async (own) => {
        const results: unknown[] = [];
        for (let at = 0; at < 10; at++) results.push(await verify(code, {}, own));
        return results;
      }),
    );
    const all = outcomes.flat();
    assert.equal(all.length, 200);
    assert.equal(all.filter((outcome) => typeof outcome === 'number').length, 1);
    assert.deepEqual(await kindsTo(email), ['verify_email', 'welcome']);
  });

  test('two concurrent sign-ups of a new address create one account', async () => {
    const email = newAddress();
    const connections = await Promise.all(Array.from({ length: 8 }, () => registry.connection()));
    await Promise.all(connections.map((own, at) => ask(email, `password ${at}`, {}, own)));
    const { rows } = await connection.query(
      'select count(*)::integer as count from users where email = $1',
      [email],
    );
    assert.equal(rows[0].count, 1);
  });

  test('abuse 51: of 60 sign-ups of one address, at most 10 send an email', async () => {
    const email = newAddress();
    for (let at = 0; at < 60; at++) {
      await ask(email, 'mine');
      // Moves the emails into the past, so only the daily budget applies.
      if (at % 4 === 3) await age(email);
    }
    const mails = await mailsTo(connection, email);
    assert.equal(mails.length, 10);
    // Only the last code sent is accepted.
    assert.equal(await verify(mails[9].code), (await known(email)).id);
  });

  test('abuse 51: sign-ups by strangers leave the budget for a reset', async () => {
    const email = await activeAddress();
    for (let at = 0; at < 5; at++) await ask(email, 'theirs', { flow: ELSEWHERE });
    const asked = { email, form: 'v2', flow: HOME, circumstances: somewhere } as const;
    await requestPasswordReset(connection, vault, asked);
    const kinds = (await kindsTo(email)).slice(2);
    assert.deepEqual(kinds, [...Array(4).fill('already_registered'), 'reset_password']);
  });

  test('abuse 6: sign-up and resending share one budget in every state', async () => {
    const written: number[] = [];
    for (const email of [newAddress(), await activeAddress()]) {
      const before = (await kindsTo(email)).length;
      await ask(email, 'mine', { flow: ELSEWHERE });
      for (let at = 0; at < 5; at++) await resend(email, ELSEWHERE);
      await ask(email, 'second', { flow: ELSEWHERE });
      written.push((await kindsTo(email)).length - before);
      const { id } = await known(email);
      const waiting = await readWaitingPassword(connection, vault, id, ELSEWHERE);
      assert.deepEqual(waiting?.tag, passwordFor('mine').tag, 'no email, no new password');
    }
    assert.deepEqual(written, [4, 4]);
  });

  test('an address gets at most 4 emails within two minutes, even in parallel', async () => {
    const email = newAddress();
    const connections = await Promise.all(Array.from({ length: 8 }, () => registry.connection()));
    await Promise.all(connections.map((own) => ask(email, 'mine', {}, own)));
    assert.equal((await kindsTo(email)).length, 4);
    await age(email);
    await ask(email, 'mine');
    assert.equal((await kindsTo(email)).length, 5);
  });

  test('an invitation is accepted once, for its address, until it expires', async () => {
    const email = newAddress();
    const forAnyone = await createInvitation(connection, { lifeMs: INVITATION_LIFE_MS });
    const forOther = await createInvitation(connection, {
      email: 'other@example.com',
      lifeMs: INVITATION_LIFE_MS,
    });
    const expired = await createInvitation(connection, { lifeMs: 0 });
    for (const invitation of ['', 'none', forOther, expired]) {
      assert.equal(await ask(email, 'mine', { invitation }), 'invitation_invalid');
    }
    assert.equal(await findUserByEmail(connection, email), undefined);
    assert.equal(await ask(email, 'mine', { invitation: forAnyone }), undefined);
    assert.equal(await ask(email, 'mine again', { invitation: forAnyone }), undefined);
    assert.equal(await ask(newAddress(), 'mine', { invitation: forAnyone }), 'invitation_invalid');
    const { rows } = await connection.query('select i::text as line from invitations i');
    assert.ok(rows.every(({ line }) => !line.includes(forAnyone)));
  });

  test('development can activate immediately', async () => {
    const email = newAddress();
    await ask(email, 'mine', { isVerifiedAtOnce: true });
    assert.equal((await known(email)).state, 'active');
    assert.deepEqual(await installed(email), passwordFor('mine').tag);
    await ask(email, 'theirs', { isVerifiedAtOnce: true });
    assert.deepEqual(await installed(email), passwordFor('mine').tag);
  });

  describe('a referral code', () => {
    const applied: string[] = [];
    const applyReferral: ApplyReferral = async (own, { code, user }) => {
      const { rows } = await own.query('select state from users where id = $1', [user]);
      applied.push(`${code} ${rows[0].state}`);
    };
    beforeEach(() => void applied.splice(0));

    test('is pending until verification, and is applied with the password', async () => {
      const email = newAddress();
      await ask(email, 'mine', { referral: 'ABC123', applyReferral });
      const [{ code }] = await mailsTo(connection, email);
      assert.deepEqual(applied, []);
      assert.equal(typeof (await verify(code, { applyReferral })), 'number');
      assert.deepEqual(applied, ['ABC123 active']);
    });

    test('is applied immediately if no email is needed', async () => {
      const asked = { referral: 'ABC123', applyReferral, isVerifiedAtOnce: true };
      await ask(newAddress(), 'mine', asked);
      assert.deepEqual(applied, ['ABC123 active']);
    });

    test('from a stranger is not applied, nor is one that was never sent', async () => {
      const email = newAddress();
      await ask(email, 'mine');
      await ask(email, 'theirs', { flow: ELSEWHERE, referral: 'STRANG', applyReferral });
      const mails = await mailsTo(connection, email);
      assert.equal(typeof (await verify(mails[1].code, { applyReferral })), 'number');
      assert.deepEqual(applied, []);
    });

    test('changes nothing for an existing account', async () => {
      const email = await activeAddress();
      await ask(email, 'mine', { referral: 'ABC123', applyReferral, isVerifiedAtOnce: true });
      assert.deepEqual(applied, []);
    });
  });

  test('a malformed address is rejected', async () => {
    assert.equal(await ask('nobody', 'mine'), 'email_invalid');
  });

  test('a new user gets emails in the language of the exchange', async () => {
    const email = newAddress();
    await ask(email, 'mine', { language: 'de' });
    const [mail] = await mailsTo(connection, email);
    assert.equal(mail.language, 'de');
    assert.equal((await known(email)).settings.language, 'de');
  });
});

interface Asked {
  readonly form?: CodeForm;
  readonly flow?: Flow;
  readonly invitation?: string;
  readonly isVerifiedAtOnce?: boolean;
  readonly language?: string;
  readonly referral?: string;
  readonly applyReferral?: ApplyReferral;
}

/** Returns the key of the rejection, if any. */
async function ask(email: string, password: string, asked: Asked = {}, own = connection) {
  const refusal = await signUp(own, vault, {
    email,
    password: passwordFor(password),
    form: 'v2',
    flow: HOME,
    language: 'en',
    circumstances: somewhere,
    ...asked,
  });
  return refusal?.key;
}

function resend(email: string, flow: Flow) {
  return resendVerification(connection, vault, {
    email,
    form: 'v2',
    flow,
    circumstances: somewhere,
  });
}

async function verify(
  code: string,
  asked: Pick<Verification, 'email' | 'applyReferral'> = {},
  own = connection,
) {
  const verified = await verifyEmail(own, vault, {
    code,
    flow: HOME,
    nowMs: Date.now(),
    circumstances: somewhere,
    ...asked,
  });
  return verified instanceof Refused ? verified.key : verified.user;
}

async function activeAddress(password = 'mine'): Promise<string> {
  const email = newAddress();
  await ask(email, password);
  const [{ code }] = await mailsTo(connection, email);
  assert.equal(typeof (await verify(code)), 'number');
  return email;
}

function newAddress(): string {
  people += 1;
  return `signup-${people}@example.com`;
}

async function known(email: string) {
  const user = await findUserByEmail(connection, email);
  assert.ok(user !== undefined);
  return user;
}

async function installed(email: string): Promise<Uint8Array | undefined> {
  const id: UserId = (await known(email)).id;
  return (await readPassword(connection, vault, id))?.tag;
}

async function kindsTo(email: string): Promise<string[]> {
  return (await mailsTo(connection, email)).map(({ kind }) => kind);
}

/** Moves the address's emails three minutes into the past. */
async function age(email: string): Promise<void> {
  await connection.query(
    `update mail_outbox set created_at = created_at - interval '3 minutes'
     where recipient_mac = $1`,
    [vault.mac('mail recipient', email)],
  );
}

async function mailRows(): Promise<number> {
  const { rows } = await connection.query('select count(*)::integer as mails from mail_outbox');
  return rows[0].mails;
}
