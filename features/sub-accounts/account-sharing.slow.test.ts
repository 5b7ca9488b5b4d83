// Tests shared accounts on PostgreSQL: the proofs that sharing needs, and what ends or pauses it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inTransaction, type Pool } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { applySecurityChange } from '../auth/index.ts';
import { PersonForTest } from '../auth/person-for-test.ts';
import { openRegistryForTest, type RegistryForTest, vault } from '../auth/registry-for-test.ts';
import type { SecurityChange } from '../auth/security-changes.ts';
import {
  enterSharedAccount,
  listSharedAccounts,
  pauseSharedAccount,
  removeSharedAccount,
  resumeSharedAccount,
  shareAccount,
} from './account-sharing.ts';

let registry: RegistryForTest;
let pool: Pool;

describe('shared accounts', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  const proofTable: [what: string, wrong: object, refusal: string][] = [
    ['no factor', { otpCode: '' }, 'factor_wrong'],
    ['a wrong factor', { otpCode: '000000' }, 'factor_wrong'],
    ['no emailed code', { emailCode: '' }, 'code_wrong'],
    ['a wrong emailed code', { emailCode: '00000000' }, 'code_wrong'],
  ];
  for (const [what, wrong, refusal] of proofTable) {
    test(`sharing and resuming are rejected with ${what}`, async () => {
      const [owner, guest] = [await person(), await person()];
      const email = await emailOf(guest);
      const first = await owner.proven();
      const asked = { email, label: '', proofs: { ...first.proofs, ...wrong } };
      const refused = await owner.do((connection) =>
        shareAccount(connection, vault, first.act, asked),
      );
      assert.equal(refused instanceof Refused && refused.key, refusal);
      assert.deepEqual(await listSharedAccounts(pool, vault, owner.user), []);

      const id = await share(owner, guest);
      await owner.do((connection) => pauseSharedAccount(connection, owner.act(), id));
      const { act, proofs } = await owner.proven();
      const resumed = { id, proofs: { ...proofs, ...wrong } };
      assert.deepEqual(
        await owner.do((connection) => resumeSharedAccount(connection, vault, act, resumed)),
        new Refused(refusal),
      );
      assert.equal(await enter(guest, id), 'shared_account_paused');
      assert.equal(await resume(owner, id), undefined);
      assert.equal(await enter(guest, id), 'entered');
    });
  }

  test('an owner without a factor cannot share', async () => {
    const [owner, guest] = [await person({ hasOtp: false }), await person()];
    const { act, proofs } = await owner.proven();
    const asked = { email: await emailOf(guest), label: '', proofs };
    const refused = await owner.do((connection) => shareAccount(connection, vault, act, asked));
    assert.deepEqual(refused, new Refused('otp_not_enabled'));
  });

  const changes: [reason: string, more: Partial<SecurityChange>][] = [
    ['password_changed', { holdMs: 1 }],
    ['factor_added', {}],
    ['factor_removed', { holdMs: 1 }],
    ['recovery_code', { holdMs: 1 }],
    ['password_reset', { suspendsKeys: true, endsDevices: true }],
  ];
  for (const [reason, more] of changes) {
    test(`abuse 34: after ${reason}, the owner's guests are paused`, async () => {
      const [owner, guest, third] = [await person(), await person(), await person()];
      const id = await share(owner, guest);
      const other = await share(third, guest);
      assert.equal(await enter(guest, id), 'entered');
      await change(owner, { reason, keepSession: owner.session, ...more });
      assert.equal(await liveGuests(owner), 0);
      assert.equal(await enter(guest, id), 'shared_account_paused');
      assert.equal(await enter(guest, other), 'entered', 'accounts of others stay open');
    });
  }

  test("concurrent changes by two users who are each other's guests do not deadlock", async () => {
    const [one, other] = [await person(), await person()];
    for (let round = 0; round < 20; round++) {
      const shares: [PersonForTest, number][] = [];
      for (const [owner, guest] of [[one, other] as const, [other, one] as const]) {
        const id = await plantShare(owner, guest);
        assert.equal(await enter(guest, id), 'entered');
        shares.push([guest, id]);
      }
      await Promise.all([
        ...shares.map(([guest, id]) =>
          guest.do((connection) => removeSharedAccount(connection, guest.act(), id)),
        ),
        ...[one, other].map((who) => change(who, { reason: 'test', keepSession: who.session })),
      ]);
      assert.deepEqual([await liveGuests(one), await liveGuests(other)], [0, 0]);
    }
  });
});

function person(user: Parameters<typeof PersonForTest.make>[1] = {}): Promise<PersonForTest> {
  return PersonForTest.make(pool, user);
}

async function emailOf({ user }: PersonForTest): Promise<string> {
  const { rows } = await pool.query('select email from users where id = $1', [user]);
  return rows[0].email;
}

async function share(owner: PersonForTest, guest: PersonForTest): Promise<number> {
  const { act, proofs } = await owner.proven();
  const asked = { email: await emailOf(guest), label: '', proofs };
  const shared = await owner.do((connection) => shareAccount(connection, vault, act, asked));
  assert.ok(!(shared instanceof Refused));
  return shared.id;
}

/** Skips proofs and emails, which are limited per user. */
async function plantShare(owner: PersonForTest, guest: PersonForTest): Promise<number> {
  const { rows } = await pool.query(
    `insert into shared_accounts (user_id, guest_id, reference, kek_id, sealed_email)
     values ($1, $2, gen_random_uuid(), 1, '') returning id`,
    [owner.user, guest.user],
  );
  return Number(rows[0].id);
}

/** Returns undefined if it is resumed. */
async function resume(owner: PersonForTest, id: number): Promise<string | undefined> {
  const { act, proofs } = await owner.proven();
  const resumed = await owner.do((connection) =>
    resumeSharedAccount(connection, vault, act, { id, proofs }),
  );
  return resumed instanceof Refused ? resumed.key : undefined;
}

async function enter(guest: PersonForTest, id: number): Promise<string> {
  const entering = { person: guest.act(), ip: '', userAgent: '', exchangeName: 'test' };
  const entered = await guest.do((connection) =>
    enterSharedAccount(connection, vault, id, entering),
  );
  return entered instanceof Refused ? entered.key : 'entered';
}

function change(who: PersonForTest, more: Partial<SecurityChange>): Promise<number> {
  const asked = { user: who.user, reason: 'test', holdMs: 0, ...more };
  return who.do((connection) =>
    inTransaction(connection, () => applySecurityChange(connection, asked)),
  );
}

async function liveGuests({ user }: PersonForTest): Promise<number> {
  const { rows } = await pool.query(
    "select from sessions where user_id = $1 and kind = 'shared' and revoked_at is null",
    [user],
  );
  return rows.length;
}
