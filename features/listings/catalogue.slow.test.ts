// Tests the catalog on a real PostgreSQL: a change is visible soon, and the last snapshot stays in
// use while the server is down.

import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { type Connection, migrate, openPool } from '../../infra/postgres/index.ts';
import { type Clock, createLogger, systemClock } from '../../infra/process/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../testing/projections/postgres-for-test.ts';
import { until } from '../../tools/services/wait-until.ts';
import { describeTier, setTransactionLimit } from '../accounts/index.ts';
import { Catalogue } from './catalogue.ts';
import { describeCoin, describePair, describeQuickTrade } from './coins.ts';
import { describeKit } from './kit.ts';

// Generous: a loaded machine responds late, and speed is not tested here.
const PATIENCE_MS = 30_000;
const POLL_MS = 50;

let postgres: PostgresForTest;
let stop: () => Promise<void> = async () => {};

async function schemas(name: string): Promise<{ projected: Connection; registry: Connection }> {
  const projected = await postgres.schema(`${name}_projected`);
  const registry = await postgres.session(`${name}_registry`);
  await migrate(registry, `${name}_registry`, readRegistryMigrations());
  return { projected, registry };
}

function open(context: TestContext, name: string, pollMs = POLL_MS) {
  const lines: string[] = [];
  const to = { write: (line: string) => lines.push(JSON.parse(line).msg) };
  const log = createLogger({ service: 'test', instance: 'test', level: 'info', to });
  const [projections, registry] = ['projected', 'registry'].map((kind) =>
    openPool({ ...postgres.connection(`${name}_${kind}`), connectionsMax: 2 }),
  );
  const polls = { count: 0 };
  // A timer is set after each poll.
  const clock: Clock = {
    ...systemClock,
    after(delayMs, task) {
      polls.count += 1;
      return systemClock.after(delayMs, task);
    },
  };
  const catalogue = new Catalogue({
    projections,
    registry,
    clock,
    log,
    pollMs,
  });
  context.after(async () => {
    catalogue.close();
    await Promise.all([projections.end(), registry.end()]);
  });
  return { catalogue, lines, polls };
}

const LIST_ASSET = `insert into assets (id, symbol, scale, issuance_cap_atoms, listed_at)
  values ($1, $2, $3, 0, '2024-02-29T23:59:59.999Z')`;
const LIST_MARKET = `insert into markets (id, name, base_id, quote_id, lot_atoms, tick_mantissa,
    tick_scale, tick_lot_atoms, min_price_ticks, max_price_ticks, min_size_lots, max_size_lots,
    reference_ticks, status, listed_at, updated_at)
  values (1, 'btc-usdt', 1, 2, 10000, 5, 1, 50, 1, 9007199254740991, 1, 1000, 7, 'full',
    now(), now())`;

async function listBtcUsdt(projected: Connection): Promise<void> {
  await projected.query(LIST_ASSET, [1, 'btc', 8]);
  await projected.query(LIST_ASSET, [2, 'usdt', 6]);
  await projected.query(LIST_MARKET);
}

describe('catalog', () => {
  before(async () => {
    postgres = await startPostgresForTest({
      after: (end) => {
        stop = end;
      },
    });
  });
  after(() => stop());

  test('a listing by command appears soon, with every number intact', async (context) => {
    const { projected } = await schemas('alone');
    const { catalogue } = open(context, 'alone');
    assert.throws(() => catalogue.now, /before its first load/);
    await catalogue.start();
    assert.equal(catalogue.now.marketsBySymbol.size, 0);
    assert.deepEqual([...catalogue.now.tiers.keys()], [1, 2]);
    await listBtcUsdt(projected);
    await until('the market is there', () => catalogue.now.pairs.has('btc-usdt'));
    const market = catalogue.now.marketsById.get(1);
    assert.equal(market?.maxPriceTicks, Number.MAX_SAFE_INTEGER);
    assert.equal(market?.base.listedAtMs, Date.parse('2024-02-29T23:59:59.999Z'));
    assert.equal(catalogue.now.coins.get('btc')?.fullname, 'BTC');
  });

  test('an announced change is read immediately, even during a poll', async (context) => {
    const { projected, registry } = await schemas('at_once');
    await listBtcUsdt(projected);
    const { catalogue } = open(context, 'at_once', 10 * PATIENCE_MS);
    await catalogue.start();
    for (const allowDeposit of [true, false]) {
      // The first call starts a poll, the second one comes during it.
      catalogue.readNow();
      await describeCoin(registry, { symbol: 'btc', fullname: 'Bitcoin', allowDeposit });
      catalogue.readNow();
      const isOn = () => catalogue.now.coins.get('btc')?.allowDeposit === allowDeposit;
      await until(`deposits are ${allowDeposit}`, isOn);
    }
  });

  test('a description is read back, and an update changes only its fields', async (context) => {
    const { projected, registry } = await schemas('described');
    await listBtcUsdt(projected);
    const fee = { symbol: 'btc', active: true, type: 'static', min: null, max: '0.1' };
    await describeCoin(registry, {
      symbol: 'btc',
      fullname: 'Bitcoin',
      allowWithdrawal: true,
      withdrawalFee: '0.00010',
      withdrawalFees: { btc: { ...fee, value: '0.0000001' } },
      min: '0.001',
      network: 'btc',
      meta: { color: 'gold' },
      createdBy: 7,
    });
    await describeCoin(registry, { symbol: 'btc', fullname: 'Bitcoin', allowDeposit: true });
    await describePair(registry, { symbol: 'btc-usdt', estimatedPrice: '60000.5' });
    await describeQuickTrade(registry, { symbol: 'btc-usdt', active: false });
    await describeTier(registry, { tier: 1, name: 'first', note: 'n' });
    await describeTier(registry, { tier: 1, name: 'first', icon: 'i' });
    const limit = {
      tier: 1,
      type: 'withdrawal',
      currency: 'usdt',
      limitCurrency: 'default',
    } as const;
    await setTransactionLimit(registry, { ...limit, amount: '5', monthlyAmount: '9' });
    await setTransactionLimit(registry, { ...limit, amount: '10.50', monthlyAmount: '100' });
    await describeKit(registry, { title: 'Ours', links: { api: 'a' } });
    await describeKit(registry, { description: 'An exchange' });
    const { catalogue } = open(context, 'described');
    await catalogue.start();
    const { coins, kit, limits, pairs, quickTrades, tiers } = catalogue.now;
    const coin = coins.get('btc');
    assert.deepEqual([coin?.allowDeposit, coin?.allowWithdrawal, coin?.createdBy], [true, true, 7]);
    assert.deepEqual(
      [coin?.withdrawalFee, coin?.min, coin?.meta.color],
      ['0.0001', '0.001', 'gold'],
    );
    assert.deepEqual(coin?.withdrawalFees?.get('btc'), { ...fee, value: '0.0000001' });
    assert.equal(pairs.get('btc-usdt')?.estimatedPrice, '60000.5');
    assert.equal(quickTrades.get('btc-usdt')?.active, false);
    assert.deepEqual(
      [tiers.get(1)?.name, tiers.get(1)?.note, tiers.get(1)?.icon],
      ['first', 'n', 'i'],
    );
    const [{ id, ...kept }, ...others] = limits;
    assert.deepEqual(kept, { ...limit, amount: '10.5', monthlyAmount: '100' });
    assert.deepEqual([id > 0, others], [true, []]);
    assert.deepEqual(
      [kit.title, kit.description, kit.links],
      ['Ours', 'An exchange', { api: 'a' }],
    );
  });

  test('JSON decimals that an operator wrote as numbers keep every digit', async (context) => {
    const { projected, registry } = await schemas('digits');
    await listBtcUsdt(projected);
    await registry.query(`insert into coins (symbol, fullname, withdrawal_fees) values
      ('btc', 'Bitcoin', '{"btc": {"value": 12345678901234.12345678}, "ln": 5}')`);
    const { catalogue } = open(context, 'digits');
    await catalogue.start();
    const fees = catalogue.now.coins.get('btc')?.withdrawalFees;
    assert.equal(fees?.get('btc')?.value, '12345678901234.12345678');
    assert.equal(fees?.get('ln')?.active, false);
  });

  test('the tables reject invalid descriptions', async () => {
    const { registry } = await schemas('refused');
    const fee = { symbol: 'btc', active: true, type: 'static', min: null, max: null };
    const coin = { symbol: 'btc', fullname: 'Bitcoin' };
    const withFee = { ...coin, withdrawalFees: { btc: { ...fee, value: '1e-8' } } };
    await assert.rejects(describeCoin(registry, withFee), /expected decimal strings/);
    await assert.rejects(describeCoin(registry, { ...coin, withdrawalFee: '-1' }), /check/);
    await assert.rejects(describeCoin(registry, { ...coin, withdrawalFee: 'NaN' }), /check/);
    await assert.rejects(describeCoin(registry, { ...coin, symbol: 'BTC' }), /check/);
    const limit = {
      tier: 1,
      type: 'withdrawal',
      currency: 'usdt',
      limitCurrency: 'default',
    } as const;
    for (const [amount, monthlyAmount] of [
      ['0', '5'],
      ['6', '5'],
      ['-2', '5'],
      ['1', '-2'],
      ['NaN', '0'],
    ]) {
      const wrong = setTransactionLimit(registry, { ...limit, amount, monthlyAmount });
      await assert.rejects(wrong, /check/, `${amount} ${monthlyAmount}`);
    }
    for (const [amount, monthlyAmount] of [
      ['0', '0'],
      ['-1', '-1'],
      ['5', '0'],
      ['5', '5'],
    ]) {
      await setTransactionLimit(registry, { ...limit, amount, monthlyAmount });
    }
  });

  test('the snapshot stays the same object until something changes', async (context) => {
    const { projected, registry } = await schemas('changes');
    await listBtcUsdt(projected);
    const { catalogue, polls } = open(context, 'changes');
    await catalogue.start();
    const changes: [string, Connection, string][] = [
      ['a status', projected, "update markets set status = 'paused'"],
      ['a cap', projected, 'update assets set issuance_cap_atoms = 5 where id = 1'],
      ['fees', projected, 'insert into market_fees values (1, 1, 10, 20, now())'],
      ['other fees', projected, 'update market_fees set maker_ppm = 30'],
      ['a coin', registry, "insert into coins (symbol, fullname) values ('btc', 'Bitcoin')"],
      ['no coin', registry, 'delete from coins'],
      ['a kit', registry, `insert into kit (content) values ('{"title": "x"}')`],
      ['another kit', registry, `update kit set content = '{"title": "y"}'`],
    ];
    for (const [what, session, statement] of changes) {
      const before = catalogue.now;
      await session.query(statement);
      await until(`${what} is seen`, () => catalogue.now !== before);
    }
    const { kit, marketsById, tiers } = catalogue.now;
    assert.equal(marketsById.get(1)?.status, 'paused');
    assert.equal(marketsById.get(1)?.base.issuanceCapAtoms, 5n);
    assert.equal(tiers.get(1)?.fees.get('btc-usdt')?.makerPpm, 30);
    assert.equal(kit.title, 'y');
    const settled = catalogue.now;
    const enough = polls.count + 5;
    await until('the catalog polled again', () => polls.count > enough);
    assert.equal(catalogue.now, settled);
  });

  test('a missing schema rejects instead of blocking', async (context) => {
    const { catalogue } = open(context, 'missing');
    await assert.rejects(catalogue.start(), /relation "assets" does not exist/);
  });

  test('the last snapshot is used while the server is down', async (context) => {
    const { projected } = await schemas('away');
    await listBtcUsdt(projected);
    const { catalogue, lines } = open(context, 'away');
    await catalogue.start();
    const known = catalogue.now;
    await postgres.server.kill('SIGKILL');
    await until('it notices', () => !catalogue.isCurrent);
    assert.equal(catalogue.now, known);
    const late = open(context, 'away');
    const started = late.catalogue.start();
    await until('the other notices', () => late.lines.length > 0);
    await postgres.server.start();
    await started;
    await until('it notices that too', () => catalogue.isCurrent);
    assert.equal(catalogue.now, known);
    const connection = await postgres.session('away_projected');
    await connection.query(LIST_ASSET, [3, 'eth', 18]);
    await until('the new asset is there', () => catalogue.now.assetsBySymbol.has('eth'));
    assert.deepEqual(lines, ['catalog read failed', 'catalog reads resumed']);
  });
});
