// A trade that two users agreed outside the book, entered by an operator or a broker's quote. It
// moves money like a fill, but from available. It does not change the market's last price.

import type { Refusal, TradeDirectly } from '../messages/index.ts';
import {
  type Atoms,
  baseAtoms,
  feeAtoms,
  type Lots,
  type OrderNumber,
  quoteAtoms,
  type TradeNumber,
  type UserId,
} from '../money/index.ts';
import { assert, NONE } from '../structures/index.ts';
import { isFeeRate } from './configure-fees.ts';
import { type Exchange, marketOf } from './exchange.ts';
import type { Market } from './market.ts';
import { refuseForAccounts, userAccount } from './money-commands.ts';
import { refusePrice, refuseSize } from './place-order.ts';
import { isUser } from './users.ts';

export function tradeDirectly(exchange: Exchange, trade: TradeDirectly): Refusal {
  const market = marketOf(exchange, trade.market);
  const malformed = refuseForm(exchange, trade, market);
  if (malformed !== 'none') return malformed;
  assert(market !== undefined, 'refuseForm accepts listed markets only');
  const assets = [market.base, market.quote];
  const full = refuseForAccounts(exchange, [trade.maker, trade.taker], assets);
  if (full !== 'none') return full;
  const takerSells = trade.takerSide === 'sell';
  const buyer = takerSells ? trade.maker : trade.taker;
  const seller = takerSells ? trade.taker : trade.maker;
  const base = baseAtoms(market.lotAtoms, trade.sizeLots);
  const quote = quoteAtoms(market.tickLotAtoms, trade.priceTicks, trade.sizeLots);
  const { accounts } = exchange.ledger;
  if (accounts.availableAtoms(accounts.find(seller, market.base)) < base) {
    return 'available_balance_too_small';
  }
  if (accounts.availableAtoms(accounts.find(buyer, market.quote)) < quote) {
    return 'available_balance_too_small';
  }
  executeDirectly(exchange, market, trade, { buyer, seller, base, quote });
  return 'none';
}

function refuseForm(exchange: Exchange, trade: TradeDirectly, market: Market | undefined): Refusal {
  if (!isUser(trade.maker) || !isUser(trade.taker)) return 'user_must_be_valid';
  if (market === undefined) return 'market_must_exist';
  if (trade.maker === trade.taker) return 'users_must_be_different';
  const { books, users } = exchange;
  const group = books.groups[users.find(trade.maker)];
  if (group !== 0 && group === books.groups[users.find(trade.taker)]) {
    return 'users_are_in_one_group';
  }
  const wrongSize = refuseSize(market, trade.sizeLots);
  if (wrongSize !== 'none') return wrongSize;
  const wrongPrice = refusePrice(market, trade.priceTicks);
  if (wrongPrice !== 'none') return wrongPrice;
  if (!isFeeRate(trade.makerFeePpm) || !isFeeRate(trade.takerFeePpm)) {
    return 'fee_rate_out_of_range';
  }
  return 'none';
}

interface DirectSides {
  readonly buyer: UserId;
  readonly seller: UserId;
  readonly base: Atoms;
  readonly quote: Atoms;
}

function executeDirectly(
  exchange: Exchange,
  market: Market,
  trade: TradeDirectly,
  sides: DirectSides,
): void {
  const { ledger, users } = exchange;
  const { base, quote } = sides;
  // Maker first, then taker: this order determines the slots of new users and accounts.
  const makerUser = users.findOrAdd(trade.maker);
  const takerUser = users.findOrAdd(trade.taker);
  for (const user of [trade.maker, trade.taker]) {
    for (const asset of [market.base, market.quote]) userAccount(exchange, user, asset);
  }
  const takerSells = trade.takerSide === 'sell';
  const makerFee = feeAtoms(takerSells ? base : quote, trade.makerFeePpm);
  const takerFee = feeAtoms(takerSells ? quote : base, trade.takerFeePpm);
  const buyerBase = userAccount(exchange, sides.buyer, market.base);
  const sellerQuote = userAccount(exchange, sides.seller, market.quote);
  ledger.pay(userAccount(exchange, sides.buyer, market.quote), sellerQuote, quote);
  ledger.pay(userAccount(exchange, sides.seller, market.base), buyerBase, base);
  ledger.pay(buyerBase, ledger.fees(market.base), takerSells ? makerFee : takerFee);
  ledger.pay(sellerQuote, ledger.fees(market.quote), takerSells ? takerFee : makerFee);
  exchange.events.push({
    kind: 'TradeExecuted',
    command: exchange.command,
    trade: ++exchange.tradesExecuted as TradeNumber,
    market: market.id,
    base: market.base,
    quote: market.quote,
    takerSide: trade.takerSide,
    priceTicks: trade.priceTicks,
    sizeLots: trade.sizeLots,
    makerOrder: NONE as OrderNumber,
    takerOrder: NONE as OrderNumber,
    maker: trade.maker,
    taker: trade.taker,
    makerRemainingLots: 0 as Lots,
    takerRemainingLots: 0 as Lots,
    baseAtoms: base,
    quoteAtoms: quote,
    makerFeeAtoms: makerFee,
    takerFeeAtoms: takerFee,
    releasedAtoms: 0n as Atoms,
    house: users.isHouse(makerUser) || users.isHouse(takerUser),
    quick: true,
  });
}
