// Direct trades between two users, agreed outside the book. Section 8 of the rules.

import type { Refusal, TradeDirectly } from '../../core/messages/index.ts';
import { feeOf, isWholeWithin } from './exact-arithmetic.ts';
import { admit, checkCapacity, checkUser } from './reference-capacity.ts';
import { availableOf } from './reference-ledger.ts';
import { checkPriceBounds, checkSizeBounds } from './reference-prices.ts';
import { settleTrade } from './reference-settlement.ts';
import {
  emit,
  findMarket,
  type ReferenceMarket,
  type ReferenceState,
  userOf,
} from './reference-state.ts';

export function tradeDirectly(state: ReferenceState, command: TradeDirectly): Refusal | undefined {
  const { maker, taker, takerSide, priceTicks, sizeLots } = command;
  const userRefusal = checkUser(maker) ?? checkUser(taker);
  if (userRefusal !== undefined) return userRefusal;
  const market = findMarket(state, command.market);
  if (market === undefined) return 'market_must_exist';
  const assets = [market.base, market.quote];
  const refusal =
    checkParties(state, maker, taker) ??
    checkSizeBounds(market, sizeLots) ??
    checkPriceBounds(market, priceTicks) ??
    checkFeeRate(command.makerFeePpm) ??
    checkFeeRate(command.takerFeePpm) ??
    checkCapacity(state, [
      { user: maker, assets },
      { user: taker, assets },
    ]);
  if (refusal !== undefined) return refusal;

  const baseAtoms = market.lotAtoms * BigInt(sizeLots);
  const quoteAtoms = market.tickLotAtoms * BigInt(priceTicks) * BigInt(sizeLots);
  const [buyer, seller] = takerSide === 'buy' ? [taker, maker] : [maker, taker];
  if (availableOf(state.ledger, seller, market.base) < baseAtoms) {
    return 'available_balance_too_small';
  }
  if (availableOf(state.ledger, buyer, market.quote) < quoteAtoms) {
    return 'available_balance_too_small';
  }
  admit(state, { user: maker, assets });
  admit(state, { user: taker, assets });
  executeDirectly(state, market, command, { baseAtoms, quoteAtoms });
  return undefined;
}

function checkParties(state: ReferenceState, maker: number, taker: number): Refusal | undefined {
  if (maker === taker) return 'users_must_be_different';
  const group = userOf(state, maker).group;
  const isOneGroup = group !== 0 && group === userOf(state, taker).group;
  return isOneGroup ? 'users_are_in_one_group' : undefined;
}

export function checkFeeRate(ratePpm: number): Refusal | undefined {
  return isWholeWithin(ratePpm, 0, 500_000) ? undefined : 'fee_rate_out_of_range';
}

function executeDirectly(
  state: ReferenceState,
  market: ReferenceMarket,
  command: TradeDirectly,
  { baseAtoms, quoteAtoms }: { baseAtoms: bigint; quoteAtoms: bigint },
): void {
  const { maker, taker, takerSide, priceTicks, sizeLots } = command;
  const [takerReceives, makerReceives] =
    takerSide === 'buy' ? [baseAtoms, quoteAtoms] : [quoteAtoms, baseAtoms];
  const settled = {
    takerSide,
    maker,
    taker,
    baseAtoms,
    quoteAtoms,
    makerFeeAtoms: feeOf(makerReceives, command.makerFeePpm),
    takerFeeAtoms: feeOf(takerReceives, command.takerFeePpm),
    releasedAtoms: 0n,
  };
  settleTrade(state.ledger, market, settled, 'available');
  state.trades += 1;
  emit(state, {
    kind: 'TradeExecuted',
    trade: state.trades,
    market: market.id,
    base: market.base,
    quote: market.quote,
    priceTicks,
    sizeLots,
    makerOrder: 0,
    takerOrder: 0,
    makerRemainingLots: 0,
    takerRemainingLots: 0,
    ...settled,
    house: userOf(state, maker).house || userOf(state, taker).house,
    quick: true,
  });
}
