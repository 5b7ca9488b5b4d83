// The engine's assets, markets, fees and limits: from the projected tables, with pending commands
// applied. Acting while the tables lag must not gain anything.

import {
  INITIAL_LIMITS,
  LIMIT_NAMES,
  type Limits,
  type MarketStatus,
  RULES_VERSION_MIN,
} from '../../../core/messages/index.ts';
import type { AssetId, Atoms, MarketId, Ppm, TickSize, Ticks } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import { type EngineCommand, readUnprojectedCommands } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { ActExchange } from '../../approvals/index.ts';

export interface Reader {
  readonly connection: Statements;
  readonly exchange: Pick<ActExchange, 'projectionSchema'>;
}

export interface ListedAsset {
  readonly asset: AssetId;
  readonly symbol: string;
  readonly scale: number;
  readonly issuanceCapAtoms: Atoms;
}

export interface ListedMarket {
  readonly market: MarketId;
  readonly symbol: string;
  readonly status: MarketStatus;
  readonly bandPpm: Ppm;
  readonly slippagePpm: Ppm;
  readonly tick: TickSize;
  /** 0 until it has one. */
  readonly referenceTicks: Ticks;
  /** Changes with the market. */
  readonly version: string;
}

export async function findAsset(
  { connection, exchange }: Reader,
  symbol: string,
): Promise<ListedAsset | undefined> {
  const { rows } = await connection.query(
    `select id, symbol, scale, issuance_cap_atoms from ${exchange.projectionSchema}.assets
     where symbol = $1`,
    [symbol],
  );
  if (rows.length === 0) return undefined;
  const [{ id, issuance_cap_atoms, scale }] = rows;
  const asset = Number(id) as AssetId;
  const caps = await underWay({ connection, exchange }, ['SetIssuanceCap']);
  const next = caps.findLast((command) => command.asset === asset);
  const issuanceCapAtoms = next?.issuanceCapAtoms ?? (BigInt(issuance_cap_atoms) as Atoms);
  return { asset, symbol, scale: Number(scale), issuanceCapAtoms };
}

export async function requireAsset(
  reader: Reader,
  symbol: string,
): Promise<ListedAsset | Refused<'currency_invalid'>> {
  const asset = await findAsset(reader, symbol);
  return asset ?? new Refused('currency_invalid', { currency: symbol });
}

export async function findMarket(
  { connection, exchange }: Reader,
  symbol: string,
): Promise<ListedMarket | undefined> {
  const { rows } = await connection.query(
    `select id, name, status, band_ppm, slippage_ppm, reference_ticks, tick_mantissa, tick_scale
     from ${exchange.projectionSchema}.markets where name = $1`,
    [symbol],
  );
  if (rows.length === 0) return undefined;
  const [row] = rows;
  const market = Number(row.id) as MarketId;
  const statuses = await underWay({ connection, exchange }, ['SetMarketStatus']);
  const bands = await underWay({ connection, exchange }, ['SetPriceBand']);
  const band = bands.findLast((command) => command.market === market);
  const now = {
    status: statuses.findLast((command) => command.market === market)?.status ?? row.status,
    bandPpm: band?.bandPpm ?? (Number(row.band_ppm) as Ppm),
    slippagePpm: band?.slippagePpm ?? (Number(row.slippage_ppm) as Ppm),
    referenceTicks: (band?.referenceTicks || Number(row.reference_ticks)) as Ticks,
  };
  return {
    market,
    symbol,
    ...now,
    tick: { mantissa: Number(row.tick_mantissa), scale: Number(row.tick_scale) },
    // Not the time of the last change: a pending change counts before it has a time.
    version: Object.values(now).join(' '),
  };
}

export async function requireListedMarket(
  reader: Reader,
  symbol: string,
): Promise<ListedMarket | Refused<'symbol_invalid'>> {
  const market = await findMarket(reader, symbol);
  return market ?? new Refused('symbol_invalid', { symbol });
}

/** Returns every market, in order of listing. */
export async function readMarkets({ connection, exchange }: Reader): Promise<ListedMarketName[]> {
  const { rows } = await connection.query(
    `select id, name, status from ${exchange.projectionSchema}.markets order by id`,
  );
  const statuses = await underWay({ connection, exchange }, ['SetMarketStatus']);
  return rows.map(({ id, name, status }) => ({
    market: Number(id) as MarketId,
    symbol: name,
    status: statuses.findLast(({ market }) => market === Number(id))?.status ?? status,
  }));
}

async function underWay<Kind extends EngineCommand['kind']>(
  { connection, exchange: { projectionSchema } }: Reader,
  kinds: readonly Kind[],
) {
  const commands = await readUnprojectedCommands(connection, { kinds, projectionSchema });
  return commands.map(({ command }) => command);
}

export type ListedMarketName = Pick<ListedMarket, 'market' | 'symbol' | 'status'>;

export interface ListedFees {
  readonly market: MarketId;
  readonly tier: number;
  readonly makerPpm: Ppm;
  readonly takerPpm: Ppm;
}

export async function readFees({ connection, exchange }: Reader): Promise<ListedFees[]> {
  const { rows } = await connection.query(
    `select market_id, tier, maker_ppm, taker_ppm from ${exchange.projectionSchema}.market_fees
     order by market_id, tier`,
  );
  return rows.map((row) => ({
    market: Number(row.market_id) as MarketId,
    tier: Number(row.tier),
    makerPpm: Number(row.maker_ppm) as Ppm,
    takerPpm: Number(row.taker_ppm) as Ppm,
  }));
}

export async function readLimits({ connection, exchange }: Reader): Promise<Limits> {
  const { rows } = await connection.query(
    `select name, value from ${exchange.projectionSchema}.limits`,
  );
  const set = new Map<string, number>(rows.map(({ name, value }) => [name, Number(value)]));
  const limits = LIMIT_NAMES.map((name) => [name, set.get(name) ?? INITIAL_LIMITS[name]]);
  return Object.fromEntries(limits) as Limits;
}

/** Returns the rules version that the engine follows. */
export async function readRulesVersion({ connection, exchange }: Reader): Promise<number> {
  const [last] = (await underWay({ connection, exchange }, ['SetRulesVersion'])).slice(-1);
  if (last !== undefined) return last.version;
  const { rows } = await connection.query(
    `select value from ${exchange.projectionSchema}.limits where name = 'rulesVersion'`,
  );
  return Number(rows[0]?.value ?? RULES_VERSION_MIN);
}

/** Returns the tiers that the operator describes. */
export async function readTiers({ connection }: Pick<Reader, 'connection'>): Promise<number[]> {
  const { rows } = await connection.query('select id from tiers order by id');
  return rows.map(({ id }) => Number(id));
}
