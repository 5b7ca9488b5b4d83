// Tests closing an account and changing its email address, on a real PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { closeDueAccounts } from '../accounts/closing.ts';
import { createSubUser, findUser, reopenAccounts, replaceSettings } from '../accounts/index.ts';
import { chooseUsername } from '../accounts/profile.ts';
import { confirmEmailChange, requestEmailChange } from './change-email.ts';
import { closeAccount } from './close-account.ts';
import type { PersonContext } from './person-context.ts';
import { makeSession, PersonForTest } from './person-for-test.ts';
import { makeUser, openRegistryForTest, type RegistryForTest, vault } from './registry-for-test.ts';

const DAY_MS = 86_400_000;

let registry: RegistryForTest;
let pool: Pool;

async function close(person: PersonForTest, content: readonly string[] = []) {
  const { act, proofs } = await person.proven();
  const asked = { proofs, findContent: async () => content };
  return person.do((connection) => closeAccount(connection, vault, act, asked));
}

async function stateOf(user: UserId): Promise<string | undefined> {
  return (await findUser(pool, user))?.state;
}

describe('closing an account', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  test('an empty account is closing, its sessions end, its owner gets an email', async () => {
    const person = await PersonForTest.make(pool);
    assert.equal(await close(person), undefined);
    assert.equal(await stateOf(person.user), 'closing');
    const { rows } = await pool.query(
      'select count(*) from sessions where user_id = $1 and revoked_at is null',
      [person.user],
    );
    assert.equal(rows[0].count, '0');
    assert.match((await person.lastMail('account_closing')).values.closesOn, /^\d{4}-\d\d-\d\d$/);
  });

  test('an account with content is not closed, and no proof is used', async () => {
    const person = await PersonForTest.make(pool);
    const { act, proofs } = await person.proven();
    for (const [content, expected] of [
      [['a balance'], new Refused('account_not_empty', { detail: 'a balance' })],
      [[], undefined],
    ] as const) {
      const asked = { proofs, findContent: async () => content };
      const done = await person.do((one) => closeAccount(one, vault, act, asked));
      assert.deepEqual(done, expected);
    }
  });

  test('the content is read on the same connection, and only after the proofs', async () => {
    const person = await PersonForTest.make(pool);
    const { act, proofs } = await person.proven();
    const readers: unknown[] = [];
    const findContent = async (statements: unknown) => {
      readers.push(statements);
      return [];
    };
    await person.do(async (one) => {
      const wrong = { findContent, proofs: { ...proofs, emailCode: 'A'.repeat(20) } };
      assert.deepEqual(await closeAccount(one, vault, act, wrong), new Refused('code_wrong'));
      assert.deepEqual(readers, []);
      const right = { findContent, proofs };
      assert.equal(await closeAccount(one, vault, act, right), undefined);
      assert.deepEqual(readers, [one]);
    });
  });

  test('more concurrent closings than pool connections all finish', async () => {
    const person = await PersonForTest.make(pool);
    const { act, proofs } = await person.proven();
    const findContent = async () => {
      await pool.query('select 1');
      return [];
    };
    const wrong = { findContent, proofs: { ...proofs, otpCode: '000000' } };
    const closings = Array.from({ length: 20 }, () =>
      person.do((one) => closeAccount(one, vault, act, wrong)),
    );
    const refusals = new Set((await Promise.all(closings)).map((done) => done?.key));
    assert.ok(refusals.has('factor_wrong'), [...refusals].join());
  });

  test('closing an account locked by another transaction is rejected for now', async () => {
    const person = await PersonForTest.make(pool);
    const { act, proofs } = await person.proven();
    const asked = { proofs, findContent: async () => [] };
    await person.do(async (holder) => {
      await holder.query('begin');
      await holder.query('select from users where id = $1 for no key update', [person.user]);
      const busy = await person.do((one) => closeAccount(one, vault, act, asked));
      assert.deepEqual(busy, new Refused('data_unavailable', {}, 1));
      await holder.query('rollback');
    });
    const done = await person.do((one) => closeAccount(one, vault, act, asked));
    assert.equal(done, undefined);
  });

  test('an account with a sub-account is not closed', async () => {
    const person = await PersonForTest.make(pool);
    const sub = await makeUser(pool);
    await pool.query(`update users set kind = 'sub', parent_id = $2 where id = $1`, [
      sub,
      person.user,
    ]);
    const refused = new Refused('account_not_empty', { detail: 'a sub-account' });
    assert.deepEqual(await close(person), refused);
    await pool.query(`update users set state = 'closed' where id = $1`, [sub]);
    assert.equal(await close(person), undefined);
  });

  test("an operator's account is not closed until the role is removed", async () => {
    const operator = await PersonForTest.make(pool, { role: 'support' });
    assert.deepEqual(await close(operator), new Refused('operator_account_fixed'));
  });

  test('without a second factor, the emailed code is enough', async () => {
    const person = await PersonForTest.make(pool, { hasOtp: false });
    assert.equal(await close(person), undefined);
  });

  const wrong: [what: string, change: object, refusal: string][] = [
    ['a wrong OTP', { otpCode: '000000' }, 'factor_wrong'],
    ['no OTP', { otpCode: '' }, 'factor_wrong'],
    ['a wrong code', { emailCode: 'A'.repeat(20) }, 'code_wrong'],
  ];
  for (const [what, change, refusal] of wrong) {
    test(`an account is not closed with ${what}`, async () => {
      const person = await PersonForTest.make(pool);
      const { act, proofs } = await person.proven();
      const asked = { proofs: { ...proofs, ...change }, findContent: async () => [] };
      const done = await person.do((one) => closeAccount(one, vault, act, asked));
      assert.deepEqual(done, new Refused(refusal));
      assert.equal(await stateOf(person.user), 'active');
    });
  }

  test('a closing account is closed after 14 days, and not a moment earlier', async () => {
    const person = await PersonForTest.make(pool);
    await close(person);
    const { rows } = await pool.query('select state_since from users where id = $1', [person.user]);
    const sinceMs = rows[0].state_since.getTime();
    for (const [nowMs, state] of [
      [sinceMs + 14 * DAY_MS - 1_000, 'closing'],
      [sinceMs + 14 * DAY_MS + 1_000, 'closed'],
    ] as const) {
      await closeDueAccounts(pool, { nowMs, limit: 100 });
      assert.equal(await stateOf(person.user), state);
    }
  });

  const reopened: [state: string, after: string][] = [
    ['closing', 'active'],
    ['closed', 'active'],
    ['frozen', 'frozen'],
    ['erased', 'erased'],
  ];
  for (const [state, expected] of reopened) {
    test(`money arriving for a ${state} account makes it ${expected}`, async () => {
      const user = await makeUser(pool);
      await pool.query('update users set state = $2 where id = $1', [user, state]);
      assert.deepEqual(await reopenAccounts(pool, [user]), expected === 'active' ? [user] : []);
      assert.equal(await stateOf(user), expected);
    });
  }

  test('money arriving for a closed sub-account makes its parent active too', async () => {
    const [parent, other] = [await makeUser(pool), await makeUser(pool)];
    const sub = await createSubUser(pool, { parent, kind: 'sub' });
    await pool.query("update users set state = 'closed' where id = any($1)", [
      [parent, sub, other],
    ]);
    assert.deepEqual((await reopenAccounts(pool, [sub])).sort(), [parent, sub]);
    const states = await Promise.all([parent, sub, other].map(stateOf));
    assert.deepEqual(states, ['active', 'active', 'closed']);
  });
});

describe('a new email address', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  async function request(person: PersonForTest, email: string, otpCode?: string) {
    const act = person.act();
    const asked = { email, otpCode: otpCode ?? person.otp(act) };
    const refusal = await person.do((one) => requestEmailChange(one, vault, act, asked));
    return { act, refusal };
  }

  async function codes(person: PersonForTest) {
    const [oldMail, newMail] = [
      await person.lastMail('email_change_old'),
      await person.lastMail('email_change_new'),
    ];
    return { oldMail, newMail, oldCode: oldMail.values.code, newCode: newMail.values.code };
  }

  function confirm(
    person: PersonForTest,
    act: PersonContext,
    sent: { oldCode: string; newCode: string },
  ) {
    const asked = { ...sent, freezeToken: 'a week' };
    return person.do((connection) => confirmEmailChange(connection, vault, act, asked));
  }

  test('both codes change it, pause withdrawals and end other sessions', async () => {
    const person = await PersonForTest.make(pool, { email: 'before@example.com' });
    const other = await makeSession(pool, person.user);
    const { act, refusal } = await request(person, ' After@Example.com ');
    assert.equal(refusal, undefined);
    const { newCode, newMail, oldCode, oldMail } = await codes(person);
    assert.deepEqual([oldMail.to, newMail.to], ['before@example.com', 'after@example.com']);
    assert.equal(oldMail.values.newEmail, 'after@example.com');
    assert.equal(newMail.values.freezeToken, '', 'the new address cannot freeze yet');
    assert.equal(await confirm(person, act, { oldCode, newCode }), undefined);
    const user = await findUser(pool, person.user);
    assert.equal(user?.email, 'after@example.com');
    const heldMs = (user?.withdrawalBlockedUntil?.getTime() ?? 0) - Date.now();
    assert.ok(heldMs > DAY_MS - 60_000 && heldMs <= DAY_MS, `${heldMs}`);
    const { rows } = await pool.query(
      'select id from sessions where user_id = $1 and revoked_at is null',
      [person.user],
    );
    assert.deepEqual(
      rows.map(({ id }) => Number(id)),
      [person.session],
    );
    assert.notEqual(other, person.session);
    const told = await person.lastMail('email_changed');
    assert.deepEqual([told.to, told.values.freezeToken], ['before@example.com', 'a week']);
    assert.deepEqual(
      await confirm(person, person.act(), { oldCode, newCode }),
      new Refused('code_used'),
    );
  });

  test('one wrong code changes nothing, and the correct one stays valid', async () => {
    const person = await PersonForTest.make(pool);
    const { act } = await request(person, 'one-wrong@example.com');
    const { newCode, oldCode } = await codes(person);
    const wrong = 'A'.repeat(20);
    assert.deepEqual(
      await confirm(person, act, { oldCode: wrong, newCode }),
      new Refused('code_wrong'),
    );
    assert.deepEqual(
      await confirm(person, act, { oldCode, newCode: wrong }),
      new Refused('code_wrong'),
    );
    assert.deepEqual(
      await confirm(person, act, { oldCode: newCode, newCode: oldCode }),
      new Refused('code_wrong'),
    );
    assert.equal(await confirm(person, act, { oldCode, newCode }), undefined);
  });

  test('the codes of one session are not accepted in another', async () => {
    const person = await PersonForTest.make(pool);
    await request(person, 'elsewhere@example.com');
    const { newCode, oldCode } = await codes(person);
    const thief = person.in(await makeSession(pool, person.user));
    assert.deepEqual(
      await confirm(thief, thief.act(), { oldCode, newCode }),
      new Refused('code_wrong'),
    );
  });

  test('a second request replaces the codes of the first', async () => {
    const person = await PersonForTest.make(pool);
    await request(person, 'first@example.com');
    const first = await codes(person);
    const { act } = await request(person, 'second@example.com');
    const second = await codes(person);
    const mixed = { oldCode: first.oldCode, newCode: second.newCode };
    assert.deepEqual(await confirm(person, act, mixed), new Refused('code_wrong'));
    assert.equal(await confirm(person, act, second), undefined);
    assert.equal((await findUser(pool, person.user))?.email, 'second@example.com');
  });

  test('an address in use gets the same response, and no code', async () => {
    const person = await PersonForTest.make(pool);
    await makeUser(pool, { email: 'taken@example.com' });
    assert.equal((await request(person, 'TAKEN@example.com')).refusal, undefined);
    const kinds = (await person.mails()).filter(({ to }) => to === 'taken@example.com');
    assert.deepEqual(
      kinds.map(({ kind, values }) => [kind, values.code]),
      [['already_registered', undefined]],
    );
  });

  test('an address taken in the meantime is rejected', async () => {
    const person = await PersonForTest.make(pool);
    const { act } = await request(person, 'race@example.com');
    const sent = await codes(person);
    await makeUser(pool, { email: 'race@example.com' });
    assert.deepEqual(await confirm(person, act, sent), new Refused('email_taken'));
  });

  const refused: [what: string, email: string, otp: string | undefined, refusal: string][] = [
    ['not an address', 'nowhere', undefined, 'email_invalid'],
    ['a wrong OTP', 'x@example.com', '000000', 'factor_wrong'],
    ['no OTP', 'x@example.com', '', 'factor_wrong'],
    ['the current address', 'same@example.com', undefined, 'email_unchanged'],
  ];
  for (const [what, email, otp, refusal] of refused) {
    test(`a change to ${what} is rejected`, async () => {
      const own = what === 'the current address' ? { email } : {};
      const person = await PersonForTest.make(pool, own);
      assert.equal((await request(person, email, otp)).refusal?.key, refusal);
    });
  }
});

describe('a profile', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  test('a group of settings is replaced completely, and the others are kept', async () => {
    const user = await makeUser(pool);
    const before = (await findUser(pool, user))?.settings;
    await replaceSettings(pool, user, { risk: { popup_warning: false }, language: 'de' });
    const settings = { ...before, risk: { popup_warning: false }, language: 'de' };
    assert.deepEqual((await findUser(pool, user))?.settings, settings);
    for (const [groups, isOtherLanguage] of [
      [{ language: 'de' }, false],
      [{ chat: {} }, false],
      [{ language: 'fr' }, true],
    ] as const) {
      assert.deepEqual(await replaceSettings(pool, user, groups), { isOtherLanguage });
    }
  });

  const names: [username: string, outcome: string | undefined][] = [
    ['ab', 'username_invalid'],
    ['a_1', undefined],
    ['abcdefghijklmno', undefined],
    ['abcdefghijklmnop', 'username_invalid'],
    ['Abc', 'username_invalid'],
    ['a-b', 'username_invalid'],
    ['abc\n', 'username_invalid'],
  ];
  for (const [username, outcome] of names) {
    test(`${JSON.stringify(username)} as a username: ${outcome ?? 'chosen'}`, async () => {
      assert.equal((await chooseUsername(pool, await makeUser(pool), username))?.key, outcome);
    });
  }

  test('a username is chosen once and belongs to one user', async () => {
    const [one, other] = [await makeUser(pool), await makeUser(pool)];
    assert.equal(await chooseUsername(pool, one, 'trader'), undefined);
    assert.deepEqual(await chooseUsername(pool, one, 'trader2'), new Refused('username_fixed'));
    assert.deepEqual(await chooseUsername(pool, other, 'trader'), new Refused('username_taken'));
    assert.equal((await findUser(pool, one))?.username, 'trader');
  });
});
