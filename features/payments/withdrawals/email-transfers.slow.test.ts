// Tests transfers to another user's email address on a real PostgreSQL: known and unknown
// recipients get the same response, and unreceived transfers expire.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Atoms } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { PersonForTest } from '../../auth/person-for-test.ts';
import { describePolicySettings } from '../policy/policy-settings.ts';
import type { ConfirmedWithdrawal } from './confirm-withdrawal.ts';
import { expireWithdrawal, listWithdrawalsToExpire } from './expire-withdrawals.ts';
import { TERMS, WithdrawalsForTest } from './withdrawals-for-test.ts';

const DAY_MS = 86_400_000;
const UNKNOWN = 'nobody@example.com';

let stage: WithdrawalsForTest;

async function emailOf({ user }: PersonForTest): Promise<string> {
  const { rows } = await stage.pool.query('select email from users where id = $1', [user]);
  return rows[0].email;
}

function to(address: string, amountAtoms = TERMS.amountAtoms) {
  return { network: 'email', address, amountAtoms, feeAtoms: 0n as Atoms };
}

async function send(
  person: PersonForTest,
  address: string,
): Promise<{ readonly id: number; readonly confirmed: ConfirmedWithdrawal | Refused }> {
  const { code, id } = await stage.mailed(person, to(address));
  return { id, confirmed: await stage.confirm(code) };
}

async function expireDue(nowMs: number): Promise<number[]> {
  const ids = await listWithdrawalsToExpire(stage.pool, { nowMs, limit: 100 });
  const expired: number[] = [];
  for (const id of ids) {
    const isExpired = await withConnection(stage.pool, (connection) =>
      expireWithdrawal(connection, { id, nowMs }),
    );
    if (isExpired) expired.push(id);
  }
  return expired;
}

describe('transfers by email', () => {
  before(async () => {
    stage = await WithdrawalsForTest.open();
  });
  after(() => stage.close());

  test('a known recipient gets it immediately, as a withdrawal and a deposit', async () => {
    const [sender, receiver] = [await stage.person(), await stage.person()];
    const { confirmed, id } = await send(sender, await emailOf(receiver));
    assert.equal(confirmed.kind, 'confirmed');
    const [{ command, depositRequest, withdrawalRequest }] = await stage.settle();
    assert.equal(withdrawalRequest, id);
    const { rows } = await stage.pool.query('select * from withdrawal_requests where id = $1', [
      id,
    ]);
    const [{ address, fee_atoms, kind, network, state, transaction_id }] = rows;
    assert.deepEqual(
      [kind, state, network, address, fee_atoms],
      ['transfer', 'completed', 'email', await emailOf(receiver), '0'],
    );
    assert.deepEqual(command, {
      kind: 'TransferAsset',
      sender: sender.user,
      receiver: receiver.user,
      asset: 1,
      amountAtoms: 10_000_000n,
      reference: transaction_id,
    });
    const deposits = await stage.pool.query('select * from deposit_requests where id = $1', [
      depositRequest,
    ]);
    const [deposit] = deposits.rows;
    assert.deepEqual(
      [Number(deposit.user_id), deposit.state, deposit.transaction_id],
      [receiver.user, 'completed', transaction_id],
    );
  });

  const absent: [what: string, given: (receiver: PersonForTest) => unknown][] = [
    ['nobody', () => UNKNOWN],
    ['a frozen account', (receiver) => withState(receiver, `state = 'frozen'`)],
    ['an unverified account', (receiver) => withState(receiver, `state = 'unverified'`)],
    ['a house account', (receiver) => withState(receiver, `kind = 'house'`)],
  ];
  for (const [what, given] of absent) {
    test(`abuse 6: the response for ${what} equals that for a known recipient`, async () => {
      const [sender, receiver] = [await stage.person(), await stage.person()];
      const known = await send(sender, await emailOf(await stage.person()));
      const unknown = await send(sender, (await given(receiver)) as string);
      const told = ({ confirmed }: typeof known) => {
        assert.ok(confirmed.kind === 'confirmed');
        return [confirmed.kind, confirmed.terms.feeAtoms, confirmed.terms.transactionId.length];
      };
      assert.deepEqual(told(unknown), told(known));
      await stage.settle();
      assert.equal(await stage.stateOf(unknown.id), 'awaiting_recipient');
    });
  }

  test('abuse 6: a low balance is rejected the same way, before anything moves', async () => {
    const outcomes: unknown[] = [];
    for (const address of [UNKNOWN, await emailOf(await stage.person())]) {
      const sender = await stage.person();
      const { code, id } = await stage.mailed(sender, to(address, 100_000_001n as Atoms));
      outcomes.push(await stage.confirm(code), await stage.stateOf(id));
    }
    const refused = new Refused('balance_too_small');
    assert.deepEqual(outcomes, [refused, 'unconfirmed', refused, 'unconfirmed']);
    assert.deepEqual(await stage.commandsWaiting(), []);
  });

  test('abuse 6: a transfer that needs a review is rejected the same way, twice', async () => {
    const refusals: unknown[] = [];
    for (const address of [UNKNOWN, await emailOf(await stage.person())]) {
      const sender = await stage.person();
      const { code, id } = await stage.mailed(sender, to(address));
      await describePolicySettings(stage.pool, { oneReviewFrom: '1' });
      const [again, before] = [await stage.confirm(code), await stage.request(sender, to(address))];
      for (const refused of [again, before]) {
        refusals.push(refused instanceof Refused && refused.key);
      }
      assert.equal(await stage.stateOf(id), 'unconfirmed');
      await describePolicySettings(stage.pool, { oneReviewFrom: '10000' });
      assert.equal((await stage.confirm(code)).kind, 'confirmed', 'the code can be used again');
      await stage.settle();
    }
    assert.deepEqual(refusals, Array(4).fill('transfer_needs_review'));
    assert.deepEqual(await stage.commandsWaiting(), []);
  });

  test('users cannot send to their own address', async () => {
    const sender = await stage.person();
    const refused = await stage.request(sender, to(await emailOf(sender)));
    assert.deepEqual(refused, new Refused('recipient_is_own_account'));
  });

  test('a transfer counts toward the limits like a withdrawal', async () => {
    const sender = await stage.person();
    await stage.pool.query('update rialto.balances set available_atoms = $2 where owner = $1', [
      sender.user,
      2_000_000_000n,
    ]);
    const large = 600_000_000n as Atoms;
    const { code } = await stage.mailed(sender, to(UNKNOWN, large));
    assert.equal((await stage.confirm(code)).kind, 'confirmed');
    const refused = await stage.request(sender, { amountAtoms: large });
    assert.equal(refused instanceof Refused && refused.key, 'withdrawal_limit_reached');
  });

  test('unconfirmed requests expire in minutes, those without recipient in a day', async () => {
    await expireDue(Date.now() + 10 * DAY_MS);
    const [waiting, sender] = [await stage.person(), await stage.person()];
    const { id: unconfirmed } = await stage.mailed(waiting);
    const { id: sent } = await send(sender, UNKNOWN);
    const startedMs = Date.now();
    assert.deepEqual(await expireDue(startedMs + 60_000), []);
    assert.deepEqual(await expireDue(startedMs + 600_000), [unconfirmed]);
    assert.deepEqual(await expireDue(startedMs + DAY_MS - 60_000), []);
    assert.deepEqual(await expireDue(startedMs + DAY_MS + 60_000), [sent]);
    assert.equal(await stage.stateOf(unconfirmed), 'expired');
    assert.equal(await stage.stateOf(sent), 'expired');
    assert.deepEqual(await stage.commandsWaiting(), []);
  });

  test('the day of a transfer without recipient begins with its confirmation', async () => {
    const sender = await stage.person();
    const { code, id } = await stage.mailed(sender, to(UNKNOWN));
    const nowMs = Date.now() - 30_000;
    assert.equal((await stage.confirm(code, { nowMs })).kind, 'confirmed');
    assert.equal((await expireDue(nowMs + DAY_MS - 1)).includes(id), false);
    assert.equal((await expireDue(nowMs + DAY_MS)).includes(id), true);
  });

  test('a request confirmed while the job reads it does not expire', async () => {
    const sender = await stage.person();
    const { code, id } = await stage.mailed(sender, to(UNKNOWN));
    const nowMs = Date.now() + 600_000;
    assert.deepEqual(await listWithdrawalsToExpire(stage.pool, { nowMs, limit: 100 }), [id]);
    assert.equal((await stage.confirm(code)).kind, 'confirmed');
    const isExpired = await withConnection(stage.pool, (connection) =>
      expireWithdrawal(connection, { id, nowMs }),
    );
    assert.equal(isExpired, false);
    assert.equal(await stage.stateOf(id), 'awaiting_recipient');
  });
});

async function withState(receiver: PersonForTest, sets: string): Promise<string> {
  await stage.pool.query(`update users set ${sets} where id = $1`, [receiver.user]);
  return emailOf(receiver);
}
