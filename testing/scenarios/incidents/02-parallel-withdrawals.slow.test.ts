// Incidents 2 and 4, Poloniex 2014 and BitGrail 2018: parallel withdrawals each passed the check,
// and repeated steps were paid again. Here both run through registry, outbox and engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Atoms, UserId } from '../../../core/money/index.ts';
import { completeIn } from '../../../features/payments/admin/withdrawal-review.ts';
import { requestDeposit } from '../../../features/payments/index.ts';
import { openWithdrawalIn } from '../../../features/payments/withdrawals/requests.ts';
import { NatsBus } from '../../../infra/bus/index.ts';
import { createLogger, systemClock } from '../../../infra/process/index.ts';
import {
  OutboxOutcomes,
  type OutboxPosition,
  readWaiting,
  toCommand,
} from '../../../platform/outbox/index.ts';
import { startDispatcher } from '../../../services/outbox-dispatcher/app.ts';
import { dispatcherConfig } from '../../../services/outbox-dispatcher/config.ts';
import {
  BTC,
  CLAIM,
  EXCHANGE,
  type ExchangeForTest,
  PROVEN_DESTINATION,
  type Sendable,
  startExchangeForTest,
  withSession,
} from '../../outbox/exchange-for-test.ts';
import { judgeMoney } from '../../outbox/judge-money.ts';
import { inOwnTransaction } from '../../outbox/own-transaction.ts';

const completeWithdrawal = inOwnTransaction(completeIn);
const openWithdrawalRequest = inOwnTransaction(openWithdrawalIn);

const FULL_BALANCE = 100_000_000n as Atoms;
const WITHDRAWALS = 1_000;
const TIMES = 5;

/** Runs a dispatcher in this process until the work finishes or fails. */
async function withDispatcher<Result>(
  exchange: ExchangeForTest,
  work: () => Promise<Result>,
): Promise<Result> {
  const log = createLogger({ service: 'outbox-dispatcher', instance: 'test', level: 'silent' });
  const onFault = (reason: string) => assert.fail(reason);
  const config = dispatcherConfig(exchange.environment);
  const app = await startDispatcher({ config, log, onFault });
  try {
    return await work();
  } finally {
    await app.stop();
  }
}

async function fund({ session, users }: ExchangeForTest): Promise<UserId> {
  const [user] = users;
  const deposit = { user, asset: BTC, amountAtoms: FULL_BALANCE, isChainCoin: true };
  assert.equal((await requestDeposit(session, deposit)).kind, 'requested');
  return user;
}

const withdrawalOf = (user: UserId) => ({
  user,
  asset: BTC,
  amountAtoms: FULL_BALANCE,
  feeAsset: BTC,
  feeAtoms: 0n as Atoms,
  ...PROVEN_DESTINATION,
});

test('incident 2: one of a thousand full withdrawals succeeds', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const user = await fund(exchange);
  await withDispatcher(exchange, () => exchange.untilSettled());
  const outcomes = new OutboxOutcomes({
    bus: new NatsBus(exchange.nats),
    clock: systemClock,
    exchange: EXCHANGE,
    // Not the pool, because a thousand withdrawals are queued for its connections.
    statements: exchange.session,
    onFault: (fault) => assert.fail(String(fault)),
  });
  const withdraw = async () => {
    const opening = await withRetry(() =>
      withSession(exchange.pool, (session) => openWithdrawalRequest(session, withdrawalOf(user))),
    );
    assert.ok(opening.kind === 'requested');
    outcomes.wakeDispatcher();
    const outcome = await outcomes.wait(opening.position, { timeoutMs: 60_000 });
    return outcome?.refusal ?? 'unknown';
  };
  const ends = await withDispatcher(exchange, () =>
    Promise.all(Array.from({ length: WITHDRAWALS }, withdraw)),
  );
  assert.equal(ends.filter((end) => end === 'none').length, 1);
  const refused = ends.filter((end) => end === 'available_balance_too_small');
  assert.equal(refused.length, WITHDRAWALS - 1);
  outcomes.stop();
  const { events } = await exchange.replay();
  const opened = events.filter(({ kind }) => kind === 'WithdrawalOpened');
  assert.equal(opened.length, 1);
  await judgeMoney(exchange);
});

/** A pool fails when all its connections stay in use for too long; a client then retries. */
async function withRetry<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch (fault) {
      if (!(fault instanceof Error && /timeout exceeded/.test(fault.message))) throw fault;
    }
  }
}

test('incident 4: a withdrawal whose steps repeat five times is paid once', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const { session } = exchange;
  const user = await fund(exchange);
  // Channels are independent, so the deposit must be credited before the withdrawal opens.
  await sendWaiting(exchange);
  await settleWithFreshDispatchers(exchange);
  const signatureHash = Buffer.alloc(32, 1);
  const asked = await times(() =>
    openWithdrawalRequest(session, { ...withdrawalOf(user), signatureHash }),
  );
  assert.equal(asked.filter(({ kind }) => kind === 'requested').length, 1);
  await sendWaiting(exchange);
  await settleWithFreshDispatchers(exchange);
  const [opening] = asked;
  assert.ok(opening.kind === 'requested');
  const { id } = opening;
  const complete = (transactionId: string) => () =>
    completeWithdrawal(session, { id }, { ...CLAIM, transactionId });
  const paid = await times(complete('chain transaction'));
  assert.equal(paid.filter(({ kind }) => kind === 'requested').length, 1);
  await sendWaiting(exchange);
  await settleWithFreshDispatchers(exchange);
  const late = await times(complete('another'));
  assert.ok(late.every(({ kind }) => kind === 'refused'));
  const { rows } = await session.query('select state, transaction_id from withdrawal_requests');
  assert.deepEqual(rows, [{ state: 'completed', transaction_id: 'chain transaction' }]);
  const { events } = await exchange.replay();
  const kinds = events.map(({ kind }) => kind).filter((kind) => kind.startsWith('Withdrawal'));
  assert.deepEqual(kinds, ['WithdrawalOpened', 'WithdrawalCompleted']);
  const { copies, positions } = await judgeMoney(exchange);
  assert.equal(positions, 3);
  assert.ok(copies >= 3 * (TIMES - 1), `only ${copies} repeats`);
});

async function times<Result>(step: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let count = 0; count < TIMES; count++) results.push(await step());
  return results;
}

/** Like five dispatchers, each killed after it sent and before it stored the outcome. */
async function sendWaiting(exchange: ExchangeForTest): Promise<void> {
  const { session } = exchange;
  await session.query("update outbox set sent_after_frame = 0 where state = 'waiting'");
  const rows = await readWaiting(session, 100);
  await times(async () => {
    for (const row of rows) await exchange.ask(toCommand(row, NO_ID) as Sendable);
  });
}

const NO_ID = { source: 0, number: 0 };

async function settleWithFreshDispatchers(exchange: ExchangeForTest): Promise<void> {
  await times(() => withDispatcher(exchange, () => exchange.untilSettled()));
}

test('incident 22: every credit has exactly one request', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const { pool, session, users } = exchange;
  const of = { user: users[0], asset: BTC, amountAtoms: 7n as Atoms, isChainCoin: true };
  const positions: OutboxPosition[] = [];
  for (let deposit = 1; deposit <= 20; deposit++) {
    const named = { ...of, transactionId: `transaction ${deposit}`, address: 'a', network: 'btc' };
    const told = await Promise.all(
      Array.from({ length: TIMES }, () => withSession(pool, (one) => requestDeposit(one, named))),
    );
    for (const one of told)
      if (one.kind === 'requested' && one.position) positions.push(one.position);
  }
  assert.equal(positions.length, 20);
  await withDispatcher(exchange, () => exchange.untilSettled());
  const { events } = await exchange.replay();
  const credits = events.flatMap((event) => (event.kind === 'DepositCredited' ? [event] : []));
  const { rows } = await session.query(
    'select transaction_id, command from deposit_requests order by command',
  );
  assert.deepEqual(
    credits.map(({ command, reference }) => [reference, command]),
    rows.map((row) => [row.transaction_id, Number(row.command)]),
  );
  await judgeMoney(exchange);
});
