// A dispatcher on real servers: it publishes outcomes, a standby takes over, a blocked channel does
// not block others, and it retries when PostgreSQL or the sequencer is down.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Atoms, MarketId, TimeMs } from '../../core/money/index.ts';
import { requestDeposit } from '../../features/payments/index.ts';
import { openWithdrawalIn } from '../../features/payments/withdrawals/requests.ts';
import { NatsBus } from '../../infra/bus/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { enqueue, OUTBOX_CHANNELS, OutboxOutcomes } from '../../platform/outbox/index.ts';
import { DispatcherProcess } from '../../testing/outbox/dispatcher-process.ts';
import {
  BTC,
  EXCHANGE,
  type ExchangeForTest,
  PROVEN_DESTINATION,
  startExchangeForTest,
} from '../../testing/outbox/exchange-for-test.ts';
import { judgeMoney } from '../../testing/outbox/judge-money.ts';
import { inOwnTransaction } from '../../testing/outbox/own-transaction.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { type DispatcherApp, startDispatcher } from './app.ts';
import { dispatcherConfig } from './config.ts';

const openWithdrawalRequest = inOwnTransaction(openWithdrawalIn);

const log = createLogger({ service: 'outbox-dispatcher', instance: 'test', level: 'silent' });
const TIMEOUT = { timeoutMs: 30_000 };
const CHANNEL_BEYOND_ALL = 300;

function start(exchange: ExchangeForTest): Promise<DispatcherApp> {
  const onFault = (reason: string) => assert.fail(reason);
  return startDispatcher({ config: dispatcherConfig(exchange.environment), log, onFault });
}

function outcomesOf(exchange: ExchangeForTest): OutboxOutcomes {
  return new OutboxOutcomes({
    bus: new NatsBus(exchange.nats),
    clock: systemClock,
    exchange: EXCHANGE,
    statements: exchange.pool,
    onFault: (fault) => assert.fail(String(fault)),
  });
}

async function depositOf(exchange: ExchangeForTest, amount: number) {
  const { session, users } = exchange;
  const of = { user: users[0], asset: BTC, amountAtoms: BigInt(amount) as Atoms };
  const deposit = await requestDeposit(session, { ...of, isChainCoin: true });
  assert.ok(deposit.kind === 'requested' && deposit.position !== undefined);
  return deposit.position;
}

async function ask(app: DispatcherApp): Promise<{ status: number; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${app.healthPort}/ready`);
  return { status: answer.status, text: await answer.text() };
}

test('the outcome of a position reaches the callers that await it', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const outcomes = outcomesOf(exchange);
  const early = await depositOf(exchange, 100);
  assert.equal(await outcomes.wait(early, { timeoutMs: 50 }), undefined, 'no dispatcher runs');
  const app = await start(exchange);
  const credited = await outcomes.wait(early, TIMEOUT);
  assert.deepEqual([credited?.state, credited?.refusal], ['accepted', 'none']);
  assert.ok((credited?.frame ?? 0) > 1);
  const again = await outcomes.wait(early, TIMEOUT);
  assert.deepEqual(again, credited, 'even for a later caller');

  const startedMs = performance.now();
  const opening = await openWithdrawalRequest(exchange.session, {
    user: exchange.users[0],
    asset: BTC,
    feeAsset: BTC,
    amountAtoms: 101n as Atoms,
    feeAtoms: 0n as Atoms,
    ...PROVEN_DESTINATION,
  });
  assert.ok(opening.kind === 'requested');
  outcomes.wakeDispatcher();
  const refused = await outcomes.wait(opening.position, TIMEOUT);
  assert.equal(refused?.refusal, 'available_balance_too_small');
  context.diagnostic(`requested and received in ${Math.round(performance.now() - startedMs)} ms`);
  assert.equal((await ask(app)).status, 200);
  outcomes.stop();
  await app.stop();
  await judgeMoney(exchange);
});

test('a missing channel is blocked, and other channels continue', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  await enqueue(
    exchange.session,
    {
      kind: 'CancelWithdrawal',
      withdrawal: 1,
    },
    { channel: CHANNEL_BEYOND_ALL },
  );
  const app = await start(exchange);
  await waitUntil({
    what: 'the channel is blocked',
    ...TIMEOUT,
    question: () => app.dispatcher.blockedChannels.includes(CHANNEL_BEYOND_ALL),
  });
  const { status, text } = await ask(app);
  assert.deepEqual([status, /blocked: 300/.test(text)], [503, true]);
  const outcomes = outcomesOf(exchange);
  const position = await depositOf(exchange, 5);
  assert.equal(position.channel, OUTBOX_CHANNELS.deposits);
  outcomes.wakeDispatcher();
  assert.equal((await outcomes.wait(position, TIMEOUT))?.state, 'accepted');
  outcomes.stop();
  await app.stop();
});

test('a standby takes over when the active dispatcher is killed', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const first = new DispatcherProcess(exchange.environment);
  await first.sends;
  const standby = await start(exchange);
  await depositOf(exchange, 1);
  await exchange.untilSettled();
  assert.equal(standby.dispatcher.isActive, false);
  await loseConnectionOfStandby(exchange);
  await waitUntil({
    what: 'the reconnected standby is ready',
    ...TIMEOUT,
    question: async () => (await ask(standby)).status === 200,
  });
  await first.kill('SIGKILL');
  await depositOf(exchange, 2);
  await exchange.untilSettled();
  assert.equal(standby.dispatcher.isActive, true);
  await standby.stop();
  const { positions } = await judgeMoney(exchange);
  assert.equal(positions, 2);
});

/** Resolves when another connection from it has requested the lock. */
async function loseConnectionOfStandby({ session }: ExchangeForTest): Promise<void> {
  const waiting = `select pid from pg_stat_activity
    where query like 'select pg_try_advisory_lock%' and state = 'idle'`;
  const find = async () => (await session.query(waiting)).rows[0]?.pid;
  const lost = await find();
  await session.query('select pg_terminate_backend($1)', [lost]);
  await waitUntil({
    what: 'the standby requests the lock again',
    ...TIMEOUT,
    question: async () => ![undefined, lost].includes(await find()),
  });
}

test('a lost connection to PostgreSQL is reopened, and nothing is lost', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const app = await start(exchange);
  let lost = 0;
  for (let round = 1; round <= 5; round++) {
    for (let count = 0; count < 20; count++) await depositOf(exchange, 1);
    const { rows } = await exchange.session.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like 'outbox-dispatcher-%'`,
    );
    lost += rows.length;
  }
  assert.ok(lost >= 1, 'a connection was terminated');
  await exchange.untilSettled();
  await app.stop();
  const { positions, refused } = await judgeMoney(exchange);
  assert.deepEqual([positions, refused], [100, 0]);
});

test('rows are queued while intake is stopped, but operator commands are sent', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const outcomes = outcomesOf(exchange);
  await exchange.pool.query(
    `insert into stops (name, object, previous, stopped_at)
     values ('intake', 'outbox-dispatcher', '', now())`,
  );
  const app = await start(exchange);
  const positions = [await depositOf(exchange, 100), await depositOf(exchange, 50)];
  const status = {
    kind: 'SetMarketStatus',
    auctionEndsMs: 0 as TimeMs,
    market: 1 as MarketId,
    status: 'paused',
  } as const;
  const id = await enqueue(exchange.session, status);
  outcomes.wakeDispatcher();
  await waitUntil({
    what: 'the operator command is settled',
    timeoutMs: 30_000,
    question: async () => {
      const { rows } = await exchange.pool.query(
        'select state from engine_commands where id = $1',
        [id],
      );
      return rows[0].state !== 'waiting';
    },
  });
  assert.equal(await outcomes.wait(positions[1], { timeoutMs: 500 }), undefined);
  await exchange.pool.query("delete from stops where name = 'intake'");
  const settled = await Promise.all(positions.map((one) => outcomes.wait(one, TIMEOUT)));
  assert.deepEqual(
    settled.map((one) => one?.state),
    ['accepted', 'accepted'],
  );
  assert.ok((settled[0]?.frame ?? 0) <= (settled[1]?.frame ?? 0));
  outcomes.stop();
  await app.stop();
});
