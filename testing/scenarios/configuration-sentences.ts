// Operator sentences: assets, markets, statuses, fees, groups, bands and limits. They set up a
// scenario (under `given`) and also work inside a story.

import {
  INITIAL_LIMITS,
  type Limits,
  type ListMarket,
  MARKET_STATUSES,
  type MarketStatus,
} from '../../core/messages/index.ts';
import type {
  AssetId,
  CommandNumber,
  MarketId,
  Ppm,
  TickSize,
  TimeMs,
} from '../../core/money/index.ts';
import { type Sentence, sentence, type Words } from './sentence.ts';
import {
  actorOf,
  assetOf,
  atomsOf,
  lotsOf,
  marketOf,
  nextId,
  START_TIME_MS,
  type Stage,
  type StagedMarket,
  ticksOf,
} from './stage.ts';
import { ppmOf } from './stated-numbers.ts';

/** Default market sizes and prices, in lots and ticks. */
const DEFAULT_TICK = '0.01';
const DEFAULT_LOT = '0.001';
const DEFAULT_PRICES = '0.01 to 1,000,000';
const DEFAULT_SIZES = '0.001 to 10,000';

export const CONFIGURATION_SENTENCES: readonly Sentence[] = [
  sentence('asset (?<symbol>[A-Za-z0-9]+): scale <number:scale>, cap <amount:cap>', listingAsset),
  sentence('market <asset:base>-<asset:quote>(?:: <words:terms>)?', listingMarket),
  sentence('cap of <asset:asset> is <amount:cap>', (stage, { asset, cap }) => ({
    command: {
      ...nextId(stage),
      kind: 'SetIssuanceCap',
      asset: assetOf(stage, asset!).id,
      issuanceCapAtoms: atomsOf(assetOf(stage, asset!), cap!),
    },
  })),
  sentence(
    'status(?: of <market:market>)? is <word:status>(?: until <number:endsAt>s)?',
    (stage, { market, status, endsAt }) => ({
      command: {
        ...nextId(stage),
        kind: 'SetMarketStatus',
        market: marketOf(stage, market).id,
        status: statusOf(status!),
        auctionEndsMs: (endsAt === undefined
          ? 0
          : START_TIME_MS + Number(endsAt) * 1_000) as TimeMs,
      },
    }),
  ),
  sentence(
    'fees(?: of tier <number:tier>)?(?: in <market:market>)?' +
      ' are maker <percent:maker>, taker <percent:taker>',
    (stage, { tier, market, maker, taker }) => ({
      command: {
        ...nextId(stage),
        kind: 'SetMarketFees',
        market: marketOf(stage, market).id,
        tier: Number(tier ?? 1),
        makerPpm: ppmOf(maker!) as Ppm,
        takerPpm: ppmOf(taker!) as Ppm,
      },
    }),
  ),
  sentence(
    '<user:who> is in fee tier <number:tier>(?: with discount <percent:discount>)?',
    (stage, { who, tier, discount }) => ({
      command: {
        ...nextId(stage),
        kind: 'SetUserFees',
        user: actorOf(stage, who!),
        tier: Number(tier),
        discountPpm: ppmOf(discount ?? '0%') as Ppm,
      },
    }),
  ),
  sentence(
    '<user:who> is in group <number:group>(?<house>, as house)?',
    (stage, { who, group, house }) => ({
      command: {
        ...nextId(stage),
        kind: 'SetUserGroup',
        user: actorOf(stage, who!),
        group: Number(group),
        house: house !== undefined,
      },
    }),
  ),
  sentence(
    'band(?: of <market:market>)? is <percent:band>' +
      '(?:, slippage <percent:slippage>)?(?:, reference <amount:reference>)?',
    (stage, { market, band, slippage, reference }) => ({
      command: {
        ...nextId(stage),
        kind: 'SetPriceBand',
        market: marketOf(stage, market).id,
        bandPpm: ppmOf(band!) as Ppm,
        slippagePpm: ppmOf(slippage ?? '0%') as Ppm,
        referenceTicks: ticksOf(marketOf(stage, market), reference ?? '0'),
      },
    }),
  ),
  sentence('limit <word:limit> is <amount:value>', settingLimit),
  sentence('rules version is <amount:version>', (stage, { version }) => ({
    command: { ...nextId(stage), kind: 'SetRulesVersion', version: Number(version) },
  })),
  sentence('operator voids the poisoned command', (stage) => ({
    command: {
      ...nextId(stage),
      kind: 'VoidCommand',
      command: stage.lastPoisoned as CommandNumber,
    },
  })),
];

function listingAsset(stage: Stage, { symbol, scale, cap }: Words) {
  const id = (stage.assets.size + 1) as AssetId;
  const asset = { id, symbol: symbol!, scale: Number(scale) };
  return {
    command: {
      ...nextId(stage),
      kind: 'ListAsset' as const,
      symbol: symbol!,
      scale: Number(scale),
      issuanceCapAtoms: atomsOf(asset, cap!),
    },
    onAccepted: () => void stage.assets.set(symbol!, asset),
  };
}

function listingMarket(stage: Stage, { base, quote, terms }: Words) {
  const said = readMarketTerms(terms ?? '');
  const tick = tickSizeOf(said.get('tick') ?? DEFAULT_TICK);
  const lotAtoms = atomsOf(assetOf(stage, base!), said.get('lot') ?? DEFAULT_LOT);
  const market: StagedMarket = {
    id: (stage.markets.size + 1) as MarketId,
    symbol: `${base}-${quote}`,
    base: assetOf(stage, base!),
    quote: assetOf(stage, quote!),
    tick,
    lot: { atoms: lotAtoms, scale: assetOf(stage, base!).scale },
  };
  const [minPrice, maxPrice] = (said.get('prices') ?? DEFAULT_PRICES).split(' to ');
  const [minSize, maxSize] = (said.get('sizes') ?? DEFAULT_SIZES).split(' to ');
  const command: ListMarket = {
    ...nextId(stage),
    kind: 'ListMarket',
    base: market.base.id,
    quote: market.quote.id,
    lotAtoms,
    tickMantissa: tick.mantissa,
    tickScale: tick.scale,
    minPriceTicks: ticksOf(market, minPrice),
    maxPriceTicks: ticksOf(market, maxPrice),
    minSizeLots: lotsOf(market, minSize),
    maxSizeLots: lotsOf(market, maxSize),
    referenceTicks: ticksOf(market, said.get('reference') ?? '0'),
    status: statusOf(said.get('status') ?? 'full'),
  };
  return { command, onAccepted: () => void stage.markets.set(market.symbol, market) };
}

/** `tick 0.05, prices 1 to 100`: word and value of each. */
function readMarketTerms(terms: string): Map<string, string> {
  const known = ['tick', 'lot', 'prices', 'sizes', 'reference', 'status'];
  const said = new Map<string, string>();
  for (const term of terms.split(/, +/).filter((part) => part !== '')) {
    const [word, ...value] = term.split(' ');
    if (!known.includes(word)) throw new Error(`'${term}' is not a term of a market`);
    said.set(word, value.join(' '));
  }
  return said;
}

function tickSizeOf(text: string): TickSize {
  const [whole, fraction = ''] = text.split('.');
  return { mantissa: Number(whole + fraction), scale: fraction.length };
}

function statusOf(text: string): MarketStatus {
  const status = MARKET_STATUSES.find((known) => known === text);
  if (status === undefined) throw new Error(`'${text}' is not a market status`);
  return status;
}

function settingLimit(stage: Stage, { limit, value }: Words) {
  if (!Object.hasOwn(INITIAL_LIMITS, limit!)) throw new Error(`'${limit}' is not a limit`);
  const limits: Limits = { ...stage.limits, [limit!]: Number(value!.replaceAll(',', '')) };
  return {
    command: { ...nextId(stage), kind: 'SetLimits' as const, ...limits },
    onAccepted: () => {
      stage.limits = limits;
    },
  };
}
