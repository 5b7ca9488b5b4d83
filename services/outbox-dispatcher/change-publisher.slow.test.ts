// Deposit and withdrawal changes reach the bus: every one, in order, again if the bus did not
// confirm them, and from only one publisher.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Atoms } from '../../core/money/index.ts';
import {
  cancelUnclaimedWithdrawal,
  markChangesPublished,
  readUnpublishedChanges,
  requestDeposit,
  type TransferChange,
} from '../../features/payments/index.ts';
import { openWithdrawalIn } from '../../features/payments/withdrawals/requests.ts';
import { NatsBus } from '../../infra/bus/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { noticeSubject } from '../../platform/outbox/index.ts';
import type { DepositMessage } from '../../protocol/index.ts';
import {
  BTC,
  EXCHANGE,
  type ExchangeForTest,
  PROVEN_DESTINATION,
  REGISTRY,
  startExchangeForTest,
} from '../../testing/outbox/exchange-for-test.ts';
import { inOwnTransaction } from '../../testing/outbox/own-transaction.ts';
import { until } from '../../tools/services/wait-until.ts';
import { startDispatcher } from './app.ts';
import { ChangePublisher, type ChangeSource } from './change-publisher.ts';
import { dispatcherConfig } from './config.ts';

const openWithdrawalRequest = inOwnTransaction(openWithdrawalIn);

const log = createLogger({ service: 'outbox-dispatcher', instance: 'test', level: 'silent' });
const onFault = (reason: string) => assert.fail(reason);

async function deposit({ session, users }: ExchangeForTest, amount: number): Promise<number> {
  const of = { user: users[0], asset: BTC, amountAtoms: BigInt(amount) as Atoms };
  const requested = await requestDeposit(session, { ...of, isChainCoin: true });
  assert.ok(requested.kind === 'requested');
  return requested.id;
}

async function unpublished({ session }: ExchangeForTest): Promise<number> {
  const text = 'select count(*) from transfer_changes where published_at is null';
  return Number((await session.query(text)).rows[0].count);
}

/** Publishes with `publish` until the end of the test. */
function publisherFor(
  context: TestContext,
  exchange: ExchangeForTest,
  publish: (changes: readonly TransferChange[]) => Promise<boolean>,
) {
  let failures = 0;
  let isStopped = false;
  const source: ChangeSource<TransferChange> = {
    read: readUnpublishedChanges,
    publish,
    markPublished: markChangesPublished,
  };
  const publisher = new ChangePublisher({
    clock: systemClock,
    connection: exchange.connection(REGISTRY),
    sources: [source],
    isIntakeStopped: () => isStopped,
    watcher: { publishFailed: () => void failures++ },
    onFault,
  });
  context.after(() => publisher.stop());
  const setStopped = (to: boolean) => {
    isStopped = to;
    publisher.wake();
  };
  return { publisher, failures: () => failures, setStopped };
}

test('a withdrawal notifies its user of each state that it reaches', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const { nats, session, users } = exchange;
  const heard: DepositMessage[] = [];
  const bus = new NatsBus(nats);
  bus.subscribe(noticeSubject(EXCHANGE, users[0], '*'), (message) => {
    heard.push(JSON.parse(Buffer.from(message).toString()));
  });
  const app = await startDispatcher({
    config: dispatcherConfig(exchange.environment),
    log,
    onFault,
  });
  await deposit(exchange, 250);
  await exchange.untilSettled();
  const opened = await openWithdrawalRequest(session, {
    user: users[0],
    asset: BTC,
    feeAsset: BTC,
    amountAtoms: 200n as Atoms,
    feeAtoms: 50n as Atoms,
    ...PROVEN_DESTINATION,
  });
  assert.ok(opened.kind === 'requested');
  await exchange.untilSettled();
  await cancelUnclaimedWithdrawal(session, { id: opened.id }, users[0]);
  await exchange.untilSettled();
  await until('all changes are published', async () => (await unpublished(exchange)) === 0);
  await until('all messages have arrived', () => heard.length >= 6);
  await app.stop();
  assert.deepEqual(
    heard.map(({ data, topic }) => [topic, data.state, data.status]),
    [
      ['deposit', 'crediting', 'PENDING'],
      ['deposit', 'completed', 'COMPLETED'],
      ['withdrawal', 'opening', 'PENDING'],
      ['withdrawal', 'approved', 'PENDING'],
      ['withdrawal', 'canceling', 'PENDING'],
      ['withdrawal', 'canceled', 'DISMISSED'],
    ],
  );
  const { action, data, user_id } = heard[5];
  assert.deepEqual([action, user_id, data.id], ['insert', users[0], opened.id]);
  assert.deepEqual([data.amount, data.fee, data.fee_coin], [0.000002, 0.0000005, 'btc'] as unknown);
  assert.deepEqual([data.address, data.network], [PROVEN_DESTINATION.address, 'btc']);
});

test('changes that the bus did not confirm are published again, in order', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const requests = [await deposit(exchange, 1), await deposit(exchange, 2)];
  const heard: number[][] = [];
  const { failures } = publisherFor(context, exchange, async (changes) => {
    heard.push(changes.map(({ request }) => request));
    return heard.length > 2;
  });
  await until('all changes are published', async () => (await unpublished(exchange)) === 0);
  assert.deepEqual(heard, [requests, requests, requests]);
  assert.equal(failures(), 2);
});

test('changes are queued while intake is stopped, and then published in order', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const heard: number[] = [];
  const { setStopped } = publisherFor(context, exchange, async (changes) => {
    heard.push(...changes.map(({ request }) => request));
    return true;
  });
  const requests = [await deposit(exchange, 1)];
  await until('the first is published', () => heard.length === 1);
  setStopped(true);
  requests.push(await deposit(exchange, 2), await deposit(exchange, 3));
  // Five polls, any of which would publish them.
  await delay(1_000);
  assert.deepEqual([heard.length, await unpublished(exchange)], [1, 2]);
  setStopped(false);
  await until('the others are published', async () => (await unpublished(exchange)) === 0);
  assert.deepEqual(heard, requests);
});

test('one of two publishers publishes; the other takes over', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const heard: number[][] = [[], []];
  const [first, second] = [0, 1].map(
    (at) =>
      publisherFor(context, exchange, async (changes) => {
        heard[at].push(...changes.map(({ request }) => request));
        return true;
      }).publisher,
  );
  for (let count = 1; count <= 20; count++) {
    await deposit(exchange, count);
    first.wake();
    second.wake();
  }
  await until('all changes are published', async () => (await unpublished(exchange)) === 0);
  const [active, standby] = heard[0].length > 0 ? [0, 1] : [1, 0];
  assert.deepEqual([heard[active].length, heard[standby].length], [20, 0]);
  await [first, second][active].stop();
  await deposit(exchange, 21);
  await until('the other one publishes', () => heard[standby].length === 1);
});
