// Operator commands reach the engine once and in order: through lost responses, refusals, and
// dispatcher kills.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, Refusal } from '../../core/messages/index.ts';
import type {
  AssetId,
  Atoms,
  KeyId,
  Lots,
  MarketId,
  OrderNumber,
  Ppm,
  Ticks,
  TimeMs,
  UserId,
} from '../../core/money/index.ts';
import type { Outcome } from '../../infra/command-link/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { createLogger } from '../../infra/process/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { type EngineCommand, enqueue } from '../../platform/outbox/index.ts';
import { DispatcherProcess } from '../../testing/outbox/dispatcher-process.ts';
import { EXCHANGE, startExchangeForTest } from '../../testing/outbox/exchange-for-test.ts';
import { startPostgresForTest } from '../../testing/projections/postgres-for-test.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { startDispatcher } from './app.ts';
import { dispatcherConfig } from './config.ts';
import { EngineCommandSender } from './engine-command-sender.ts';

const LIST_BTC_USDT: EngineCommand = {
  kind: 'ListMarket',
  base: 1 as AssetId,
  quote: 2 as AssetId,
  lotAtoms: 10_000n as Atoms,
  tickMantissa: 1,
  tickScale: 2,
  minPriceTicks: 100 as Ticks,
  maxPriceTicks: 1_000_000_000 as Ticks,
  minSizeLots: 1 as Lots,
  maxSizeLots: 100_000 as Lots,
  referenceTicks: 1_000 as Ticks,
  status: 'pre-launch',
};

const bandOf = (market: number, ppm: number): EngineCommand => ({
  kind: 'SetPriceBand',
  market: market as MarketId,
  bandPpm: ppm as Ppm,
  slippagePpm: ppm as Ppm,
  referenceTicks: 0 as Ticks,
});

const statusOf = (status: 'full' | 'paused'): EngineCommand => ({
  kind: 'SetMarketStatus',
  auctionEndsMs: 0 as TimeMs,
  market: 1 as MarketId,
  status,
});

async function openRegistry(context: Parameters<typeof startPostgresForTest>[0]) {
  const postgres = await startPostgresForTest(context, { isEmpty: true });
  const session = await postgres.session('registry');
  await migrate(session, 'registry', readRegistryMigrations());
  await session.query('create schema rialto');
  await session.query('create table rialto.assets (id bigint, symbol text)');
  return session;
}

/** Engine responses: a refusal, or a lost response. */
function senderOf(answers: (Refusal | 'lost' | 'busy')[], sent: Command[] = []) {
  return new EngineCommandSender({
    answerMs: 1_000,
    projectionSchema: 'rialto',
    onSettled: () => {},
    onVoided: () => {},
    client: {
      nextId: () => ({ source: 1, number: sent.length + 1 }),
      send(command: Command, _timeoutMs: number, done: (outcome: Outcome) => void) {
        sent.push(command);
        const answer = answers.shift() ?? 'none';
        if (answer === 'lost') return done({ kind: 'unknown' });
        if (answer === 'busy') return done({ kind: 'not_taken', reason: 'busy' });
        const result = { refusal: answer, command: 7, order: 5, message: new Uint8Array() };
        done({
          kind: 'answered',
          result: { ...result, eventCount: 0, eventsAt: 0, eventsEnd: 0 },
          frame: { sequence: 9 },
        } as unknown as Outcome);
      },
    },
  });
}

async function outcomeOf(session: OwnConnection, id: number) {
  const text = `select state, coalesce(refusal, 'none') as refusal,
    coalesce(frame, 0)::int as frame, coalesce(command_number, 0)::int as command,
    coalesce(listed, 0)::int as listed
    from engine_commands where id = $1`;
  const { rows } = await session.query(text, [id]);
  assert.equal(rows.length, 1);
  return rows[0];
}

const order = (id: number): EngineCommand => ({
  kind: 'PlaceOrder',
  user: 1 as UserId,
  key: 0 as KeyId,
  market: 1 as MarketId,
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  selfTrade: 'cancel_newest',
  postOnly: false,
  priceTicks: 1 as Ticks,
  sizeLots: 1 as Lots,
  stopTicks: 0 as Ticks,
  clientOrderId: `op-${id}`,
  note: '',
  trigger: 'stop',
  linkedOrder: 0 as OrderNumber,
  expiresMs: 0 as TimeMs,
});
const listAsset: EngineCommand = {
  kind: 'ListAsset',
  symbol: 'eth',
  scale: 8,
  issuanceCapAtoms: 1n as Atoms,
};
const cancel = { kind: 'CancelOrder', user: 1 as UserId, order: 3, byOperator: true } as const;

for (const [title, command, answers, expected] of [
  ['a value is set again after a lost response', statusOf('full'), ['lost', 'none'], 'accepted 7'],
  ['a first refusal counts', order, ['client_order_id_already_used'], 'refused 7'],
  ['a repeated order is found', order, ['lost', 'client_order_id_already_used'], 'accepted 5'],
  ['another refusal counts', order, ['lost', 'market_is_frozen'], 'refused 7'],
  ['a coin was listed before', listAsset, ['lost', 'symbol_already_listed'], 'accepted 5'],
  ['a listed symbol is refused', listAsset, ['symbol_already_listed'], 'refused 7'],
  ['an order was canceled before', cancel, ['lost', 'order_must_exist'], 'accepted 5'],
  [
    'a busy engine gets the command again',
    statusOf('full'),
    ['busy', 'busy', 'none'],
    'accepted 7',
  ],
] as const) {
  test(title, async (context) => {
    const session = await openRegistry(context);
    await session.query(`insert into rialto.assets values (4, 'eth')`);
    const id = await enqueue(session, command as EngineCommand);
    const sender = senderOf([...answers]);
    for (const _ of answers) await sender.send(session);
    const outcome = await outcomeOf(session, id);
    assert.equal(`${outcome.state} ${outcome.command}`, expected);
    const isListed = command === listAsset && outcome.state === 'accepted';
    assert.equal(outcome.listed, isListed ? 4 : 0);
    assert.equal(await sender.hasWaiting(session), false);
  });
}

test('no command overtakes one with an unknown outcome', async (context) => {
  const session = await openRegistry(context);
  await enqueue(session, statusOf('full'));
  await enqueue(session, statusOf('paused'));
  const sent: Command[] = [];
  const sender = senderOf(['lost', 'lost'], sent);
  assert.deepEqual([await sender.send(session), await sender.send(session)], [0, 0]);
  assert.equal(await sender.send(session), 2);
  const statuses = sent.map((command) => 'status' in command && command.status);
  assert.deepEqual(statuses, ['full', 'full', 'full', 'paused']);
});

test('commands that depend on a refused listing are refused and never sent', async (context) => {
  const session = await openRegistry(context);
  const first = await enqueue(session, LIST_BTC_USDT);
  const second = await enqueue(session, bandOf(0, 1), { follows: first });
  const sent: Command[] = [];
  assert.equal(await senderOf(['asset_must_exist'], sent).send(session), 2);
  assert.equal(sent.length, 1);
  const { refusal, state } = await outcomeOf(session, second);
  assert.deepEqual([state, refusal], ['refused', 'asset_must_exist']);
});

test('a market is listed, and later commands apply to it', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const { session } = exchange;
  const listing = await enqueue(session, LIST_BTC_USDT);
  const band = await enqueue(session, bandOf(0, 100_000), { follows: listing });
  const wrong = await enqueue(session, bandOf(9, 100_000));
  const app = await startDispatcher({
    config: dispatcherConfig(exchange.environment),
    log: createLogger({ service: 'outbox-dispatcher', instance: 'test', level: 'silent' }),
    onFault: (reason) => assert.fail(reason),
  });
  await untilSettled(session);
  await app.stop();
  assert.equal((await outcomeOf(session, listing)).listed, 1);
  assert.equal((await outcomeOf(session, band)).state, 'accepted');
  assert.equal((await outcomeOf(session, wrong)).refusal, 'market_must_exist');
  const { replica } = await exchange.replay();
  assert.deepEqual(
    replica.exchange.markets.map(({ bandPpm, status }) => [bandPpm, status]),
    [[100_000, 'pre-launch']],
  );
});

test('after kill -9 every command is executed, and the last one is the state', async (context) => {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const { session } = exchange;
  const listing = await exchange.ask(LIST_BTC_USDT);
  assert.ok(listing.kind === 'answered' && listing.result.refusal === 'none');
  let coins = 0;
  for (let round = 1; round <= 4; round++) {
    const pair = [0, 1].map(() => new DispatcherProcess(exchange.environment));
    await Promise.race(pair.map(({ sends }) => sends));
    for (let step = 0; step < 40; step++) {
      await enqueue(session, bandOf(1, round * 1_000 + step));
      if (step % 20 > 0) continue;
      const symbol = `coin${coins++}`;
      // If the response is lost, the tables name the asset.
      await session.query(`insert into ${EXCHANGE}.assets values ($1, $2, 8, 1, now())`, [
        coins + 2,
        symbol,
      ]);
      await enqueue(session, { ...listAsset, symbol });
    }
    if (round === 4) await untilSettled(session);
    for (const one of pair) await one.kill(round < 4 ? 'SIGKILL' : 'SIGTERM');
    if (round === 4) assert.deepEqual(pair[0].complaints, []);
  }
  const { replica, events } = await exchange.replay();
  assert.equal(replica.exchange.markets[0].bandPpm, 4_039);
  assert.equal(events.filter(({ kind }) => kind === 'AssetListed').length, coins + 2);
  const { rows } = await session.query(
    'select state, count(*) as count from engine_commands group by state',
  );
  assert.deepEqual(rows, [{ state: 'accepted', count: `${160 + coins}` }]);
  const bands = events.flatMap((event) => (event.kind === 'PriceBandSet' ? [event.bandPpm] : []));
  assert.deepEqual(
    bands,
    [...bands].sort((a, b) => a - b),
    'in order, with repetitions',
  );
  context.diagnostic(`${bands.length - 160} repetitions`);
});

function untilSettled(session: OwnConnection): Promise<void> {
  return waitUntil({
    what: 'every command is settled',
    timeoutMs: 60_000,
    question: async () => {
      const text = "select 1 from engine_commands where state = 'waiting' limit 1";
      return (await session.query(text)).rows.length === 0;
    },
  });
}
