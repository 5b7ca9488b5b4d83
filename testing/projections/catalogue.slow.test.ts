// The catalog behind a real projector: listed assets and markets appear in it, equal to the
// publisher's market data for the same events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ListedMarket, MarketData, priceText } from '../../core/market-data/index.ts';
import type { Ticks } from '../../core/money/index.ts';
import { Catalogue } from '../../features/listings/index.ts';
import { migrate, openPool } from '../../infra/postgres/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { PROJECTOR_DEFAULTS, Projector } from '../../services/projector/index.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { chosenSeed } from '../flows/index.ts';
import { memoryEvents } from './memory-events.ts';
import { startPostgresForTest } from './postgres-for-test.ts';
import { recordEvents } from './recorded-events.ts';

const TIMEOUT_MS = 30_000;

test('the catalog has the same markets as the publisher', async (context) => {
  const seed = chosenSeed();
  const { frames, messages } = recordEvents({
    flow: 'thin-pairs',
    seed,
    commands: 800,
    gaps: false,
  });
  const postgres = await startPostgresForTest(context);
  await postgres.schema('projected');
  await migrate(await postgres.session('registry'), 'registry', readRegistryMigrations());
  const [projections, registry] = ['projected', 'registry'].map((schema) =>
    openPool({ ...postgres.connection(schema), connectionsMax: 2 }),
  );
  const log = createLogger({ service: 'test', instance: 'test', level: 'silent' });
  const catalogue = new Catalogue({ projections, registry, clock: systemClock, log });
  await catalogue.start();
  assert.equal(catalogue.now.marketsById.size, 0);

  const faults: unknown[] = [];
  const projector = new Projector({
    events: memoryEvents(messages, 1).log,
    clock: systemClock,
    settings: PROJECTOR_DEFAULTS,
    connection: postgres.connection('projected'),
    watcher: {
      started: () => {},
      written: () => {},
      databaseDown: (fault) => faults.push(fault),
      databaseUp: () => {},
    },
    onFault: (_, cause) => faults.push(cause),
  });
  const data = new MarketData();
  for (const { events, timeMs } of frames) for (const event of events) data.apply(event, timeMs);
  assert.ok(data.markets.size > 1);
  await waitUntil({
    what: 'every market is in the catalog',
    timeoutMs: TIMEOUT_MS,
    question: () => catalogue.now.marketsById.size === data.markets.size,
  });
  for (const { listed } of data.markets.values()) {
    const entry = catalogue.now.marketsBySymbol.get(listed.symbol);
    assert.ok(entry);
    assert.deepEqual(partOf(entry), partOf(listed));
    assert.equal(priceText(entry, 7 as Ticks), priceText(listed, 7 as Ticks));
    assert.ok(catalogue.now.pairs.get(listed.symbol)?.isPublic);
  }
  assert.deepEqual(faults, []);
  await projector.stop();
  catalogue.close();
  await Promise.all([projections.end(), registry.end()]);
});

/** Fields that both have of a market. A catalog entry is assignable to a listed market. */
function partOf({ base, lot, market, quote, symbol, tick, tickLotAtoms }: ListedMarket) {
  const assets = [base, quote].map(({ asset, scale, symbol }) => ({ asset, scale, symbol }));
  return { assets, lot, market, symbol, tick, tickLotAtoms };
}
