// Tests users' withdrawals on a real PostgreSQL: every attempt to request or confirm one without
// its factor, its code or its terms is rejected and leaves no hold.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Atoms } from '../../../core/money/index.ts';
import { inTransaction } from '../../../infra/postgres/index.ts';
import { destinationHash } from '../../../infra/signer-link/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { replaceRecoveryCodes } from '../../auth/factors/recovery-codes.ts';
import { applySecurityChange, refuseFactor } from '../../auth/index.ts';
import { makeSession, type PersonForTest } from '../../auth/person-for-test.ts';
import { vault } from '../../auth/registry-for-test.ts';
import { CREDENTIAL_HOLD_MS } from '../../auth/security-changes.ts';
import { cancelUnclaimedWithdrawal } from './cancel-withdrawal.ts';
import { OTHER_ADDRESS, type Sender, TERMS, WithdrawalsForTest } from './withdrawals-for-test.ts';

let stage: WithdrawalsForTest;

function outcomeOf(result: { readonly kind: string } | Refused): string {
  return result instanceof Refused ? result.key : result.kind;
}

async function change(person: PersonForTest, sets: string): Promise<void> {
  await stage.pool.query(`update users set ${sets} where id = $1`, [person.user]);
}

async function addToBook(person: PersonForTest, active: string, address = TERMS.address) {
  const [plain, tag] = address.split(':');
  await stage.pool.query(
    `insert into address_book (user_id, label, address, tag, network, currency, active_at)
     values ($1, 'mine', $2, $3, 'xrp', 'xrp', now() + $4::interval)`,
    [person.user, plain, tag, active],
  );
}

const removeFromBook = (person: PersonForTest) =>
  stage.pool.query('update address_book set removed_at = now() where user_id = $1', [person.user]);

describe('user withdrawals', () => {
  before(async () => {
    stage = await WithdrawalsForTest.open();
  });
  after(() => stage.close());

  test('a request holds nothing; the emailed code does, once', async () => {
    const person = await stage.person();
    const { code, id } = await stage.mailed(person);
    assert.equal(await stage.stateOf(id), 'unconfirmed');
    assert.deepEqual(await stage.commandsWaiting(), []);
    const { values } = await person.lastMail('confirm_withdrawal');
    const { address, amount, currency, fee, feeCurrency, network } = values;
    assert.deepEqual(
      { address, amount, currency, fee, feeCurrency, network },
      {
        address: TERMS.address,
        amount: '10',
        currency: 'xrp',
        fee: '0.1',
        feeCurrency: 'xrp',
        network: 'xrp',
      },
    );
    assert.equal(outcomeOf(await stage.confirm(code)), 'confirmed');
    const [{ command }] = await stage.settle();
    assert.deepEqual(command, {
      kind: 'OpenWithdrawal',
      withdrawal: id,
      user: person.user,
      asset: 1,
      amountAtoms: 10_000_000n,
      feeAsset: 1,
      feeAtoms: 100_000n,
      destination: destinationHash(id, 'xrp', TERMS.address),
    });
    assert.equal(await stage.stateOf(id), 'approved');
    assert.equal(outcomeOf(await stage.confirm(code)), 'code_used');
  });

  test('a read-only exchange rejects requests and confirmations, and keeps the code', async () => {
    const person = await stage.person();
    const { code, id } = await stage.mailed(person);
    await stage.pool.query(
      "insert into stops (name, object, previous, stopped_at) values ('writes', '', '', now())",
    );
    const other = await stage.person();
    assert.equal(outcomeOf(await stage.request(other)), 'exchange_read_only');
    assert.deepEqual(await stage.requestsOf(other.user), []);
    assert.equal(outcomeOf(await stage.confirm(code)), 'exchange_read_only');
    assert.equal(await stage.stateOf(id), 'unconfirmed');
    assert.deepEqual(await stage.commandsWaiting(), []);
    await stage.pool.query("delete from stops where name = 'writes'");
    assert.equal(outcomeOf(await stage.confirm(code)), 'confirmed');
    await stage.settle();
  });

  test('forty concurrent confirmations hold the amount once', async () => {
    const person = await stage.person();
    const { code, id } = await stage.mailed(person);
    const all = await Promise.all(Array.from({ length: 40 }, () => stage.confirm(code)));
    assert.equal(all.filter(({ kind }) => kind === 'confirmed').length, 1);
    assert.deepEqual(await stage.commandsWaiting(), ['OpenWithdrawal']);
    await stage.settle();
    assert.equal(await stage.stateOf(id), 'approved');
  });

  const factors: [what: string, outcome: string, ask: (person: PersonForTest) => unknown][] = [
    ['no code', 'withdrawal_not_confirmed', (person) => stage.request(person, { otpCode: '' })],
    [
      'a wrong code',
      'withdrawal_not_confirmed',
      (person) => stage.request(person, { otpCode: '000000' }),
    ],
    [
      'a code used by another action',
      'withdrawal_not_confirmed',
      async (person) => {
        const act = person.act();
        const code = person.otp(act);
        const proof = { user: person.user, code, nowMs: act.nowMs, session: person.session };
        const proven = await person.do((connection) =>
          inTransaction(connection, () => refuseFactor(connection, vault, proof)),
        );
        assert.equal(proven, undefined);
        return stage.request(person, {}, act);
      },
    ],
    [
      'many earlier wrong codes',
      'factor_blocked',
      async (person) => {
        for (let guess = 0; guess < 6; guess++) await stage.request(person, { otpCode: '000000' });
        return stage.request(person);
      },
    ],
    [
      'an ended session',
      'session_of_person_needed',
      async (person) => {
        await stage.pool.query('update sessions set revoked_at = now() where id = $1', [
          person.session,
        ]);
        return stage.request(person);
      },
    ],
    [
      'a guest session',
      'session_of_person_needed',
      async (person) => {
        const guest = await makeSession(stage.pool, person.user, ['user'], { kind: 'shared' });
        return stage.request(person.in(guest));
      },
    ],
  ];
  for (const [what, outcome, ask] of factors) {
    test(`abuse 27: a request with ${what}: ${outcome}, and no row`, async () => {
      const person = await stage.person();
      assert.equal(outcomeOf((await ask(person)) as never), outcome);
      assert.deepEqual(await stage.requestsOf(person.user), []);
      assert.deepEqual(await stage.commandsWaiting(), []);
    });
  }

  test('abuse 27: without any factor, nothing is requested', async () => {
    const person = await stage.person({ hasOtp: false });
    const strong = { strongAt: new Date() };
    const fresh = await makeSession(stage.pool, person.user, ['user'], strong);
    for (const who of [person, person.in(fresh)]) {
      assert.equal(outcomeOf(await stage.request(who)), 'withdrawal_factor_needed');
    }
    assert.deepEqual(await stage.requestsOf(person.user), []);
  });

  test('abuse 27: a passkey proven in the session is valid for one request', async () => {
    const person = await stage.person({ hasOtp: false });
    await stage.pool.query(
      `insert into passkeys (user_id, credential_id, public_key) values ($1, $2, '')`,
      [person.user, Buffer.from(`of ${person.user}`)],
    );
    const strong = { strongAt: new Date(Date.now() + 60_000) };
    const proven = person.in(await makeSession(stage.pool, person.user, ['user'], strong));
    await change(person, 'verification_level = 0');
    assert.equal(outcomeOf(await stage.request(proven, { otpCode: '' })), 'level_too_low');
    await change(person, 'verification_level = 1');
    const all = await Promise.all(
      Array.from({ length: 5 }, () => stage.request(proven, { otpCode: '' })),
    );
    assert.deepEqual(all.map(outcomeOf).toSorted(), [
      'requested',
      ...Array(4).fill('withdrawal_not_confirmed'),
    ]);
    assert.deepEqual(await stage.requestsOf(person.user), ['unconfirmed']);
  });

  test('abuse 27: a recovery code pauses withdrawals, is used up and emailed', async () => {
    const person = await stage.person();
    const [recovery] = await replaceRecoveryCodes(stage.pool, person.user);
    const { id } = await stage.mailed(person);
    const outcomes = [];
    for (let time = 0; time < 2; time++) {
      outcomes.push(outcomeOf(await stage.request(person, { otpCode: recovery })));
    }
    assert.deepEqual(outcomes, ['withdrawals_blocked', 'withdrawal_not_confirmed']);
    const { rows } = await stage.pool.query(
      `select block_reason, withdrawal_blocked_until > now() + interval '23 hours' as is_held
       from users where id = $1`,
      [person.user],
    );
    assert.deepEqual(rows, [{ block_reason: 'recovery_code', is_held: true }]);
    const mails = (await person.mails()).filter(({ kind }) => kind === 'recovery_code_used');
    assert.equal(mails.length, 1);
    assert.equal(await stage.stateOf(id), 'unconfirmed', 'the earlier request is unchanged');
  });

  test('abuse 27: thirty concurrent requests with one code create one', async () => {
    const person = await stage.person();
    const act = person.act();
    const all = await Promise.all(Array.from({ length: 30 }, () => stage.request(person, {}, act)));
    assert.equal(all.filter(({ kind }) => kind === 'requested').length, 1);
    assert.deepEqual(await stage.requestsOf(person.user), ['unconfirmed']);
  });

  const refusedRequests: [
    what: string,
    outcome: string,
    given: (person: PersonForTest) => unknown,
    terms?: Partial<typeof TERMS>,
  ][] = [
    [
      'after a credential change',
      'withdrawals_blocked',
      (person) => change(person, `withdrawal_blocked_until = now() + interval '1 hour'`),
    ],
    [
      'of a frozen account',
      'session_of_person_needed',
      (person) => change(person, `state = 'frozen'`),
    ],
    ['below level 1', 'level_too_low', (person) => change(person, 'verification_level = 0')],
    [
      'to an address outside the book',
      'withdrawal_address_not_in_book',
      (person) => change(person, 'book_only = true'),
    ],
    [
      'to an address that is too new',
      'withdrawal_address_not_active',
      async (person) => {
        await change(person, 'book_only = true');
        await addToBook(person, '1 hour');
      },
    ],
    [
      'to another tag than in the book',
      'withdrawal_address_not_in_book',
      async (person) => {
        await change(person, 'book_only = true');
        await addToBook(person, '-1 hour');
      },
      { address: TERMS.address.replace(':7', ':8') },
    ],
    [
      'above the daily limit',
      'withdrawal_limit_reached',
      () => {},
      { amountAtoms: 1_000_000_001n as Atoms },
    ],
  ];
  for (const [what, outcome, given, terms = {}] of refusedRequests) {
    test(`a request ${what}: ${outcome}, and the one-time password stays unused`, async () => {
      const person = await stage.person();
      await given(person);
      assert.equal(outcomeOf(await stage.request(person, terms)), outcome);
      assert.deepEqual(await stage.requestsOf(person.user), []);
      const { rows } = await stage.pool.query(
        'select last_step from totp_secrets where user_id = $1',
        [person.user],
      );
      assert.equal(Number(rows[0].last_step), 0);
      await assert.rejects(person.lastMail('confirm_withdrawal'));
    });
  }

  test('abuse 30: an active entry allows its address, not another under its label', async () => {
    const person = await stage.person();
    await change(person, 'book_only = true');
    await addToBook(person, '-1 hour');
    assert.equal(outcomeOf(await stage.request(person)), 'requested');
    await removeFromBook(person);
    await addToBook(person, '1 day', OTHER_ADDRESS);
    assert.equal(outcomeOf(await stage.request(person)), 'withdrawal_address_not_in_book');
    const swapped = await stage.request(person, { address: OTHER_ADDRESS });
    assert.equal(outcomeOf(swapped), 'withdrawal_address_not_active');
  });

  test('a new request replaces the previous one, whose code becomes invalid', async () => {
    const person = await stage.person();
    const first = await stage.mailed(person);
    const second = await stage.mailed(person);
    assert.deepEqual(await stage.requestsOf(person.user), ['canceled', 'unconfirmed']);
    assert.equal(outcomeOf(await stage.confirm(first.code)), 'code_wrong');
    assert.equal(outcomeOf(await stage.confirm(second.code)), 'confirmed');
    await stage.settle();
  });

  test('a request that replaces another counts once toward the limit', async () => {
    const person = await stage.person();
    const amountAtoms = 600_000_000n as Atoms;
    await stage.mailed(person, { amountAtoms });
    const { code } = await stage.mailed(person, { amountAtoms });
    assert.equal(outcomeOf(await stage.confirm(code)), 'confirmed');
    await stage.settle();
    assert.equal(
      outcomeOf(await stage.request(person, { amountAtoms })),
      'withdrawal_limit_reached',
    );
  });

  const confirmations: [
    what: string,
    outcome: string,
    confirm: (person: PersonForTest, id: number, code: string) => unknown,
    form?: 'v3' | 'v4',
  ][] = [
    ['a wrong link', 'code_wrong', () => stage.confirm('00000000-0000-4000-8000-000000000000')],
    [
      'a wrong short code',
      'code_wrong',
      ({ session, user }) => stage.confirm('000000', { session, user }),
      'v4',
    ],
    [
      'a short code without a session',
      'code_wrong',
      (_, __, code) => short(code, { user: 0 }),
      'v4',
    ],
    [
      "a short code in another user's session",
      'code_wrong',
      async (_, __, code) => {
        const { session, user } = await stage.person();
        return short(code, { session, user });
      },
      'v3',
    ],
    [
      'a short code in another session of its owner',
      'code_wrong',
      async ({ user }, _, code) => {
        const session = await makeSession(stage.pool, user);
        return short(code, { session, user });
      },
      'v3',
    ],
    [
      'a request that its user canceled',
      'withdrawal_under_way',
      async (person, id, code) => {
        await person.do((connection) => cancelUnclaimedWithdrawal(connection, { id }, person.user));
        return stage.confirm(code);
      },
    ],
    [
      'an expired code',
      'code_expired',
      async ({ user }, _, code) => {
        await stage.pool.query('update codes set expires_at = now() where user_id = $1', [user]);
        return stage.confirm(code);
      },
    ],
    [
      'an expired request',
      'code_expired',
      (_, __, code) => stage.confirm(code, { nowMs: Date.now() + 3_600_000 }),
    ],
    [
      'a password changed after the request',
      'code_expired',
      async (person, _, code) => {
        const change = {
          user: person.user,
          reason: 'password_changed',
          holdMs: CREDENTIAL_HOLD_MS,
        };
        await person.do((connection) =>
          inTransaction(connection, () => applySecurityChange(connection, change)),
        );
        return stage.confirm(code);
      },
    ],
    [
      'a hold that began after the request',
      'withdrawals_blocked',
      async (person, _, code) => {
        await change(person, `withdrawal_blocked_until = now() + interval '1 hour'`);
        return stage.confirm(code);
      },
    ],
    [
      'an account frozen after the request',
      'account_deactivated',
      async (person, _, code) => {
        await change(person, `state = 'frozen'`);
        return stage.confirm(code);
      },
    ],
    [
      'an account limited to the book after the request',
      'withdrawal_address_not_in_book',
      async (person, _, code) => {
        await change(person, 'book_only = true');
        return stage.confirm(code);
      },
    ],
  ];
  for (const [what, outcome, confirm, form] of confirmations) {
    test(`abuse 27: a confirmation with ${what}: ${outcome}, and no hold`, async () => {
      const person = await stage.person();
      const { code, id } = await stage.mailed(person, form === undefined ? {} : { form });
      const state = outcome === 'withdrawal_under_way' ? 'canceled' : 'unconfirmed';
      assert.equal(outcomeOf((await confirm(person, id, code)) as never), outcome);
      assert.equal(await stage.stateOf(id), state);
      assert.deepEqual(await stage.commandsWaiting(), []);
    });
  }

  const others: [what: string, sets: string][] = [
    ['amount', 'amount_atoms = amount_atoms + 1'],
    ['fee', 'fee_atoms = 0'],
    ['address', `address = '${OTHER_ADDRESS}'`],
    ['tag', `address = replace(address, ':7', ':8')`],
    ['network', `network = 'ripple'`],
    ['asset', 'asset_id = 2'],
    ['digits', 'scale = 5'],
    ['fee asset', 'fee_asset_id = 2'],
  ];
  for (const [what, sets] of others) {
    test(`abuse 29: a code does not confirm another ${what}`, async () => {
      const person = await stage.person();
      const { code, id } = await stage.mailed(person);
      await stage.pool.query(`update withdrawal_requests set ${sets} where id = $1`, [id]);
      assert.equal(outcomeOf(await stage.confirm(code)), 'withdrawal_terms_changed');
      assert.equal(await stage.stateOf(id), 'unconfirmed');
      assert.deepEqual(await stage.commandsWaiting(), []);
    });
  }

  test('abuse 29: a code does not confirm the request of another user', async () => {
    const [person, other] = [await stage.person(), await stage.person()];
    const { code, id } = await stage.mailed(person);
    await stage.pool.query('update withdrawal_requests set user_id = $2 where id = $1', [
      id,
      other.user,
    ]);
    assert.equal(outcomeOf(await stage.confirm(code)), 'withdrawal_under_way');
    assert.deepEqual(await stage.commandsWaiting(), []);
  });

  test('a short code is confirmed by the session that requested it', async () => {
    for (const form of ['v3', 'v4'] as const) {
      const person = await stage.person();
      const { code } = await stage.mailed(person, { form });
      const { session, user } = person;
      assert.equal(outcomeOf(await short(code, { session, user })), 'confirmed');
      await stage.settle();
    }
  });

  test('a code that the policy rejected can be used again', async () => {
    const person = await stage.person();
    const { code } = await stage.mailed(person);
    await change(person, 'book_only = true');
    assert.equal(outcomeOf(await stage.confirm(code)), 'withdrawal_address_not_in_book');
    await addToBook(person, '-1 hour');
    assert.equal(outcomeOf(await stage.confirm(code)), 'confirmed');
    await stage.settle();
  });

  test('a hold rejected by the engine ends the request', async () => {
    const person = await stage.person();
    const { code, id } = await stage.mailed(person);
    await stage.confirm(code);
    await stage.settle('available_balance_too_small');
    assert.equal(await stage.stateOf(id), 'refused');
  });
});

function short(code: string, sender: Sender) {
  return stage.confirm(code, sender);
}
