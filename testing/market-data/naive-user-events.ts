// The expected user events and public data, from the events of a full run and the engine at its
// end. Slow and simple. Imports no publisher logic.

import type { MarketTrade } from '../../core/market-data/index.ts';
import {
  type Event,
  type EventFrame,
  type MarketListed,
  postingsOf,
} from '../../core/messages/index.ts';

/** One event of a user: its position, and the topics of its messages. */
export interface ExpectedEntry {
  readonly frame: number;
  readonly index: number;
  readonly topics: readonly string[];
}

/** Returns entries for each user in order. Assumes frames with one part. */
export function naiveUserEvents(frames: readonly EventFrame[]): Map<number, ExpectedEntry[]> {
  const news = new Map<number, ExpectedEntry[]>();
  for (const { events, sequence: frame } of frames) {
    const users = new Set(events.flatMap(usersOf));
    for (const user of users) {
      const lastMoved = events.findLastIndex((event) => ownersOf(event).includes(user));
      events.forEach((event, index) => {
        const topics = topicsFor(event, user);
        if (index === lastMoved) topics.push('wallet');
        if (topics.length === 0) return;
        const entries = news.get(user) ?? [];
        entries.push({ frame, index, topics });
        news.set(user, entries);
      });
    }
  }
  return news;
}

function usersOf(event: Event): number[] {
  const parties = event.kind === 'TradeExecuted' ? [event.maker, event.taker] : [];
  const own = 'order' in event && 'user' in event ? [event.user] : [];
  return [...parties, ...own, ...ownersOf(event)];
}

function ownersOf(event: Event): number[] {
  const owners = postingsOf(event).flatMap(({ from, to }) => [from.owner, to.owner]);
  return owners.filter((owner) => owner > 0);
}

function topicsFor(event: Event, user: number): string[] {
  switch (event.kind) {
    case 'OrderPlaced':
    case 'OrderAmended':
    case 'OrderClosed':
    case 'OrderTriggered':
      return event.user === user ? ['order'] : [];
    case 'TradeExecuted': {
      const isMaker = event.maker === user;
      const isTaker = event.taker === user;
      return [
        ...(isMaker ? ['usertrade'] : []),
        ...(isTaker ? ['usertrade'] : []),
        ...(isMaker && event.makerRemainingLots > 0 ? ['order'] : []),
        ...(isTaker && event.takerRemainingLots > 0 ? ['order'] : []),
      ];
    }
    default:
      return [];
  }
}

/** Returns book trades by market, oldest first. */
export function naiveTrades(frames: readonly EventFrame[]): Map<number, MarketTrade[]> {
  const trades = new Map<number, MarketTrade[]>();
  for (const { events, timeMs } of frames) {
    for (const event of events) {
      if (event.kind !== 'TradeExecuted' || event.takerOrder === 0) continue;
      const list = trades.get(event.market) ?? [];
      list.push({ ...event, timeMs });
      trades.set(event.market, list);
    }
  }
  return trades;
}

export interface NamedMarket {
  readonly market: number;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Returns numbers as parsed from JSON. */
  price(ticks: number): number;
  size(lots: number | bigint): number;
}

export interface NamedAsset {
  readonly asset: number;
  readonly symbol: string;
  amount(atoms: bigint): number;
}

export function namesOf(frames: readonly EventFrame[]): {
  markets: NamedMarket[];
  assets: Map<number, NamedAsset>;
} {
  const assets = new Map<number, NamedAsset>();
  const scales = new Map<number, number>();
  const markets: NamedMarket[] = [];
  for (const event of frames.flatMap(({ events }) => events)) {
    if (event.kind === 'AssetListed') {
      const { asset, scale, symbol } = event;
      scales.set(asset, scale);
      assets.set(asset, { asset, symbol, amount: (atoms) => jsonNumber(atoms, scale) });
    }
    if (event.kind === 'MarketListed') markets.push(namedMarket(event));
  }
  return { markets, assets };

  function namedMarket(listing: MarketListed): NamedMarket {
    const [base, quote] = [listing.base, listing.quote].map((id) => assets.get(id)!.symbol);
    const baseScale = scales.get(listing.base)!;
    const mantissa = BigInt(listing.tickMantissa);
    return {
      market: listing.market,
      symbol: `${base}-${quote}`,
      base,
      quote,
      price: (ticks) => jsonNumber(BigInt(ticks) * mantissa, listing.tickScale),
      size: (lots) => jsonNumber(BigInt(lots) * listing.lotAtoms, baseScale),
    };
  }
}

/** Returns the float nearest to the exact decimal, like JSON parsing does. */
function jsonNumber(whole: bigint, scale: number): number {
  return Number(`${whole}e-${scale}`);
}
