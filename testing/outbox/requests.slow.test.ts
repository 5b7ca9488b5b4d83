// Requests in a real registry, without an engine: decisions and rejections within one transaction,
// races, and that a row settles once.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Atoms, UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import {
  claimIn,
  completeIn,
  endIn,
  releaseIn,
} from '../../features/payments/admin/withdrawal-review.ts';
import {
  cancelDepositIn,
  completeDepositIn,
  requestTransfer,
} from '../../features/payments/deposits/requests.ts';
import { cancelUnclaimedWithdrawal, requestDeposit } from '../../features/payments/index.ts';
import {
  type PolicyInput,
  withdrawalPolicy,
} from '../../features/payments/policy/withdrawal-policy.ts';
import {
  markRequest,
  type RequestFilter,
  type RequestRow,
  type RequestType,
  requestList,
  requestOf,
} from '../../features/payments/request-lists.ts';
import {
  addBurnRequest,
  openWithdrawalIn,
  type WithdrawalRequest,
} from '../../features/payments/withdrawals/requests.ts';
import { migrate, type OwnConnection, openPool, type Pool } from '../../infra/postgres/index.ts';
import { destinationHash } from '../../infra/signer-link/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import {
  enqueue,
  markSent,
  type OutboxRow,
  readWaiting,
  SettledTwice,
} from '../../platform/outbox/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type PostgresForTest, startPostgresForTest } from '../projections/postgres-for-test.ts';
import {
  BTC,
  CLAIM,
  describeCoins,
  PROVEN_DESTINATION,
  USDT,
  withSession,
} from './exchange-for-test.ts';
import { inOwnTransaction } from './own-transaction.ts';
import { settleRows } from './settle-rows.ts';

const claimWithdrawal = inOwnTransaction(claimIn);
const releaseWithdrawal = inOwnTransaction(releaseIn);
const completeWithdrawal = inOwnTransaction(completeIn);
const endWithdrawal = inOwnTransaction(endIn);
const requestBurn = inOwnTransaction(addBurnRequest);
const cancelDepositRequest = inOwnTransaction(cancelDepositIn);
const completeDepositRequest = inOwnTransaction(completeDepositIn);
const openWithdrawalRequest = inOwnTransaction(openWithdrawalIn);

const COINS = { btc: '1', usdt: '1', eth: '2', xrp: '0.5', ltc: '1' };

let postgres: PostgresForTest;
let pool: Pool;
let connection: OwnConnection;
let user: UserId;
let users = 0;
let stop: () => Promise<void> = async () => {};

async function newUser(): Promise<UserId> {
  const made = await createUser(connection, { email: `user${++users}@example.com` });
  assert.ok(typeof made === 'object');
  return made.id;
}

function withdrawal(change: Partial<WithdrawalRequest> = {}): WithdrawalRequest {
  const amounts = { amountAtoms: 100n as Atoms, feeAtoms: 1n as Atoms };
  return { user, asset: BTC, feeAsset: BTC, ...amounts, ...PROVEN_DESTINATION, ...change };
}

async function limit(currency: string, amount: number, monthly: number): Promise<void> {
  await connection.query(
    `insert into transaction_limits (tier, type, currency, limit_currency, amount, monthly_amount)
     values (1, 'withdrawal', $4, $1, $2, $3)`,
    [currency, amount, monthly, currency === 'default' ? 'usdt' : currency],
  );
}

function complete(id: number, transactionId: string) {
  return completeWithdrawal(connection, { id }, { ...CLAIM, transactionId });
}

function end(id: number, as: 'dismissed' | 'rejected') {
  return endWithdrawal(connection, { id }, { as, payer: CLAIM.payer });
}

/** Settles every pending row with this outcome. */
async function settleAll(refusal: 'none' | 'available_balance_too_small'): Promise<OutboxRow[]> {
  const rows = await readWaiting(connection, 1_000);
  const state = refusal === 'none' ? 'accepted' : 'refused';
  await settleRows(
    connection,
    rows.map((row) => {
      const { channel, sequence } = row;
      const outcome = { channel, sequence, state, refusal, frame: 9, command: 77 } as const;
      return { row, outcome };
    }),
  );
  return rows;
}

async function stateOf(id: number): Promise<string> {
  const text = `select concat_ws(' ', state, refusal) as text
    from withdrawal_requests where id = $1`;
  return (await connection.query(text, [id])).rows[0].text;
}

/** Returns the rows of a page. The count must equal the number of unlimited rows. */
async function listed(type: RequestType, filter: RequestFilter, limit = 10): Promise<RequestRow[]> {
  const { count, defaultSort, rows, values } = requestList(type, filter, 'rialto');
  const order = `order by ${defaultSort.map((column) => `${column} desc`).join(', ')}`;
  const all = await connection.query(rows(order), [...values, null, 0]);
  const counted = await connection.query(count, [...values, 100_000]);
  assert.equal(Number(counted.rows[0].count), all.rows.length);
  const page = await connection.query(rows(order), [...values, limit, 0]);
  return page.rows.map((row) => requestOf(type, row));
}

async function opened(change: Partial<WithdrawalRequest> = {}): Promise<number> {
  const opening = await openWithdrawalRequest(connection, withdrawal(change));
  assert.ok(opening.kind === 'requested', JSON.stringify(opening));
  await settleAll('none');
  return opening.id;
}

describe('requests', () => {
  before(async () => {
    postgres = await startPostgresForTest({
      after: (end) => {
        stop = end;
      },
    });
    connection = await postgres.session('registry');
    await migrate(connection, 'registry', readRegistryMigrations());
    await postgres.schema('rialto');
    pool = openPool({ ...postgres.connection('registry'), connectionsMax: 20 });
    await describeCoins(connection, COINS);
    await limit('btc', 0, 0);
    user = await newUser();
  });
  after(async () => {
    await pool.end();
    await stop();
  });

  test('positions have no gaps, even if transactions fail', async () => {
    await withSession(pool, async (other) => {
      await other.query('begin');
      await enqueue(other, { kind: 'CancelWithdrawal', withdrawal: 1 }, { channel: 99 });
      await other.query('rollback');
    });
    const appends = Array.from({ length: 50 }, (_, index) =>
      withSession(pool, async (other) => {
        await other.query('begin');
        const command = { kind: 'CancelWithdrawal', withdrawal: index } as const;
        const position = await enqueue(other, command, { channel: 99 });
        await other.query(index % 5 === 0 ? 'rollback' : 'commit');
        return index % 5 === 0 ? 0 : position.sequence;
      }),
    );
    const given = (await Promise.all(appends)).filter((sequence) => sequence > 0);
    const expected = Array.from({ length: 40 }, (_, index) => index + 1);
    assert.deepEqual(
      given.toSorted((one, two) => one - two),
      expected,
    );
    await settleAll('none');
  });

  test('a command that cannot be encoded is not appended', async () => {
    const reference = 'x'.repeat(2_000);
    const command = { kind: 'CompleteWithdrawal', withdrawal: 1, reference } as const;
    await assert.rejects(enqueue(connection, command, { channel: 98 }), /CodecFault|bytes|long/i);
    const { rows } = await connection.query('select 1 from outbox where channel = 98');
    assert.deepEqual(rows, []);
  });

  test('amounts are unchanged by the outbox', async () => {
    const amountAtoms = (2n ** 62n - 1n) as Atoms;
    const opening = await openWithdrawalRequest(connection, withdrawal({ amountAtoms }));
    assert.ok(opening.kind === 'requested');
    const [row] = await readWaiting(connection, 10);
    assert.deepEqual(row.command, {
      kind: 'OpenWithdrawal',
      withdrawal: opening.id,
      user,
      asset: 1,
      amountAtoms,
      feeAsset: 1,
      feeAtoms: 1n,
      destination: destinationHash(
        opening.id,
        PROVEN_DESTINATION.network,
        PROVEN_DESTINATION.address,
      ),
    });
    await markSent(connection, [row], 5);
    await markSent(connection, [row], 8);
    assert.equal((await readWaiting(connection, 10))[0].sentAfterFrame, 5, 'the first mark stays');
    await settleAll('available_balance_too_small');
    assert.equal(await stateOf(opening.id), 'refused available_balance_too_small');
  });

  test('a withdrawal moves from opening to completed, each step once', async () => {
    const id = await opened();
    assert.equal(await stateOf(id), 'approved');
    assert.equal((await complete(id, 'tx')).kind, 'requested');
    const again = await complete(id, 'tx');
    assert.deepEqual(again, new Refused('withdrawal_under_way'));
    await settleAll('none');
    assert.equal(await stateOf(id), 'completed');
    const late = await end(id, 'dismissed');
    assert.deepEqual(late, new Refused('withdrawal_under_way'));
  });

  test('users can cancel only their own withdrawals that no operator has claimed', async () => {
    const id = await opened();
    const stranger = await newUser();
    const no = await cancelUnclaimedWithdrawal(connection, { id }, stranger);
    assert.deepEqual(no, new Refused('withdrawal_not_found'));
    assert.equal((await claimWithdrawal(connection, { id }, CLAIM)).kind, 'requested');
    const busy = await cancelUnclaimedWithdrawal(connection, { id }, user);
    assert.deepEqual(busy, new Refused('withdrawal_under_way'));
    assert.equal((await releaseWithdrawal(connection, { id }, CLAIM.payer)).kind, 'moved');
    assert.equal((await cancelUnclaimedWithdrawal(connection, { id }, user)).kind, 'requested');
    await settleAll('none');
    assert.equal(await stateOf(id), 'canceled');
  });

  test('an operator dismisses or rejects, and the state shows which', async () => {
    for (const as of ['dismissed', 'rejected'] as const) {
      const id = await opened();
      await end(id, as);
      assert.equal(await stateOf(id), as === 'rejected' ? 'rejecting' : 'dismissing');
      await settleAll('none');
      assert.equal(await stateOf(id), as);
    }
  });

  test('a release that the engine rejects needs a review and can be repeated', async () => {
    const id = await opened();
    await end(id, 'rejected');
    await settleAll('available_balance_too_small');
    assert.equal(await stateOf(id), 'in_review available_balance_too_small');
    const paid = await complete(id, 'tx');
    assert.deepEqual(paid, new Refused('withdrawal_under_way'));
    await end(id, 'rejected');
    await settleAll('none');
    assert.equal(await stateOf(id), 'rejected');
  });

  test('a withdrawal whose completion the engine rejects can no longer be canceled', async () => {
    const id = await opened();
    await complete(id, 'tx');
    await settleAll('available_balance_too_small');
    assert.equal(await stateOf(id), 'claimed available_balance_too_small');
    const no = await cancelUnclaimedWithdrawal(connection, { id }, user);
    assert.deepEqual(no, new Refused('withdrawal_under_way'));
    assert.equal((await complete(id, 'tx')).kind, 'requested');
    await settleAll('none');
    assert.equal(await stateOf(id), 'completed');
  });

  test('an outcome of a command that the state does not expect changes nothing', async () => {
    const id = await opened();
    const command = { kind: 'CompleteWithdrawal', withdrawal: id, reference: 'tx' } as const;
    const { channel, sequence } = await enqueue(connection, command, {
      channel: 97,
      withdrawalRequest: id,
    });
    await assert.rejects(settleAll('none'), SettledTwice);
    assert.equal(await stateOf(id), 'approved');
    await connection.query('delete from outbox where channel = $1 and sequence = $2', [
      channel,
      sequence,
    ]);
  });

  test('notes are stored as written until the request is finished', async () => {
    const id = await opened();
    const name = { id, type: 'withdrawal' } as const;
    await markRequest(connection, name, { description: 'called' });
    const transactionId = `noted ${id}`;
    await markRequest(connection, name, { transactionId });
    const note = { description: 'too late' };
    await end(id, 'dismissed');
    assert.deepEqual(
      await markRequest(connection, name, note),
      new Refused('withdrawal_under_way'),
    );
    await settleAll('none');
    assert.deepEqual(
      await markRequest(connection, name, note),
      new Refused('withdrawal_under_way'),
    );
    const [row] = await listed('withdrawal', { transactionId });
    assert.equal(row.description, 'called');
  });

  test('the flags of a deposit are kept until it is finished', async () => {
    const marks = async (id: number) => {
      const text = 'select processing, waiting from deposit_requests where id = $1';
      return Object.values((await connection.query(text, [id])).rows[0]);
    };
    for (const end of ['credit', 'dismiss'] as const) {
      const of = { user, asset: BTC, amountAtoms: 5n as Atoms, isChainCoin: true };
      const made = await requestDeposit(connection, { ...of, isPending: true });
      assert.ok(made.kind === 'requested');
      const { id } = made;
      const set = { processing: true, waiting: true };
      assert.equal(await markRequest(connection, { id, type: 'deposit' }, set), 'marked');
      assert.deepEqual(await marks(id), [true, true]);
      if (end === 'dismiss') await cancelDepositRequest(connection, { id }, 'dismissed');
      else {
        await completeDepositRequest(connection, { id }, {});
        assert.deepEqual(await marks(id), [true, true]);
        await settleAll('none');
      }
      assert.deepEqual(await marks(id), [false, false]);
    }
  });

  test('neither limits nor holds apply to an operator', async () => {
    const blocked = await newUser();
    await connection.query(
      "update users set withdrawal_blocked_until = now() + interval '1 minute' where id = $1",
      [blocked],
    );
    const opening = await openWithdrawalRequest(
      connection,
      withdrawal({ user: blocked, asset: { ...BTC, currency: 'ltc' }, isByOperator: true }),
    );
    assert.equal(opening.kind, 'requested');
    await settleAll('none');
  });

  test('a second outcome of a row throws and changes nothing', async () => {
    await openWithdrawalRequest(connection, withdrawal());
    const [row] = await settleAll('none');
    const { channel, sequence } = row;
    const refused = { state: 'refused', refusal: 'issuance_cap_exceeded' } as const;
    const outcome = { channel, sequence, ...refused, frame: 10, command: 78 };
    await assert.rejects(settleRows(connection, [{ row, outcome }]), SettledTwice);
  });

  test('a signature counts once, even with many parallel requests', async () => {
    const signatureHash = Buffer.alloc(32, 7);
    const openings = await Promise.all(
      Array.from({ length: 20 }, () =>
        withSession(pool, (other) => openWithdrawalRequest(other, withdrawal({ signatureHash }))),
      ),
    );
    const kinds = openings.map((one) => (one instanceof Refused ? one.key : one.kind));
    assert.equal(kinds.filter((kind) => kind === 'requested').length, 1);
    assert.equal(kinds.filter((kind) => kind === 'signature_replayed').length, 19);
    await settleAll('none');
  });

  test('a limit is enforced for concurrent withdrawals', async () => {
    await limit('usdt', 1, 1);
    const rich = await newUser();
    const one = { user: rich, asset: USDT, feeAsset: USDT, amountAtoms: 300_000n as Atoms };
    const open = () => withSession(pool, (other) => openWithdrawalRequest(other, withdrawal(one)));
    const openings = await Promise.all(Array.from({ length: 20 }, open));
    assert.equal(openings.filter(({ kind }) => kind === 'requested').length, 3);
    // Rejected and canceled withdrawals do not count, nor those older than a day and a month.
    await settleAll('available_balance_too_small');
    assert.equal((await open()).kind, 'requested');
    const text = `update withdrawal_requests set created_at = created_at - interval '25 hours'
      where user_id = $1`;
    await connection.query(text, [rich]);
    const larger = { ...one, amountAtoms: 800_000n as Atoms };
    const late = await openWithdrawalRequest(connection, withdrawal(larger));
    assert.equal(late instanceof Refused && late.key, 'withdrawal_month_limit_reached');
    await connection.query(text.replace('25 hours', '32 days'), [rich]);
    assert.equal((await openWithdrawalRequest(connection, withdrawal(larger))).kind, 'requested');
    await settleAll('none');
  });

  test('without a limit, during a hold or without the factor no withdrawal is opened', async () => {
    const other = { ...BTC, currency: 'eth' };
    const none = await openWithdrawalRequest(connection, withdrawal({ asset: other }));
    assert.equal(none instanceof Refused && none.key, 'withdrawal_limits_missing');
    const wrong = await openWithdrawalRequest(
      connection,
      withdrawal({ isConfirmed: async () => false }),
    );
    assert.deepEqual(wrong, new Refused('withdrawal_not_confirmed'));
    const held = await newUser();
    await connection.query(
      "update users set withdrawal_blocked_until = now() + interval '1 minute' where id = $1",
      [held],
    );
    const blocked = await openWithdrawalRequest(connection, withdrawal({ user: held }));
    assert.equal(blocked instanceof Refused && blocked.key, 'withdrawals_blocked');
    const unknown = await openWithdrawalRequest(connection, withdrawal({ user: 9_999 as UserId }));
    assert.deepEqual(unknown, new Refused('user_not_found'));
    const { rows } = await connection.query("select 1 from outbox where state = 'waiting'");
    assert.deepEqual(rows, []);
  });

  test('a default limit totals its currencies, and the decision can be reproduced', async () => {
    await limit('default', 10, 0);
    const saver = await newUser();
    const eth = { ...BTC, currency: 'eth' };
    const xrp = { ...BTC, currency: 'xrp' };
    const of = { user: saver, feeAsset: BTC };
    const four = await openWithdrawalRequest(
      connection,
      withdrawal({ ...of, asset: eth, amountAtoms: 400_000_000n as Atoms }),
    );
    assert.equal(four.kind, 'requested');
    const six = { ...of, asset: xrp, amountAtoms: 600_000_000n as Atoms };
    const more = await openWithdrawalRequest(connection, withdrawal(six));
    assert.equal(more instanceof Refused && more.key, 'withdrawal_limit_reached');
    const enough = { ...six, amountAtoms: 400_000_000n as Atoms };
    assert.equal((await openWithdrawalRequest(connection, withdrawal(enough))).kind, 'requested');
    const { rows } = await connection.query(
      'select policy_input, policy_lines from withdrawal_requests where user_id = $1 order by id',
      [saver],
    );
    const input = rows[1].policy_input as PolicyInput;
    assert.deepEqual([input.prices.eth, input.prices.xrp], ['2', '0.5']);
    const { lines, verdict } = withdrawalPolicy(input);
    assert.deepEqual(verdict, { kind: 'allow' });
    assert.deepEqual(rows[1].policy_lines, lines);
    await settleAll('none');
  });

  test('a deposit is credited once, and a pending one only when it is final', async () => {
    const of = { user, asset: BTC, amountAtoms: 5n as Atoms, isChainCoin: true };
    const named = { ...of, transactionId: 'tx 1', address: 'a', network: 'btc' };
    const deposits = await Promise.all(
      Array.from({ length: 10 }, () => withSession(pool, (other) => requestDeposit(other, named))),
    );
    assert.equal(deposits.filter(({ kind }) => kind === 'requested').length, 1);
    const [credit] = await settleAll('none');
    assert.equal(credit.command.kind, 'CreditDeposit');
    const pending = { ...of, isChainCoin: false, isPending: true };
    const first = await requestDeposit(connection, pending);
    const second = await requestDeposit(connection, pending);
    assert.ok(first.kind === 'requested' && second.kind === 'requested');
    assert.deepEqual(await readWaiting(connection, 10), []);
    await completeDepositRequest(connection, { id: first.id }, {});
    const canceled = await cancelDepositRequest(connection, { id: second.id }, 'rejected');
    assert.deepEqual(canceled, { kind: 'moved', id: second.id });
    const [mint] = await settleAll('none');
    assert.deepEqual([mint.command.kind, mint.depositRequest], ['MintAsset', first.id]);
    const again = await completeDepositRequest(connection, { id: first.id }, {});
    assert.deepEqual(again, new Refused('deposit_ended'));
  });

  test('lists show requests of every kind, filtered and counted', async () => {
    const [lister, friend] = [await newUser(), await newUser()];
    const of = { asset: BTC, amountAtoms: 5n as Atoms };
    const id = await opened({ user: lister });
    await complete(id, 'chain id');
    await requestBurn(connection, { user: lister, ...of });
    const transfer = { sender: lister, receiver: friend, ...of, description: 'a gift' };
    await requestTransfer(connection, transfer);
    await settleAll('none');
    await openWithdrawalRequest(connection, withdrawal({ user: lister }));
    const all = await listed('withdrawal', { user: lister });
    assert.deepEqual(
      all.map(({ isCompleted, kind, state }) => [kind, state, isCompleted]),
      [
        ['withdrawal', 'opening', false],
        ['transfer', 'completed', true],
        ['burn', 'completed', true],
        ['withdrawal', 'completed', true],
      ],
    );
    const named = await listed('withdrawal', { transactionId: 'chain id' });
    assert.deepEqual(
      named.map((row) => row.id),
      [id],
    );
    const done = await listed('withdrawal', { user: lister, status: true }, 2);
    assert.deepEqual(done, all.slice(1, 3));
    const [gift] = await listed('deposit', { user: friend });
    assert.deepEqual(
      [gift.kind, gift.address, gift.description, gift.transactionId, gift.amountAtoms],
      ['transfer', 'transfer', 'a gift', all[1].transactionId, 5n],
    );
    assert.deepEqual(await listed('withdrawal', { user: lister, to: new Date('2020-01-01') }), []);
    await settleAll('none');
  });
});
