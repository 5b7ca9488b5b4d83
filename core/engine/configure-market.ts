// Sets a market's status and price band, and moves the band's reference as time passes.

import type { Refusal, SetMarketStatus, SetPriceBand } from '../messages/index.ts';
import type { Ppm } from '../money/index.ts';
import { isReference } from './configure-listing.ts';
import { type Exchange, marketOf } from './exchange.ts';
import { type Market, setReference } from './market.ts';
import { activateStops } from './match-incoming.ts';
import { moveReference } from './move-reference.ts';
import { changeStatus, isAuctionEnd, uncross } from './uncross.ts';

/** One millionth below 100%: a band of 100% would exclude nothing. */
const BAND_MAX_PPM = 999_999;

export function setMarketStatus(exchange: Exchange, command: SetMarketStatus): Refusal {
  const market = marketOf(exchange, command.market);
  if (market === undefined) return 'market_must_exist';
  const { auctionEndsMs, status } = command;
  const hasAuctions = exchange.rulesVersion >= 2;
  if (hasAuctions && auctionEndsMs !== 0) {
    if (status !== 'auction' || !isAuctionEnd(exchange, auctionEndsMs)) {
      return 'auction_end_out_of_range';
    }
  }
  const opens = hasAuctions && status === 'full' && market.frozenBy === 0;
  if (opens && (market.status === 'auction' || exchange.books.isCrossed(market.id))) {
    beginUncrossing(exchange, market);
    uncross(exchange, market);
  } else {
    changeStatus(exchange, market, status, hasAuctions ? auctionEndsMs : undefined);
  }
  activateStops(exchange, market);
  return 'none';
}

/** Starting with version 3, an event states the end of the auction, so it follows from events. */
function beginUncrossing(exchange: Exchange, market: Market): void {
  if (exchange.rulesVersion >= 3) {
    if (!market.isUncrossing) changeStatus(exchange, market, 'auction', exchange.timeMs);
  } else if (market.status !== 'auction') {
    changeStatus(exchange, market, 'auction');
  }
  market.isUncrossing = true;
}

export function setPriceBand(exchange: Exchange, command: SetPriceBand): Refusal {
  const market = marketOf(exchange, command.market);
  if (market === undefined) return 'market_must_exist';
  const { bandPpm, slippagePpm, referenceTicks } = command;
  if (!isBand(bandPpm) || !isBand(slippagePpm)) return 'band_out_of_range';
  if (!isReference(market, referenceTicks)) return 'reference_price_out_of_range';
  const isNew = referenceTicks > 0;
  const reference = isNew ? referenceTicks : market.referenceTicks;
  if (exchange.rulesVersion >= 2 && bandPpm > 0 && reference === 0) {
    return 'band_needs_a_reference_price';
  }
  market.bandPpm = bandPpm;
  market.slippagePpm = slippagePpm;
  setReference(market, reference, isNew ? exchange.timeMs : market.referenceSetMs);
  exchange.events.push({
    kind: 'PriceBandSet',
    command: exchange.command,
    market: market.id,
    bandPpm,
    slippagePpm,
    referenceTicks: reference,
  });
  return 'none';
}

/** Sets the band's reference to the last price once the window has passed. */
export function followPrice(exchange: Exchange, market: Market): void {
  if (market.lastTicks === 0) return;
  if (exchange.timeMs - market.referenceSetMs < exchange.limits.bandWindowMs) return;
  moveReference(exchange, market, market.lastTicks);
}

function isBand(ppm: Ppm): boolean {
  return ppm >= 0 && ppm <= BAND_MAX_PPM;
}
