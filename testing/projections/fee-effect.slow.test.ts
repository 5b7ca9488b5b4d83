// Daily fee totals and the effect of other rates, on a real PostgreSQL against the events: tiers
// and discounts are tracked event by event, and every fill is charged again.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { applyFrame, createExchange } from '../../core/engine/index.ts';
import { type EventFrame, FEES_OWNER, type TradeExecuted } from '../../core/messages/index.ts';
import {
  type Atoms,
  discountedPpm,
  feeAtoms,
  type MarketId,
  type Ppm,
  type TimeMs,
} from '../../core/money/index.ts';
import { feeEffects, type ProposedFees } from '../../features/reports/fee-simulation/fee-effect.ts';
import { readFeeWindow } from '../../features/reports/fee-simulation/fee-window.ts';
import { closeFeeDay } from '../../features/reports/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { chosenSeed, drive, type FlowName, Random } from '../flows/index.ts';
import { type PostgresForTest, startPostgresForTest } from './postgres-for-test.ts';
import { projectEvents } from './project-events.ts';
import { messagesOf } from './recorded-events.ts';

const DAY_MS = 86_400_000;
/** Longer than the window, so the window excludes the first days. */
const DAYS = 40;
const COMMANDS = 6_000;

interface Fill {
  readonly day: string;
  readonly market: number;
  readonly tier: number;
  readonly discountPpm: number;
  readonly liquidity: 'maker' | 'taker';
  readonly user: number;
  readonly asset: number;
  readonly receivedAtoms: bigint;
  readonly quoteAtoms: bigint;
  readonly feeAtoms: bigint;
}

interface World {
  readonly schema: string;
  readonly registry: OwnConnection;
  /** Excludes direct trades. */
  readonly fills: readonly Fill[];
  readonly random: Random;
}

let stop: () => Promise<void> = async () => {};
let postgres: PostgresForTest;
const worlds = new Map<FlowName, World>();

describe('fee effect', { timeout: 300_000 }, () => {
  before(async () => {
    postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    for (const flow of ['calm', 'thin-pairs'] as const) worlds.set(flow, await worldOf(flow));
  });
  after(() => stop());

  test('the current fees change nothing, to the atom', async () => {
    // This flow never changes rates, but changes the tiers and discounts of users.
    const { registry, schema } = worlds.get('calm')!;
    const { sums } = await readFeeWindow(registry, schema);
    const { rows } = await registry.query(`select * from ${schema}.market_fees`);
    const present = rows.map((row) => ({
      market: Number(row.market_id) as MarketId,
      tier: Number(row.tier),
      makerPpm: Number(row.maker_ppm) as Ppm,
      takerPpm: Number(row.taker_ppm) as Ppm,
    }));
    const effects = feeEffects(sums, present);
    assert.ok(effects.filter(({ fills }) => fills > 10).length > 3);
    for (const { collected, proposed } of effects) assert.deepEqual(proposed, collected);
  });

  for (const flow of ['calm', 'thin-pairs'] as const) {
    test(`${flow}: other fees are within an atom of every fill`, async () => {
      const { fills, random, registry, schema } = worlds.get(flow)!;
      const { from, sums, to } = await readFeeWindow(registry, schema);
      assert.ok(from !== undefined && to !== undefined);
      const within = fills.filter(({ day }) => day >= from && day <= to);
      assert.ok(within.length > 200 && within.length < fills.length, `${within.length} fills`);
      const proposal = proposalOf(within, random);
      const effects = feeEffects(sums, proposal);
      for (const [at, { fills: count, ...effect }] of effects.entries()) {
        const own = within.filter(
          ({ market, tier }) => market === effect.market && tier === effect.tier,
        );
        assert.equal(count, own.length);
        assert.equal(effect.quoteAtoms, sumOf(own.map(({ quoteAtoms }) => quoteAtoms)));
        for (const asset of new Set(own.map((fill) => fill.asset))) {
          const inAsset = own.filter((fill) => fill.asset === asset);
          const collected = sumOf(inAsset.map((fill) => fill.feeAtoms));
          assert.equal(effect.collected.get(asset as never), collected);
          const exact = sumOf(inAsset.map((fill) => chargeAgain(fill, proposal[at])));
          const told = effect.proposed.get(asset as never)!;
          assert.ok(told <= exact && exact - told < BigInt(inAsset.length), `${told} of ${exact}`);
        }
      }
    });

    test(`${flow}: the fees of a day equal the postings to the fee account`, async () => {
      const { registry, schema } = worlds.get(flow)!;
      const { rows } = await registry.query(
        `select day::text, asset_id, sum(summed)::text as summed, sum(posted)::text as posted from (
           select d.day, case d.side when 'buy' then m.base_id else m.quote_id end as asset_id,
             d.fee_atoms as summed, 0 as posted
           from fee_days d join ${schema}.markets m on m.id = d.market_id
           union all
           select (recorded_at at time zone 'UTC')::date, asset_id, 0, available_change_atoms
           from ${schema}.ledger_entries where owner = ${FEES_OWNER} and cause_kind = 'trade'
             and (recorded_at at time zone 'UTC')::date in (select day from fee_days_closed)
         ) both_sides group by day, asset_id`,
      );
      assert.ok(rows.length > 30, `${rows.length} rows`);
      assert.deepEqual(
        rows.filter(({ posted, summed }) => posted !== summed),
        [],
      );
    });

    test(`${flow}: users are counted once, including those with a discount`, async () => {
      const { fills, registry, schema } = worlds.get(flow)!;
      const { from, to, users } = await readFeeWindow(registry, schema);
      const found = users.map(({ market, ownUsers, tier, users: all }) =>
        [market, tier, all, ownUsers].join(' '),
      );
      const sets = new Map<string, [all: Set<number>, own: Set<number>]>();
      for (const { day, discountPpm, market, tier, user } of fills) {
        if (day < from! || day > to!) continue;
        const key = `${market} ${tier}`;
        const [all, own] = sets.get(key) ?? [new Set(), new Set()];
        all.add(user);
        if (discountPpm > 0) own.add(user);
        sets.set(key, [all, own]);
      }
      const wanted = [...sets].map(([key, [all, own]]) => `${key} ${all.size} ${own.size}`);
      assert.deepEqual(found.sort(), wanted.sort());
    });

    test(`${flow}: emptied tables are rebuilt with the same rows`, async () => {
      const { registry, schema } = worlds.get(flow)!;
      const before = await contents(registry);
      await registry.query('truncate fee_days_closed, fee_days, fee_users, fee_day_users');
      assert.equal(await closeAll(registry, schema), 31);
      assert.deepEqual(await contents(registry), before);
    });
  }
});

async function worldOf(flow: FlowName): Promise<World> {
  const schema = `projected_${flow.replace('-', '_')}`;
  await postgres.schema(schema);
  const name = `registry_${flow.replace('-', '_')}`;
  const registry = await postgres.session(name);
  await migrate(registry, name, readRegistryMigrations());
  const random = new Random(chosenSeed());
  const frames = record(flow);
  await projectEvents(messagesOf(frames, random), { connection: postgres.connection(schema) });
  assert.equal(await closeAll(registry, schema), 31);
  return { schema, registry, fills: fillsOf(frames), random };
}

/** Spreads the frames of a flow evenly over the days. */
function record(flow: FlowName): EventFrame[] {
  const exchange = createExchange();
  const frames: EventFrame[] = [];
  const apply = (frame: Parameters<typeof applyFrame>[1]) => applyFrame(exchange, frame);
  for (const { seen } of drive({ flow, seed: chosenSeed(), commands: COMMANDS, apply })) {
    frames.push({ ...seen, events: [...seen.events] });
  }
  const startMs = frames[0].timeMs;
  return frames.map((frame, at) => {
    const timeMs = Math.floor(startMs + (at * DAYS * DAY_MS) / frames.length) as TimeMs;
    return { ...frame, timeMs };
  });
}

async function closeAll(registry: OwnConnection, projectionSchema: string): Promise<number> {
  let days = 0;
  while (await closeFeeDay(registry, { projectionSchema })) days++;
  return days;
}

function fillsOf(frames: readonly EventFrame[]): Fill[] {
  const fees = new Map<number, { tier: number; discountPpm: number }>();
  const placed = new Map<number, { tier: number; discountPpm: number }>();
  const fills: Fill[] = [];
  for (const { events, timeMs } of frames) {
    const day = new Date(timeMs).toISOString().slice(0, 10);
    for (const event of events) {
      if (event.kind === 'UserFeesSet') fees.set(event.user, event);
      if (event.kind === 'OrderPlaced') {
        placed.set(event.order, fees.get(event.user) ?? { tier: 1, discountPpm: 0 });
      }
      if (event.kind !== 'TradeExecuted' || event.takerOrder === 0) continue;
      for (const side of ['maker', 'taker'] as const) {
        fills.push({ day, ...fillOf(event, side, placed) });
      }
    }
  }
  return fills;
}

function fillOf(
  trade: TradeExecuted,
  liquidity: 'maker' | 'taker',
  placed: ReadonlyMap<number, { readonly tier: number; readonly discountPpm: number }>,
): Omit<Fill, 'day'> {
  const isMaker = liquidity === 'maker';
  const { discountPpm, tier } = placed.get(isMaker ? trade.makerOrder : trade.takerOrder)!;
  const buys = (trade.takerSide === 'buy') !== isMaker;
  return {
    market: trade.market,
    tier,
    discountPpm,
    liquidity,
    user: isMaker ? trade.maker : trade.taker,
    asset: buys ? trade.base : trade.quote,
    receivedAtoms: buys ? trade.baseAtoms : trade.quoteAtoms,
    quoteAtoms: trade.quoteAtoms,
    feeAtoms: isMaker ? trade.makerFeeAtoms : trade.takerFeeAtoms,
  };
}

function proposalOf(fills: readonly Fill[], random: Random): ProposedFees[] {
  const keys = new Set(fills.map(({ market, tier }) => `${market} ${tier}`));
  return [...keys].map((key) => {
    const [market, tier] = key.split(' ').map(Number);
    const makerPpm = random.below(5_000) as Ppm;
    const takerPpm = random.below(5_000) as Ppm;
    return { market: market as MarketId, tier, makerPpm, takerPpm };
  });
}

/** Returns the fee of one fill at the proposed rate. */
function chargeAgain(
  { discountPpm, liquidity, receivedAtoms }: Fill,
  { makerPpm, takerPpm }: ProposedFees,
): bigint {
  const rate = liquidity === 'maker' ? makerPpm : takerPpm;
  return feeAtoms(receivedAtoms as Atoms, discountedPpm(rate, discountPpm as Ppm));
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, atoms) => sum + atoms, 0n);
}

async function contents(registry: OwnConnection): Promise<string[][]> {
  const tables = ['fee_days_closed', 'fee_days', 'fee_users', 'fee_day_users'];
  const lines: string[][] = [];
  for (const table of tables) {
    const { rows } = await registry.query(`select t::text as line from ${table} t order by 1`);
    lines.push(rows.map(({ line }) => line));
  }
  return lines;
}
