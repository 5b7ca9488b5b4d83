// Creates a registry and projected tables in one real database, for the referral tests. The test
// writes the log: trades, and how far they are projected. Only tests import it.

import type { AssetId, UserId } from '../../core/money/index.ts';
import { migrate, type OwnConnection, type Statements } from '../../infra/postgres/index.ts';
import { makeMonthPartitions, monthOf } from '../../infra/projections/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../testing/projections/postgres-for-test.ts';
import { createUser } from '../accounts/index.ts';
import { describeKit } from '../listings/index.ts';

export const SCHEMA = 'rialto';
/** In the future, so an affiliation starts with the log and not with the clock. */
export const START_MS = Date.parse('2100-01-01T00:00:00Z');

export const ASSETS = [
  { id: 1 as AssetId, symbol: 'usdt', scale: 6 },
  { id: 2 as AssetId, symbol: 'btc', scale: 8 },
  { id: 3 as AssetId, symbol: 'eth', scale: 18 },
  { id: 4 as AssetId, symbol: 'gold', scale: 0 },
] as const;

export interface ReferralForTest {
  readonly postgres: PostgresForTest;
  readonly registry: OwnConnection;
  readonly projected: OwnConnection;
  close(): Promise<void>;
}

export async function openReferralForTest(months = 1): Promise<ReferralForTest> {
  let close: () => Promise<void> = async () => {};
  const postgres = await startPostgresForTest({ after: (end) => void (close = end) });
  const projected = await postgres.schema(SCHEMA);
  const registry = await postgres.session('registry');
  await migrate(registry, 'registry', readRegistryMigrations());
  for (const { id, scale, symbol } of ASSETS) {
    const values = [id, symbol, scale];
    await projected.query('insert into assets values ($1, $2, $3, 1000000, now())', values);
  }
  for (let month = 0; month < months; month += 1) {
    await makeMonthPartitions(projected, monthOf(START_MS) + month);
  }
  await projected.query(
    `insert into projection (events_sequence, chain_hash, frame_sequence, part, is_complete,
       frame_events, projected_to, orders_per_partition)
     values (0, $1, 0, 0, true, 0, $2, 1000)`,
    [Buffer.alloc(32), new Date(START_MS)],
  );
  return { postgres, registry, projected, close };
}

/** Projects the log to this frame, or into it. */
export async function projectTo(
  projected: Statements,
  { frame, isComplete = true, timeMs }: { frame: number; timeMs: number; isComplete?: boolean },
): Promise<void> {
  await projected.query(
    'update projection set frame_sequence = $1, projected_to = $2, is_complete = $3',
    [frame, new Date(timeMs), isComplete],
  );
}

export interface ReferralConfig {
  readonly active?: boolean;
  readonly currency?: string;
  readonly earning_rate?: number;
  readonly minimum_amount?: number;
  readonly earning_period?: number;
  readonly distributor_id?: number;
}

export async function configure(
  statements: Statements,
  distributor: UserId,
  changed: ReferralConfig = {},
): Promise<void> {
  await describeKit(statements, {
    referral_history_config: {
      active: true,
      currency: 'usdt',
      earning_rate: 90,
      minimum_amount: 1,
      earning_period: 0,
      distributor_id: distributor,
      ...changed,
    },
  });
}

let users = 0;

export async function makePerson(statements: Statements): Promise<UserId> {
  users += 1;
  const made = await createUser(statements, { email: `referral${users}@example.com` });
  if (typeof made === 'string') throw new Error(`user refused: ${made}`);
  return made.id;
}

export async function makeSubAccount(statements: Statements, parent: UserId): Promise<UserId> {
  const user = await makePerson(statements);
  await statements.query(`update users set kind = 'sub', parent_id = $2 where id = $1`, [
    user,
    parent,
  ]);
  return user;
}

export interface TradeForTest {
  readonly number: number;
  readonly frame: number;
  readonly timeMs: number;
  readonly maker: UserId;
  readonly taker: UserId;
  readonly takerSide: 'buy' | 'sell';
  readonly base: AssetId;
  readonly quote: AssetId;
  readonly makerFeeAtoms: bigint;
  readonly takerFeeAtoms: bigint;
}

export const TRADE_COLUMNS = [
  'number',
  'market_id',
  'base_id',
  'quote_id',
  'taker_side',
  'price_ticks',
  'size_lots',
  'maker_order',
  'taker_order',
  'maker_id',
  'taker_id',
  'base_atoms',
  'quote_atoms',
  'maker_fee_atoms',
  'taker_fee_atoms',
  'house',
  'quick',
  'command',
  'frame',
  'executed_at',
] as const;

export async function insertTrade(projected: Statements, trade: TradeForTest): Promise<void> {
  const places = TRADE_COLUMNS.map((_, at) => `$${at + 1}`).join(', ');
  const { base, frame, maker, number, quote, taker, takerSide } = trade;
  await projected.query(`insert into trades (${TRADE_COLUMNS.join(', ')}) values (${places})`, [
    number,
    1,
    base,
    quote,
    takerSide,
    1,
    1,
    1,
    2,
    maker,
    taker,
    1,
    1,
    trade.makerFeeAtoms,
    trade.takerFeeAtoms,
    false,
    false,
    number,
    frame,
    new Date(trade.timeMs),
  ]);
}
