// Operator handlers for coins, pairs, fees and tiers, which list and change them by actions.

import { percentText, priceText, sizeText } from '../../../core/market-data/index.ts';
import type { Lots, Ticks } from '../../../core/money/index.ts';
import type { Dependencies, HandlersOf } from '../../../platform/http/index.ts';
import { type BodyOf, decimal, type Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  answerAct,
  decimalText,
  definedOf,
  jsonObject,
  nullableText,
  optionalText,
} from '../../approvals/http/index.ts';
import { CHANGE_COIN, CREATE_COIN } from '../admin/coins.ts';
import { CHANGE_TIER, CREATE_TIER, SET_PAIR_FEES } from '../admin/fees.ts';
import { CHANGE_PAIR, CREATE_PAIR, PAIR_DEFAULTS, SET_BAND } from '../admin/pairs.ts';
import { readCatalogue } from '../catalogue.ts';
import {
  catalogueAfter,
  coinAfter,
  frozenMarkets,
  listedCoin,
  listedPair,
  pairAfter,
  tierAfter,
} from './listing-answers.ts';
import { decimalsOf, pairFees, sameDecimal, tierFees, withdrawalFees } from './listing-input.ts';

/** Small on purpose: a larger one needs an approved action. */
const DEFAULT_ISSUANCE_CAP = '1000';

export const listingRoutes: HandlersOf<'listing'> = {
  async getCoins({ query: { currency } }, dependencies) {
    const { coins } = await readCatalogue(dependencies);
    const wanted = currency?.toLowerCase();
    if (wanted !== undefined && !coins.has(wanted)) {
      return new Refused('currency_invalid', { currency: wanted });
    }
    const shown = [...coins.values()].filter(
      ({ symbol }) => wanted === undefined || symbol === wanted,
    );
    return { count: shown.length, data: shown.map(listedCoin) };
  },

  async createCoin(call, dependencies) {
    const { body } = call;
    const symbol = body.symbol.toLowerCase();
    const fields = coinFields(body, symbol);
    if (fields instanceof Refused) return fields;
    const payload = {
      ...fields,
      symbol,
      fullname: body.fullname,
      decimals: body.decimals ?? decimalsOf(optionalText(body.increment_unit)),
      issuance_cap: optionalText(body.issuance_cap) ?? DEFAULT_ISSUANCE_CAP,
    };
    return answerAct(call, dependencies, CREATE_COIN, payload, (result) =>
      coinAfter(dependencies, result),
    );
  },

  async changeCoin(call, dependencies) {
    const { body } = call;
    const symbol = body.code.toLowerCase();
    const fields = coinFields(body, symbol);
    if (fields instanceof Refused) return fields;
    const payload = {
      ...fields,
      symbol,
      ...definedOf({ fullname: body.fullname, issuance_cap: optionalText(body.issuance_cap) }),
    };
    return answerAct(call, dependencies, CHANGE_COIN, payload, (result) =>
      coinAfter(dependencies, result),
    );
  },

  async getPairs({ query: { pair } }, dependencies) {
    const { pairs } = await readCatalogue(dependencies);
    const wanted = pair?.toLowerCase();
    if (wanted !== undefined && !pairs.has(wanted)) {
      return new Refused('symbol_invalid', { symbol: wanted });
    }
    const frozen = await frozenMarkets(dependencies);
    const shown = [...pairs.values()].filter(
      ({ symbol }) => wanted === undefined || symbol === wanted,
    );
    return { count: shown.length, data: shown.map((one) => listedPair(one, frozen)) };
  },

  async createPair(call, dependencies) {
    const { body } = call;
    const [base, quote] = [body.pair_base.toLowerCase(), body.pair_2.toLowerCase()];
    const symbol = `${base}-${quote}`;
    if (body.name.toLowerCase() !== symbol) return new Refused('pair_name_invalid', { symbol });
    const payload = {
      base,
      quote,
      increment_size: decimalText(body.increment_size),
      increment_price: decimalText(body.increment_price),
      max_size: decimalText(body.max_size),
      max_price: decimalText(body.max_price),
      status: body.status ?? PAIR_DEFAULTS.status,
      band: decimalText(body.band ?? PAIR_DEFAULTS.band),
      slippage: decimalText(body.slippage ?? PAIR_DEFAULTS.slippage),
      maker_fee: decimalText(body.maker_fee ?? PAIR_DEFAULTS.maker_fee),
      taker_fee: decimalText(body.taker_fee ?? PAIR_DEFAULTS.taker_fee),
      ...definedOf({
        min_size: optionalText(body.min_size),
        min_price: optionalText(body.min_price),
        estimated_price: optionalText(body.estimated_price),
        active: body.active,
        is_public: body.is_public,
      }),
    };
    return answerAct(call, dependencies, CREATE_PAIR, payload, (result) =>
      pairAfter(dependencies, result),
    );
  },

  async changePair(call, dependencies) {
    const { body } = call;
    const symbol = body.code.toLowerCase();
    const fixed = await requireFixedTerms(dependencies, symbol, body);
    if (fixed instanceof Refused) return fixed;
    const payload = {
      symbol,
      ...definedOf({
        status: body.status,
        auction_seconds: body.auction_seconds,
        active: body.active,
        is_public: body.is_public,
        estimated_price: nullableText(body.estimated_price),
        circuit_breaker: body.circuit_breaker,
      }),
    };
    return answerAct(call, dependencies, CHANGE_PAIR, payload, (result) =>
      pairAfter(dependencies, result),
    );
  },

  setBand(call, dependencies) {
    const { band, code, reference_price, slippage } = call.body;
    const payload = {
      symbol: code.toLowerCase(),
      ...definedOf({
        band: optionalText(band),
        slippage: optionalText(slippage),
        reference_price: optionalText(reference_price),
      }),
    };
    return answerAct(call, dependencies, SET_BAND, payload, (result) =>
      pairAfter(dependencies, result),
    );
  },

  async setPairFees(call, dependencies) {
    const fees = pairFees(call.body);
    if (fees instanceof Refused) return fees;
    return answerAct(call, dependencies, SET_PAIR_FEES, { fees }, async ({ commands }) => {
      const now = await catalogueAfter(dependencies, commands);
      if (now instanceof Refused) return now;
      const symbols = Object.keys(fees);
      return Object.fromEntries(
        symbols.map((symbol) => {
          const byTier = [...now.tiers].map(([tier, { fees }]) => {
            const { makerPpm, takerPpm } = fees.get(symbol)!;
            const rates = { maker: makerPpm, taker: takerPpm };
            return [
              tier,
              {
                maker: decimal(percentText(rates.maker)),
                taker: decimal(percentText(rates.taker)),
              },
            ];
          });
          return [symbol, Object.fromEntries(byTier)];
        }),
      );
    });
  },

  createTier(call, dependencies) {
    const { description, fees, icon, level, name, note } = call.body;
    const payload = {
      level,
      name,
      icon,
      description,
      fees: tierFees(fees),
      ...definedOf({ note }),
    };
    return answerAct(call, dependencies, CREATE_TIER, payload, (result) =>
      tierAfter(dependencies, result),
    );
  },

  changeTier(call, dependencies) {
    const { description, icon, level, name, native_currency_limit, note } = call.body;
    const fields = definedOf({ name, icon, description, note, native_currency_limit });
    return answerAct(call, dependencies, CHANGE_TIER, { level, ...fields }, (result) =>
      tierAfter(dependencies, result),
    );
  },
};

type CoinBody = BodyOf<Routes['createCoin']> | BodyOf<Routes['changeCoin']>;

function coinFields(body: CoinBody, symbol: string) {
  const withdrawal_fees = withdrawalFees(symbol, body.withdrawal_fees);
  if (withdrawal_fees instanceof Refused) return withdrawal_fees;
  return definedOf({
    withdrawal_fee: optionalText(body.withdrawal_fee),
    withdrawal_fees,
    min: optionalText(body.min),
    max: optionalText(body.max),
    increment_unit: optionalText(body.increment_unit),
    logo: body.logo,
    meta: jsonObject(body.meta),
    estimated_price: nullableText(body.estimated_price),
    type: body.type,
    network: body.network,
    standard: body.standard,
    allow_deposit: body.allow_deposit,
    allow_withdrawal: body.allow_withdrawal,
    description: body.description,
    is_public: body.is_public,
    active: body.active,
  });
}

/** Clients send the entire pair back, so the same sizes and prices are accepted. */
async function requireFixedTerms(
  dependencies: Dependencies,
  symbol: string,
  body: BodyOf<Routes['changePair']>,
): Promise<Refused<'symbol_invalid' | 'market_terms_fixed'> | undefined> {
  const market = (await readCatalogue(dependencies)).marketsBySymbol.get(symbol);
  if (market === undefined) return new Refused('symbol_invalid', { symbol });
  const fixed = {
    min_size: sizeText(market, market.minSizeLots),
    max_size: sizeText(market, market.maxSizeLots),
    increment_size: sizeText(market, 1 as Lots),
    min_price: priceText(market, market.minPriceTicks),
    max_price: priceText(market, market.maxPriceTicks),
    increment_price: priceText(market, 1 as Ticks),
  };
  for (const [field, value] of Object.entries(fixed)) {
    const given = body[field as keyof typeof fixed];
    if (given !== undefined && !sameDecimal(decimalText(given), value)) {
      return new Refused('market_terms_fixed', { field, value });
    }
  }
  return undefined;
}
