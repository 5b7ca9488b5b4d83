// The population of a market: which agents trade in each pair, with which accounts and funds. One
// seed makes one population; adding an agent changes no other.

import type { AgentMarket } from './agent-market.ts';
import { CrashSeller } from './crash-seller.ts';
import { FairValue } from './fair-value/fair-value.ts';
import { Maker, type MakerPlan } from './maker.ts';
import { Conditions, type Mode, pathOf } from './modes.ts';
import { MomentumTrader } from './momentum-trader.ts';
import { NoiseTrader } from './noise-trader.ts';
import { StopHolder } from './stop-holder.ts';
import { Taker } from './taker.ts';
import { Account, type Agent, type Trading } from './trading.ts';
import { TriangleTrader } from './triangle-trader.ts';
import { ValueTrader } from './value-trader.ts';
import type { Pace, World } from './world.ts';

/** The six pairs of a demo exchange, as agents see them. */
export const DEMO_MARKETS: readonly AgentMarket[] = [
  market('btc-usdt', { tick: 0.01, lot: 0.0001, activity: 1, halfBps: 0.8 }),
  market('btc-eur', { tick: 0.01, lot: 0.0001, activity: 0.35, halfBps: 1.5 }),
  market('usdt-eur', { tick: 0.0001, lot: 0.01, minLots: 100, activity: 0.3, halfBps: 1 }),
  market('eth-usdt', { tick: 0.01, lot: 0.001, activity: 0.7, halfBps: 1 }),
  market('eth-btc', { tick: 0.000001, lot: 0.01, activity: 0.25, halfBps: 1.8 }),
  market('rlt-usdt', { tick: 0.0001, lot: 0.1, activity: 0.3, halfBps: 4 }),
];

/**
 * A live market; a rate of 2 is about twice as many orders from everyone. Prices wander with the
 * square root of time, so makers quote twice as often with a tolerance smaller by that root.
 */
export function paceOf(rate = 1): Pace {
  const tolerance = 1 / Math.sqrt(rate);
  return { makers: rate, noise: rate, takers: rate, others: rate, tolerance, levels: LEVELS_MAX };
}

export interface PopulationOptions {
  readonly seed: number;
  /** The first moment of the fair value's path. */
  readonly fromMs: number;
  /** The moment from which the agents act. */
  readonly startMs: number;
  readonly mode?: Mode;
  readonly pace?: Pace;
  readonly markets?: readonly AgentMarket[];
  readonly trading: Trading;
  /** Accounts that exist already, by name. */
  readonly accounts?: ReadonlyMap<string, Account>;
  /** A path that has begun already: it continues. */
  readonly fair?: FairValue;
  /** When a flash crash begins after the start. */
  readonly crashAfterMs?: number;
}

export interface Population {
  readonly world: World;
  readonly agents: readonly Agent[];
}

const MAKERS: readonly MakerPlan[] = [
  { delayMs: 150, width: 1, levels: 5, wakeMs: 450, baseUsdt: 4_000 },
  { delayMs: 400, width: 1.35, levels: 6, wakeMs: 700, baseUsdt: 5_000 },
  { delayMs: 900, width: 2, levels: 7, wakeMs: 1_200, baseUsdt: 7_000 },
  { delayMs: 2_000, width: 3.5, levels: 8, wakeMs: 2_500, baseUsdt: 9_000 },
];
const LEVELS_MAX = 8;
const NOISE_ACCOUNTS = 12;
const TAKER_ACCOUNTS = 12;
const STOP_HOLDERS = 10;
const MOMENTUM_BPS = [6, 10, 14];
const MOMENTUM_FROM_ACTIVITY = 0.7;
const MAKER_FUNDS = 40;
const FUNDS_USDT = {
  taker: 150_000,
  noise: 100_000,
  other: 200_000,
  value: 1_000_000,
  triangle: 2_000_000,
};
const CRASH_FUNDS_USDT = 20_000_000;
const TRIANGLES = [
  ['btc-eur', 'btc-usdt', 'usdt-eur'],
  ['eth-usdt', 'eth-btc', 'btc-usdt'],
] as const;

/** Accounts of all agents of these markets with the funds that they begin with. */
export function accountsFor(
  markets: readonly AgentMarket[] = DEMO_MARKETS,
  fair = new FairValue({ seed: 0, fromMs: 0 }),
): readonly Account[] {
  const funded = (name: string, market: AgentMarket, usdt: number) =>
    new Account(name, {
      [market.base]: round(usdt / fair.price(market.base, 'usdt')),
      [market.quote]: round(usdt / fair.price(market.quote, 'usdt')),
    });
  const accounts = markets.flatMap((one) => [
    ...MAKERS.map((plan, at) => funded(nameOf(one, 'maker', at), one, MAKER_FUNDS * plan.baseUsdt)),
    ...numbered(TAKER_ACCOUNTS, (at) => funded(nameOf(one, 'taker', at), one, FUNDS_USDT.taker)),
    ...numbered(NOISE_ACCOUNTS, (at) => funded(nameOf(one, 'noise', at), one, FUNDS_USDT.noise)),
    ...numbered(STOP_HOLDERS, (at) => funded(nameOf(one, 'stops', at), one, FUNDS_USDT.other)),
    ...numbered(hasMomentum(one) ? MOMENTUM_BPS.length : 0, (at) =>
      funded(nameOf(one, 'momentum', at), one, FUNDS_USDT.other),
    ),
    funded(nameOf(one, 'value', 0), one, FUNDS_USDT.value),
  ]);
  const [busiest] = markets;
  accounts.push(funded(nameOf(busiest, 'seller', 0), busiest, CRASH_FUNDS_USDT));
  for (const [at, triangle] of trianglesOf(markets).entries()) {
    const assets = triangle.flatMap(({ base, quote }) => [base, quote]);
    const funds = [...new Set(assets)].map((asset) => {
      return [asset, round(FUNDS_USDT.triangle / fair.price(asset, 'usdt'))] as const;
    });
    accounts.push(new Account(`triangle-${at + 1}`, Object.fromEntries(funds)));
  }
  return accounts;
}

export function createPopulation(options: PopulationOptions): Population {
  const { fromMs, markets = DEMO_MARKETS, mode = 'normal', seed, startMs, trading } = options;
  const fair = options.fair ?? new FairValue({ seed, fromMs, ...pathOf(mode) });
  fair.advanceTo(startMs);
  const conditions = new Conditions(mode, startMs, options.crashAfterMs);
  const world: World = { seed, trading, fair, conditions, pace: options.pace ?? paceOf() };
  const known =
    options.accounts ?? new Map(accountsFor(markets).map((account) => [account.name, account]));
  const account = (name: string) => {
    const found = known.get(name);
    if (found === undefined) throw new Error(`no account for the agent '${name}'`);
    return found;
  };
  const agents: Agent[] = markets.flatMap((one) => agentsOf(world, one, account));
  if (mode === 'flash-crash') {
    agents.push(new CrashSeller(world, markets[0], account(nameOf(markets[0], 'seller', 0))));
  }
  for (const [at, [direct, first, second]] of trianglesOf(markets).entries()) {
    const triangle = { direct, first, second };
    agents.push(new TriangleTrader(world, triangle, account(`triangle-${at + 1}`)));
  }
  return { world, agents };
}

function agentsOf(
  world: World,
  market: AgentMarket,
  account: (name: string) => Account,
): readonly Agent[] {
  const own = (kind: string, at: number) => account(nameOf(market, kind, at));
  const many = (kind: string, count: number) => numbered(count, (at) => own(kind, at));
  const momentum = hasMomentum(market) ? MOMENTUM_BPS : [];
  return [
    ...MAKERS.map((plan, at) => new Maker(world, market, own('maker', at), plan)),
    new NoiseTrader(world, market, many('noise', NOISE_ACCOUNTS)),
    new Taker(world, market, many('taker', TAKER_ACCOUNTS)),
    new ValueTrader(world, market, own('value', 0)),
    ...momentum.map((bps, at) => new MomentumTrader(world, market, own('momentum', at), bps)),
    ...many('stops', STOP_HOLDERS).map((one) => new StopHolder(world, market, one)),
  ];
}

function trianglesOf(markets: readonly AgentMarket[]): (readonly AgentMarket[])[] {
  const find = (symbol: string) => markets.find((one) => one.symbol === symbol);
  return TRIANGLES.map((names) => names.map(find).filter((one) => one !== undefined)).filter(
    (found) => found.length === 3,
  );
}

function hasMomentum({ activity }: AgentMarket): boolean {
  return activity >= MOMENTUM_FROM_ACTIVITY;
}

function nameOf({ symbol }: AgentMarket, kind: string, at: number): string {
  return `${symbol}-${kind}-${at + 1}`;
}

function numbered<Item>(count: number, make: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** To two digits after the point: every asset has them. */
function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}

function market(
  symbol: string,
  terms: Pick<AgentMarket, 'activity' | 'halfBps' | 'lot' | 'tick'> & { minLots?: number },
): AgentMarket {
  const [base, quote] = symbol.split('-');
  return { symbol, base, quote, minLots: 1, maxLots: 1_000_000_000, ...terms };
}
