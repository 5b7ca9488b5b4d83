// Operator actions on markets: list one, describe it, change its status and its price band. A new
// market opens after its fees and its band are set.

import { percentText } from '../../../core/market-data/index.ts';
import type { MarketStatus } from '../../../core/messages/index.ts';
import { type Ppm, type Ticks, type TimeMs, ticksFromDecimal } from '../../../core/money/index.ts';
import { type EngineCommand, enqueue } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type ActContext,
  type Assessment,
  defineAct,
  type ShownLine,
} from '../../approvals/index.ts';
import { describePair } from '../coins.ts';
import type { ListingResult } from './coins.ts';
import { checkPrice, type FieldRefused, invalidField, ppmOf } from './decimals.ts';
import {
  findMarket,
  type ListedAsset,
  type ListedMarket,
  readTiers,
  requireAsset,
  requireListedMarket,
} from './listed.ts';
import { type MarketDecimals, type MarketTerms, marketTerms } from './market-terms.ts';

export const FEE_MAX_PPM = 500_000;
const BAND_MAX_PPM = 999_999;
const NO_END = 0 as TimeMs;

/** Defaults for a new market, in percent. */
export const PAIR_DEFAULTS = {
  /** Trades happen within this distance of the reference price. */
  band: '10',
  /** A market order fills within this distance of the best price. */
  slippage: '5',
  maker_fee: '0.5',
  taker_fee: '0.5',
  status: 'pre-launch',
} as const;

export type NewPair = {
  readonly base: string;
  readonly quote: string;
  readonly increment_size: string;
  readonly increment_price: string;
  readonly min_size?: string;
  readonly max_size: string;
  readonly min_price?: string;
  readonly max_price: string;
  readonly estimated_price?: string;
  readonly active?: boolean;
  readonly is_public?: boolean;
  readonly status: MarketStatus;
  readonly band: string;
  readonly slippage: string;
  readonly maker_fee: string;
  readonly taker_fee: string;
};

export type PairChange = {
  readonly symbol: string;
  readonly status?: MarketStatus;
  /** With status `auction`: ends after this many seconds. If absent, an operator ends it. */
  readonly auction_seconds?: number;
  readonly active?: boolean;
  readonly is_public?: boolean;
  readonly estimated_price?: string | null;
  /** false: no price band; true: the default one, if there is none. */
  readonly circuit_breaker?: boolean;
};

export type BandChange = {
  readonly symbol: string;
  /** Percent; 0 for none. If absent, no change. */
  readonly band?: string;
  readonly slippage?: string;
  /** If absent, the engine keeps its own, which follows the trades. */
  readonly reference_price?: string;
};

export const CREATE_PAIR = defineAct({
  name: 'pair.create',
  votePower: 'approve.config',
  async prepare(context: ActContext, pair: NewPair) {
    const terms = await termsOf(context, pair);
    if (terms instanceof Refused) return terms;
    const { band, base, maker_fee, quote, slippage, status, taker_fee } = pair;
    const unit = `${quote} for 1 ${base}`;
    return {
      object: `market ${base}-${quote}`,
      objectVersion: '',
      approvals: 1,
      beneficiaries: [],
      shown: [
        { label: 'Market', value: `${base}-${quote}` },
        { label: 'Status', value: status },
        { label: 'Prices', value: `${pair.min_price ?? 'lowest'} to ${pair.max_price} ${unit}` },
        { label: 'Price step', value: `${pair.increment_price} ${quote}` },
        {
          label: 'Sizes',
          value: `${pair.min_size ?? pair.increment_size} to ${pair.max_size} ${base}`,
        },
        { label: 'Size step', value: `${pair.increment_size} ${base}` },
        { label: 'Reference price', value: pair.estimated_price ?? 'none' },
        { label: 'Price band / max. slippage', value: `${band}% / ${slippage}%` },
        { label: 'Maker / taker fee', value: `${maker_fee}% / ${taker_fee}%` },
      ],

      async run() {
        const result = await listPair(context, pair, terms);
        return { result, after: { ...pair }, effects: { dispatcher: true, catalogue: true } };
      },
    };
  },
});

export const CHANGE_PAIR = defineAct({
  name: 'pair.change',
  votePower: 'approve.config',
  async prepare(context: ActContext, change: PairChange) {
    const market = await requireListedMarket(context, change.symbol);
    if (market instanceof Refused) return market;
    const price = checkPrice('estimated_price', change.estimated_price);
    if (price !== undefined) return price;
    if (change.auction_seconds !== undefined && change.status !== 'auction') {
      return invalidField('auction_seconds', 'only allowed with status auction');
    }
    const bandPpm = bandOf(market, change.circuit_breaker);
    if (bandPpm instanceof Refused) return bandPpm;
    if (bandPpm !== market.bandPpm) {
      const reference = requireReference('circuit_breaker', bandPpm, market.referenceTicks);
      if (reference instanceof Refused) return reference;
    }
    const { symbol, ...fields } = change;
    const lines = Object.entries(fields).map(([label, value]) => ({ label, value: `${value}` }));
    return {
      object: `market ${symbol}`,
      objectVersion: market.version,
      approvals: approvalsOf(market, change),
      beneficiaries: [],
      shown: [
        { label: 'Market', value: symbol },
        { label: 'Status now', value: market.status },
        ...lines,
      ],

      async run() {
        const result = await changePair(context, change, { market, bandPpm });
        return {
          result,
          before: { status: market.status, band: percentText(market.bandPpm) },
          after: { ...change },
          effects: { dispatcher: true, catalogue: true },
        };
      },
    };
  },
});

export const SET_BAND = defineAct({
  name: 'pair.band',
  votePower: 'approve.config',
  async prepare(context: ActContext, change: BandChange) {
    const market = await requireListedMarket(context, change.symbol);
    if (market instanceof Refused) return market;
    const band = newBand(market, change);
    if (band instanceof Refused) return band;
    return {
      object: `market ${market.symbol}`,
      objectVersion: market.version,
      approvals: isTighter(market, band, change) ? 0 : 1,
      beneficiaries: [],
      shown: [
        { label: 'Market', value: market.symbol },
        rateLine('Band', market.bandPpm, band.bandPpm),
        rateLine('Slippage', market.slippagePpm, band.slippagePpm),
        { label: 'Reference price', value: change.reference_price ?? 'unchanged' },
      ],

      async run() {
        const command = { kind: 'SetPriceBand', market: market.market, ...band } as const;
        const commands = [await enqueue(context.connection, command)];
        const result: ListingResult = { symbol: market.symbol, commands };
        return {
          result,
          before: { band: percentText(market.bandPpm), slippage: percentText(market.slippagePpm) },
          after: { ...change },
          effects: { dispatcher: true },
        };
      },
    };
  },
});

interface PairTerms extends Band {
  readonly base: ListedAsset;
  readonly quote: ListedAsset;
  readonly terms: MarketTerms;
  readonly makerPpm: Ppm;
  readonly takerPpm: Ppm;
}

async function termsOf(context: ActContext, pair: NewPair) {
  const symbol = `${pair.base}-${pair.quote}`;
  const base = await requireAsset(context, pair.base);
  if (base instanceof Refused) return base;
  const quote = await requireAsset(context, pair.quote);
  if (quote instanceof Refused) return quote;
  if (base.asset === quote.asset) return invalidField('pair_2', 'must differ from pair_base');
  if ((await findMarket(context, symbol)) !== undefined) {
    return new Refused('pair_exists', { symbol });
  }
  const terms = checkedTerms(pair, { base: base.scale, quote: quote.scale });
  if (terms instanceof Refused) return terms;
  const bandPpm = ppmOf('band', pair.band, BAND_MAX_PPM);
  if (bandPpm instanceof Refused) return bandPpm;
  const reference = requireReference('estimated_price', bandPpm, terms.referenceTicks);
  if (reference instanceof Refused) return reference;
  const makerPpm = ppmOf('maker_fee', pair.maker_fee, FEE_MAX_PPM);
  if (makerPpm instanceof Refused) return makerPpm;
  const takerPpm = ppmOf('taker_fee', pair.taker_fee, FEE_MAX_PPM);
  if (takerPpm instanceof Refused) return takerPpm;
  const slippagePpm = ppmOf('slippage', pair.slippage, BAND_MAX_PPM);
  if (slippagePpm instanceof Refused) return slippagePpm;
  return { base, quote, terms, makerPpm, takerPpm, bandPpm, slippagePpm };
}

/** A band without a reference price would leave the first trades unlimited. */
function requireReference(
  field: string,
  bandPpm: Ppm,
  referenceTicks: Ticks,
): FieldRefused | undefined {
  if (bandPpm === 0 || referenceTicks !== 0) return undefined;
  return invalidField(field, 'required by the price band');
}

function checkedTerms(
  pair: NewPair,
  scales: { readonly base: number; readonly quote: number },
): MarketTerms | FieldRefused | Refused<'market_terms_invalid'> {
  const decimals: MarketDecimals = { ...pair, reference_price: pair.estimated_price };
  const checked = marketTerms(decimals, scales);
  if (checked.ok) return checked.terms;
  if ('refusal' in checked) {
    const problem = checked.refusal.replaceAll('_', ' ');
    return new Refused('market_terms_invalid', { problem });
  }
  const field = checked.field === 'reference_price' ? 'estimated_price' : checked.field;
  return invalidField(field, checked.problem);
}

async function listPair(
  context: ActContext,
  pair: NewPair,
  { base, bandPpm, makerPpm, quote, slippagePpm, takerPpm, terms }: PairTerms,
): Promise<ListingResult> {
  const { connection, operator } = context;
  const symbol = `${pair.base}-${pair.quote}`;
  const { active, estimated_price, is_public, status } = pair;
  await describePair(connection, {
    symbol,
    createdBy: operator.user,
    ...(active !== undefined && { active }),
    ...(is_public !== undefined && { isPublic: is_public }),
    ...(estimated_price !== undefined && { estimatedPrice: estimated_price }),
  });
  const commands: number[] = [];
  const listing = await enqueue(connection, {
    kind: 'ListMarket',
    base: base.asset,
    quote: quote.asset,
    ...terms,
    // No trading before the fees are set.
    status: 'pre-launch',
  });
  commands.push(listing);
  const rates = { makerPpm, takerPpm };
  const market = 0 as ListedMarket['market'];
  const band = { bandPpm, slippagePpm, referenceTicks: terms.referenceTicks };
  const following: EngineCommand[] = [
    ...(await readTiers(context)).map(
      (tier) => ({ kind: 'SetMarketFees', market, tier, ...rates }) as const,
    ),
    { kind: 'SetPriceBand', market, ...band },
  ];
  if (status !== 'pre-launch') {
    following.push({ kind: 'SetMarketStatus', market, status, auctionEndsMs: NO_END });
  }
  for (const command of following) {
    commands.push(await enqueue(connection, command, { follows: listing }));
  }
  return { symbol, commands };
}

async function changePair(
  { connection, nowMs }: ActContext,
  change: PairChange,
  { bandPpm, market }: { readonly market: ListedMarket; readonly bandPpm: Ppm },
): Promise<ListingResult> {
  const { active, estimated_price, is_public, status, symbol } = change;
  const described = {
    ...(active !== undefined && { active }),
    ...(is_public !== undefined && { isPublic: is_public }),
    ...(estimated_price !== undefined && { estimatedPrice: estimated_price }),
  };
  if (Object.keys(described).length > 0) {
    await describePair(connection, { symbol, ...described });
  }
  const commands: number[] = [];
  if (bandPpm !== market.bandPpm) {
    commands.push(
      await enqueue(connection, {
        kind: 'SetPriceBand',
        market: market.market,
        bandPpm,
        slippagePpm: market.slippagePpm,
        referenceTicks: 0 as Ticks,
      }),
    );
  }
  if (status !== undefined) {
    const id = market.market;
    // A switch no longer decides.
    await connection.query(`delete from stops where name = 'trading' and object = $1`, [symbol]);
    const auctionEndsMs = auctionEndOf(change, nowMs);
    const command = { kind: 'SetMarketStatus', market: id, status, auctionEndsMs } as const;
    commands.push(await enqueue(connection, command));
  }
  return { symbol, commands };
}

/** Whether a market with this status accepts orders. */
export function isOpen(status: MarketStatus): boolean {
  return status === 'full' || status === 'post-only' || status === 'auction';
}

/** Counted from the approval, not from the request. */
function auctionEndOf({ auction_seconds }: PairChange, nowMs: number): TimeMs {
  return auction_seconds === undefined ? NO_END : ((nowMs + auction_seconds * 1_000) as TimeMs);
}

function approvalsOf(market: ListedMarket, change: PairChange): Assessment['approvals'] {
  const { active, circuit_breaker, estimated_price, status } = change;
  if (status === 'delisted') return 2;
  // The current status does not matter, because it can change before this command arrives.
  const opens = status !== undefined && isOpen(status);
  const isBandOff = circuit_breaker === false && market.bandPpm > 0;
  const isWeighty = opens || isBandOff || active === true || estimated_price !== undefined;
  return isWeighty ? 1 : 0;
}

function bandOf(market: ListedMarket, circuitBreaker: boolean | undefined): Ppm | FieldRefused {
  if (circuitBreaker === false) return 0 as Ppm;
  if (circuitBreaker === undefined || market.bandPpm > 0) return market.bandPpm;
  return ppmOf('band', PAIR_DEFAULTS.band, BAND_MAX_PPM);
}

interface Band {
  readonly bandPpm: Ppm;
  readonly slippagePpm: Ppm;
}

function newBand(market: ListedMarket, { band, reference_price, slippage }: BandChange) {
  const ticks = ticksFromDecimal(reference_price ?? '0', market.tick);
  if (!ticks.ok) return invalidField('reference_price', ticks.problem);
  const bandPpm = band === undefined ? market.bandPpm : ppmOf('band', band, BAND_MAX_PPM);
  if (bandPpm instanceof Refused) return bandPpm;
  const known = (ticks.value || market.referenceTicks) as Ticks;
  const reference = requireReference('reference_price', bandPpm, known);
  if (reference instanceof Refused) return reference;
  const slippagePpm =
    slippage === undefined ? market.slippagePpm : ppmOf('slippage', slippage, BAND_MAX_PPM);
  if (slippagePpm instanceof Refused) return slippagePpm;
  return { bandPpm, slippagePpm, referenceTicks: ticks.value };
}

function isTighter(now: Band, next: Band, { reference_price }: BandChange): boolean {
  const within = (nowPpm: number, nextPpm: number) =>
    nextPpm === nowPpm || (nextPpm > 0 && (nowPpm === 0 || nextPpm < nowPpm));
  return (
    reference_price === undefined &&
    within(now.bandPpm, next.bandPpm) &&
    within(now.slippagePpm, next.slippagePpm)
  );
}

function rateLine(label: string, now: Ppm, next: Ppm): ShownLine {
  return { label, value: `${percentText(now)}% → ${percentText(next)}%` };
}
