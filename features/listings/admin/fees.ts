// Operator actions on market fees by tier, and on the tiers. Rates are in percent. A tier without
// its own rates in a market gets those of the first tier, so it never has none by accident.

import { percentText } from '../../../core/market-data/index.ts';
import type { MarketId, Ppm } from '../../../core/money/index.ts';
import { enqueue } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { describeTier } from '../../accounts/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import { invalidField, ppmOf } from './decimals.ts';
import {
  type ListedFees,
  type Reader,
  readFees,
  readMarkets,
  readTiers,
  requireListedMarket,
} from './listed.ts';
import { FEE_MAX_PPM, PAIR_DEFAULTS } from './pairs.ts';

export type Rates = { readonly maker: string; readonly taker: string };

export type PairFees = {
  /** By symbol, then by tier. */
  readonly fees: { readonly [symbol: string]: { readonly [tier: string]: Rates } };
};

export type TierFields = {
  readonly level: number;
  readonly name?: string;
  readonly icon?: string;
  readonly description?: string;
  readonly note?: string;
  readonly native_currency_limit?: boolean;
};

export type NewTier = TierFields & {
  readonly name: string;
  /** By symbol. */
  readonly fees: {
    readonly maker: { readonly [symbol: string]: string };
    readonly taker: { readonly [symbol: string]: string };
  };
};

export type FeesResult = { readonly commands: readonly number[] };
export type TierResult = FeesResult & { readonly level: number };

const TIER_MAX = 63;
const FIRST_TIER = 1;

export const SET_PAIR_FEES = defineAct({
  name: 'pair.fees',
  votePower: 'approve.config',
  async prepare(context: ActContext, payload: PairFees) {
    const set = await feesOf(context, payload);
    if (set instanceof Refused) return set;
    const now = await readFees(context);
    return {
      object: `fees ${Object.keys(payload.fees).join(' ')}`,
      objectVersion: versionOf(now),
      approvals: 1,
      beneficiaries: [],
      shown: set.map((one) => ({
        label: `${one.symbol}, tier ${one.tier}`,
        value: `maker and taker ${ratesText(rateOf(now, one))} → ${ratesText(one)}`,
      })),

      async run() {
        const result: FeesResult = { commands: await appendFees(context, set) };
        return {
          result,
          before: { fees: Object.fromEntries(set.map((one) => [nameOf(one), textOf(now, one)])) },
          after: { ...payload },
          effects: { dispatcher: true },
        };
      },
    };
  },
});

export const CREATE_TIER = defineAct({
  name: 'tier.create',
  votePower: 'approve.config',
  async prepare(context: ActContext, tier: NewTier) {
    const set = await feesOfTier(context, tier);
    if (set instanceof Refused) return set;
    return {
      object: `tier ${tier.level}`,
      objectVersion: '',
      approvals: 1,
      beneficiaries: [],
      shown: [
        { label: 'Tier', value: `${tier.level} ${tier.name}` },
        ...set.map((one) => ({ label: one.symbol, value: ratesText(one) })),
      ],

      async run() {
        await describeTier(context.connection, { ...describedTier(tier), name: tier.name });
        const commands = await appendFees(context, set);
        const result: TierResult = { level: tier.level, commands };
        return { result, after: { ...tier }, effects: { dispatcher: true, catalogue: true } };
      },
    };
  },
});

export const CHANGE_TIER = defineAct({
  name: 'tier.change',
  votePower: 'approve.config',
  async prepare(context: ActContext, tier: TierFields) {
    const row = await readTier(context, tier.level);
    if (row instanceof Refused) return row;
    const { level, ...fields } = tier;
    return {
      object: `tier ${level}`,
      objectVersion: '',
      // Names and texts only: fees and limits have separate actions.
      approvals: 0,
      beneficiaries: [],
      shown: Object.entries(fields).map(([label, value]) => ({ label, value: `${value}` })),

      async run() {
        await describeTier(context.connection, { name: row.name, ...describedTier(tier) });
        const { description, icon, name, native_currency_limit, note } = row;
        const result: TierResult = { level, commands: [] };
        return {
          result,
          before: { description, icon, name, native_currency_limit, note },
          after: { ...tier },
          effects: { catalogue: true },
        };
      },
    };
  },
});

export interface SetFees extends ListedFees {
  readonly symbol: string;
}

/** Returns the rates that a payload names, or the rejection of the first invalid one. */
export async function feesOf(context: Reader, { fees }: PairFees) {
  const tiers = new Set(await readTiers(context));
  const set: SetFees[] = [];
  for (const [symbol, byTier] of Object.entries(fees)) {
    const listed = await requireListedMarket(context, symbol);
    if (listed instanceof Refused) return listed;
    for (const [name, { maker, taker }] of Object.entries(byTier)) {
      const tier = Number(name);
      if (!tiers.has(tier)) return new Refused('tier_not_found', { tier: name });
      const rates = ratesOf(`${symbol}.${name}`, maker, taker);
      if (rates instanceof Refused) return rates;
      set.push({ symbol, market: listed.market, tier, ...rates });
    }
  }
  return set.length === 0 ? invalidField('fees', 'must not be empty') : set;
}

function ratesOf(field: string, maker: string, taker: string) {
  const makerPpm = ppmOf(`${field}.maker`, maker, FEE_MAX_PPM);
  if (makerPpm instanceof Refused) return makerPpm;
  const takerPpm = ppmOf(`${field}.taker`, taker, FEE_MAX_PPM);
  return takerPpm instanceof Refused ? takerPpm : { makerPpm, takerPpm };
}

/** For every market. */
async function feesOfTier(context: ActContext, tier: NewTier) {
  const { fees, level } = tier;
  if (!Number.isInteger(level) || level < 1 || level > TIER_MAX) {
    return invalidField('level', `expected a number from 1 to ${TIER_MAX}`);
  }
  if ((await readTiers(context)).includes(level)) {
    return new Refused('tier_exists', { tier: level });
  }
  const markets = await readMarkets(context);
  const symbols = new Set(markets.map(({ symbol }) => symbol));
  const unknown = [...Object.keys(fees.maker), ...Object.keys(fees.taker)].find(
    (symbol) => !symbols.has(symbol),
  );
  if (unknown !== undefined) return new Refused('symbol_invalid', { symbol: unknown });
  const now = await readFees(context);
  const set: SetFees[] = [];
  for (const { market, symbol } of markets) {
    const first = rateOf(now, { market, tier: FIRST_TIER });
    const maker = fees.maker[symbol] ?? percentOf(first?.makerPpm, PAIR_DEFAULTS.maker_fee);
    const taker = fees.taker[symbol] ?? percentOf(first?.takerPpm, PAIR_DEFAULTS.taker_fee);
    const rates = ratesOf(`fees.${symbol}`, maker, taker);
    if (rates instanceof Refused) return rates;
    set.push({ symbol, market, tier: level, ...rates });
  }
  return set;
}

function percentOf(ppm: Ppm | undefined, otherwise: string): string {
  return ppm === undefined ? otherwise : percentText(ppm);
}

async function appendFees({ connection }: ActContext, set: readonly SetFees[]): Promise<number[]> {
  const commands: number[] = [];
  for (const { makerPpm, market, takerPpm, tier } of set) {
    const rates = { market, tier, makerPpm, takerPpm };
    commands.push(await enqueue(connection, { kind: 'SetMarketFees', ...rates }));
  }
  return commands;
}

function rateOf(
  now: readonly ListedFees[],
  { market, tier }: { readonly market: MarketId; readonly tier: number },
): ListedFees | undefined {
  return now.find((one) => one.market === market && one.tier === tier);
}

function ratesText(rates: ListedFees | undefined): string {
  if (rates === undefined) return 'none';
  return `${percentText(rates.makerPpm)}% / ${percentText(rates.takerPpm)}%`;
}

function textOf(now: readonly ListedFees[], one: SetFees): string {
  return ratesText(rateOf(now, one));
}

function nameOf({ symbol, tier }: SetFees): string {
  return `${symbol} ${tier}`;
}

function versionOf(now: readonly ListedFees[]): string {
  return now.map(({ makerPpm, takerPpm }) => `${makerPpm}/${takerPpm}`).join(' ');
}

async function readTier(
  { connection }: ActContext,
  level: number,
): Promise<Required<TierFields> | Refused<'tier_not_found'>> {
  const { rows } = await connection.query('select * from tiers where id = $1', [level]);
  return rows.length === 0 ? new Refused('tier_not_found', { tier: level }) : rows[0];
}

function describedTier({
  description,
  icon,
  level,
  name,
  native_currency_limit,
  note,
}: TierFields) {
  return {
    tier: level,
    ...(name !== undefined && { name }),
    ...(icon !== undefined && { icon }),
    ...(description !== undefined && { description }),
    ...(note !== undefined && { note }),
    ...(native_currency_limit !== undefined && { nativeCurrencyLimit: native_currency_limit }),
  };
}
