// A registry that was restored to an earlier state: the dispatcher notices it before sending
// anything, and the tables refuse new rows until it is reconciled. See
// docs/decisions/0034-registry-and-log.md.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Atoms } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { requestDeposit } from '../../features/payments/index.ts';
import { createLogger } from '../../infra/process/index.ts';
import { claimStatement, enqueue, OUTBOX_CHANNELS } from '../../platform/outbox/index.ts';
import {
  BTC,
  type ExchangeForTest,
  startExchangeForTest,
} from '../../testing/outbox/exchange-for-test.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { type DispatcherApp, startDispatcher } from './app.ts';
import { dispatcherConfig } from './config.ts';

const log = createLogger({ service: 'outbox-dispatcher', instance: 'test', level: 'silent' });
const TIMEOUT_MS = 30_000;

function start(exchange: ExchangeForTest): Promise<DispatcherApp> {
  const onFault = (reason: string) => assert.fail(reason);
  return startDispatcher({ config: dispatcherConfig(exchange.environment), log, onFault });
}

async function deposit({ session, users }: ExchangeForTest, amount: number): Promise<void> {
  const of = { user: users[0], asset: BTC, amountAtoms: BigInt(amount) as Atoms };
  const requested = await requestDeposit(session, { ...of, isChainCoin: true });
  assert.equal(requested.kind, 'requested');
}

async function newUser({ session }: ExchangeForTest): Promise<void> {
  assert.equal(typeof (await createUser(session, { email: 'new@example.com' })), 'object');
}

async function termOf({ session }: ExchangeForTest) {
  const { rows } = await session.query(
    `select state, reason, term::int as term from registry_term
     where state <> 'confirmed' or server_started = pg_postmaster_start_time()`,
  );
  return rows[0] ?? { state: 'none', term: 0 };
}

function untilState(exchange: ExchangeForTest, state: string): Promise<void> {
  return waitUntil({
    what: `the registry is ${state}`,
    timeoutMs: TIMEOUT_MS,
    question: async () => (await termOf(exchange)).state === state,
  });
}

/** Removes the rows and requests of the channel's last positions. */
async function lose({ session }: ExchangeForTest, count: number): Promise<void> {
  const channel = OUTBOX_CHANNELS.deposits;
  await session.query(`set session_replication_role = 'replica'`);
  await session.query(
    `with gone as (
       delete from outbox where channel = $1 and sequence > (
         select last_assigned - $2 from channels where channel = $1) returning deposit_request
     ) delete from deposit_requests where id in (select deposit_request from gone)`,
    [channel, count],
  );
  await session.query(
    'delete from transfer_changes where deposit_request not in (select id from deposit_requests)',
  );
  await session.query('update channels set last_assigned = last_assigned - $2 where channel = $1', [
    channel,
    count,
  ]);
  await session.query(`set session_replication_role = 'origin'`);
}

/** Simulates a restart, after which the tables count for another server. */
async function restart({ session }: ExchangeForTest): Promise<void> {
  await session.query(`update registry_term set server_started = '2020-01-01'`);
}

async function credited({ replay, users }: ExchangeForTest): Promise<number> {
  const { events } = await replay();
  const all = events.filter((event) => event.kind === 'DepositCredited' && event.user === users[0]);
  return all.length;
}

test('a new registry is bound to its log by a claim on each channel', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const app = await start(exchange);
  await untilState(exchange, 'confirmed');
  const { rows } = await exchange.session.query(
    `select channel::int as channel, state, refusal from outbox order by channel`,
  );
  assert.deepEqual(
    rows.map(({ channel, state }) => `${channel} ${state}`),
    ['11 refused', '12 refused', '13 refused', '14 refused'],
  );
  await deposit(exchange, 5);
  await exchange.untilSettled();
  await app.stop();
});

test('after a restart no position is issued before a dispatcher agrees', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const first = await start(exchange);
  await untilState(exchange, 'confirmed');
  await first.stop();
  await restart(exchange);
  await assert.rejects(newUser(exchange), { code: 'RG001' });
  await assert.rejects(deposit(exchange, 5), { code: 'RG001' });
  const second = await start(exchange);
  await untilState(exchange, 'confirmed');
  assert.equal((await termOf(exchange)).term, 3);
  await newUser(exchange);
  await deposit(exchange, 5);
  await exchange.untilSettled();
  await second.stop();
});

test('a registry that lost deposits is blocked, and sends nothing more', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const app = await start(exchange);
  await untilState(exchange, 'confirmed');
  for (const amount of [1, 2, 3]) await deposit(exchange, amount);
  await exchange.untilSettled();
  await app.stop();
  await lose(exchange, 2);
  // They were pending when the registry was restored.
  for (const amount of [7, 8, 9]) await deposit(exchange, amount);
  await restart(exchange);
  const before = await credited(exchange);
  const again = await start(exchange);
  await untilState(exchange, 'blocked');
  assert.equal(await credited(exchange), before, 'none of the three was completed');
  assert.match((await termOf(exchange)).reason, /^position_is_(foreign|missing): channel 12/);
  await assert.rejects(newUser(exchange), { code: 'RG001' });
  const ready = await fetch(`http://127.0.0.1:${again.healthPort}/ready`);
  assert.equal(ready.status, 503);
  assert.match(await ready.text(), /blocked: position_is/);
  await again.stop();
  const third = await start(exchange);
  await waitUntil({
    what: 'the block survives the process',
    timeoutMs: TIMEOUT_MS,
    question: () => third.dispatcher.registryBlocked !== undefined,
  });
  assert.equal(await credited(exchange), before);
  await third.stop();
});

test('a promotion blocks the registry even if every position agrees', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const app = await start(exchange);
  await untilState(exchange, 'confirmed');
  await app.stop();
  await exchange.session.query(`update registry_term set timeline = '00000000'`);
  await restart(exchange);
  const promoted = await start(exchange);
  await untilState(exchange, 'blocked');
  assert.match((await termOf(exchange)).reason, /^PostgreSQL went from timeline 00000000 to /);
  await promoted.stop();
});

test('the log of another exchange blocks the registry', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const app = await start(exchange);
  await untilState(exchange, 'confirmed');
  await app.stop();
  await exchange.session.query(`update registry_term set exchange = 'another'`);
  const foreign = await start(exchange);
  await untilState(exchange, 'blocked');
  assert.equal((await termOf(exchange)).reason, 'the log is that of another exchange');
  await foreign.stop();
});

test('a claim is in the log', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const app = await start(exchange);
  await untilState(exchange, 'confirmed');
  await enqueue(exchange.session, claimStatement(42), { channel: OUTBOX_CHANNELS.registry });
  await exchange.untilSettled();
  const { commands } = await exchange.replay();
  const texts = commands.map(({ command }) => ('reference' in command ? command.reference : ''));
  assert.ok(texts.includes('claim 42'));
  await app.stop();
});
