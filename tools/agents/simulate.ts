// Runs a market of agents in memory for some time, and records one pair.

import {
  type AgentMarket,
  createPopulation,
  DEMO_MARKETS,
  type Mode,
  paceOf,
} from '../../agents/index.ts';
import { auditExchange, type Exchange, hashExchange } from '../../core/engine/index.ts';
import { HOUR_MS } from '../../core/market-data/index.ts';
import type { MarketId } from '../../core/money/index.ts';
import { MarketRecord } from './market-record.ts';
import { createMemoryExchange, DEMO_MARKET_IDS } from './memory-exchange.ts';
import { VirtualMarket } from './virtual-market.ts';

export interface SimulationOptions {
  readonly seed: number;
  readonly hours: number;
  readonly mode?: Mode;
  readonly rate?: number;
  readonly symbol?: string;
}

export interface Simulation {
  readonly record: MarketRecord;
  readonly exchange: Exchange;
  readonly startMs: number;
  readonly commands: number;
  readonly stateHash: string;
}

/** A Monday. */
const START_MS = Date.UTC(2026, 10, 2);
const DEPTH_BPS = 40;
const PARITY = ['btc-eur', 'btc-usdt', 'usdt-eur'];

export function simulate(options: SimulationOptions): Simulation {
  const { hours, mode = 'normal', rate = 1, seed, symbol = 'btc-usdt' } = options;
  const startMs = START_MS;
  const memory = createMemoryExchange(startMs);
  const { accounts, exchange, users } = memory;
  const market = marketNamed(symbol);
  const id = DEMO_MARKET_IDS.get(symbol)!;
  const [direct, first, second] = PARITY.map(marketNamed);
  const trading = new VirtualMarket({
    exchange,
    users,
    markets: DEMO_MARKET_IDS,
    apply: memory.apply,
    watch: (frame) => record.onFrame(frame),
  });
  const record = new MarketRecord({
    market,
    id,
    trading,
    startMs,
    parity: [direct, first, second],
    depth: () => depthOf(exchange, id),
  });
  const times = { fromMs: startMs, startMs };
  const population = createPopulation({
    seed,
    ...times,
    mode,
    pace: paceOf(rate),
    trading,
    accounts,
  });
  trading.begin(population, startMs);
  trading.run(startMs + hours * HOUR_MS);
  auditExchange(exchange);
  return { record, exchange, startMs, commands: trading.sent, stateHash: hashExchange(exchange) };
}

function marketNamed(symbol: string): AgentMarket {
  const found = DEMO_MARKETS.find((one) => one.symbol === symbol);
  if (found === undefined) throw new Error(`no market '${symbol}'`);
  return found;
}

/** Bid lots by whole basis points below the mid. */
function depthOf({ books }: Exchange, market: MarketId): number[] {
  const [bids, asks] = books.treesOf(market);
  const depth = new Array<number>(DEPTH_BPS).fill(0);
  const best = books.levels.best(bids);
  const ask = books.levels.best(asks);
  if (best === 0 || ask === 0) return [];
  const middle = (books.levels.rank(ask) - books.levels.rank(best)) / 2;
  for (let level = best; level !== 0; level = books.levels.after(level)) {
    const away = Math.floor((1 + books.levels.rank(level) / middle) * 1e4);
    if (away >= DEPTH_BPS) break;
    for (let at = books.levels.first(level); at !== 0; at = books.orders.behind(at)) {
      depth[away] += books.orders.remainingLots(at);
    }
  }
  return depth;
}
