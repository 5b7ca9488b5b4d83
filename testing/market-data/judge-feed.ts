// Compares received data with the expectation: every user entry once and in order, every trade
// once, final balances and orders, and public data as computed naively.

import assert from 'node:assert/strict';
import { type Candle, RESOLUTIONS } from '../../core/market-data/index.ts';
import type { EventFrame } from '../../core/messages/index.ts';
import type { TestedExchange } from '../properties/tested-exchange.ts';
import type { FeedProbe } from './feed-probe.ts';
import { naiveCandles, naiveStartMs, naiveTicker } from './naive-market-data.ts';
import { type NamedMarket, naiveTrades, naiveUserEvents, namesOf } from './naive-user-events.ts';

export interface Judged {
  readonly probe: FeedProbe;
  readonly frames: readonly EventFrame[];
  readonly exchange: TestedExchange;
  readonly depthLevels: number;
}

export function judgeFeed(judged: Judged): void {
  judgePrivate(judged);
  judgeBalances(judged);
  judgeOrders(judged);
  judgePublic(judged);
}

/** Returns the expected number of user entries, so a test knows when everything has arrived. */
export function expectedEntryCount(frames: readonly EventFrame[]): number {
  return [...naiveUserEvents(frames).values()].reduce((sum, { length }) => sum + length, 0);
}

function judgePrivate({ probe, frames }: Judged): void {
  const expected = naiveUserEvents(frames);
  assert.ok(expected.size > 1);
  assert.deepEqual([...probe.entries.keys()].sort(byNumber), [...expected.keys()].sort(byNumber));
  for (const [user, entries] of expected) {
    const heard = probe.entries.get(user)!.map(({ frame, index, messages }) => {
      return { frame, index, topics: messages.map(({ topic }) => topic) };
    });
    assert.deepEqual(heard, entries, `events of user ${user}`);
  }
  assert.equal(probe.gapCount, 0);
}

/** Checks that the last received balance of each asset equals the engine's. */
function judgeBalances({ probe, exchange, frames }: Judged): void {
  const { assets } = namesOf(frames);
  for (const { asset, availableAtoms, heldAtoms, owner } of exchange.accounts()) {
    const { amount, symbol } = assets.get(asset)!;
    if (owner < 0) continue;
    const told: Record<string, number> = {};
    for (const { messages } of probe.entries.get(owner) ?? []) {
      for (const { data, topic } of messages) if (topic === 'wallet') Object.assign(told, data);
    }
    assert.equal(told[`${symbol}_available`] ?? 0, amount(availableAtoms), `${owner} ${symbol}`);
    assert.equal(told[`${symbol}_balance`] ?? 0, amount(availableAtoms + heldAtoms));
  }
}

/** Orders last reported as open must be in the engine's books, with the same remaining size. */
function judgeOrders({ probe, exchange, frames }: Judged): void {
  const told = new Map<string, { symbol: string; rest: number; status: string }>();
  for (const entries of probe.entries.values()) {
    for (const { data, topic } of entries.flatMap(({ messages }) => messages)) {
      if (topic !== 'order') continue;
      const [{ filled, id, size, status, symbol }] = data;
      told.set(id, { symbol, rest: size - filled, status });
    }
  }
  const open = [...told.values()].filter(({ status }) => status === 'new' || status === 'pfilled');
  const expected: { symbol: string; rest: number }[] = [];
  for (const { market, size, symbol } of namesOf(frames).markets) {
    const { asks, bids, stops } = exchange.book(market);
    const orders = [...[...asks, ...bids].flatMap((level) => level.orders), ...stops];
    for (const { remainingLots } of orders) expected.push({ symbol, rest: size(remainingLots) });
  }
  const rounded = ({ rest, symbol }: { rest: number; symbol: string }) =>
    `${symbol} ${rest.toFixed(6)}`;
  assert.deepEqual(open.map(rounded).sort(), expected.map(rounded).sort());
}

function judgePublic({ depthLevels, probe, exchange, frames }: Judged): void {
  const { markets } = namesOf(frames);
  const trades = naiveTrades(frames);
  assert.ok(markets.length > 0);
  for (const named of markets) {
    const value = (kind: string) =>
      JSON.parse(probe.values.get(`${kind}.${named.symbol}`)!.payload);
    const all = trades.get(named.market) ?? [];
    const shown = all.map(({ priceTicks, sizeLots, takerSide: side, timeMs, trade: id }) => {
      const timestamp = new Date(timeMs).toISOString();
      return { id, size: named.size(sizeLots), price: named.price(priceTicks), side, timestamp };
    });
    assert.deepEqual(probe.trades.get(named.symbol) ?? [], shown, 'every trade once');
    assert.deepEqual(value('trades'), shown.slice(-50).reverse());
    judgeBook(exchange, named, value('book'), 10);
    judgeBook(exchange, named, value('depth'), depthLevels);
    judgeAuction(exchange, named, value('auction'), frames);
    const { timestamp, ...ticker } = value('ticker');
    const naive = naiveTicker(all, Date.parse(timestamp));
    const price = (ticks?: number) => (ticks === undefined ? null : named.price(ticks));
    assert.deepEqual(ticker, {
      open: price(naive?.openTicks),
      close: price(naive?.lastTicks),
      high: price(naive?.highTicks),
      low: price(naive?.lowTicks),
      last: price(naive?.lastTicks),
      volume: named.size(naive?.volumeLots ?? 0n),
    });
    for (const resolution of RESOLUTIONS) {
      const candles = naiveCandles(resolution, all).slice(-2);
      const expected = candles.map((candle) => candleShown(named, candle));
      assert.deepEqual(value(`candle.${resolution}`), expected);
    }
    const firstMs = (Math.floor(Date.parse(timestamp) / 60_000) - 1_439) * 60_000;
    const inside = all.filter(({ timeMs }) => timeMs >= firstMs);
    const points = [...new Set(inside.map(({ timeMs }) => naiveStartMs('1h', timeMs)))];
    const { base: symbol, quote } = named;
    const expected = points.map((startMs) => {
      const last = inside.findLast(({ timeMs }) => naiveStartMs('1h', timeMs) === startMs)!;
      const price = String(named.price(last.priceTicks));
      return { time: new Date(startMs).toISOString(), price, symbol, quote };
    });
    assert.deepEqual(value('minichart'), expected);
  }
}

/** The status from the events. In an auction, the best of all prices, tried one by one. */
function judgeAuction(
  exchange: TestedExchange,
  { market, price, size }: NamedMarket,
  { timestamp, ...heard }: { timestamp: string },
  frames: readonly EventFrame[],
): void {
  const terms = auctionTerms(frames, market);
  const { asks, bids } = exchange.book(market);
  const lots = (orders: readonly { remainingLots: number }[]) =>
    orders.reduce((sum, { remainingLots }) => sum + remainingLots, 0);
  const isOpen = terms.status === 'auction';
  const buys = bids.filter(({ priceTicks }) => isOpen && priceTicks <= terms.highestTicks);
  const sells = asks.filter(({ priceTicks }) => isOpen && priceTicks >= terms.lowestTicks);
  let best = { priceTicks: 0, volume: 0, imbalance: 0, distance: 0 };
  const first = sells[0]?.priceTicks ?? Number.POSITIVE_INFINITY;
  for (let priceTicks = first; priceTicks <= (buys[0]?.priceTicks ?? 0); priceTicks += 1) {
    const demand = lots(
      buys.filter((at) => at.priceTicks >= priceTicks).flatMap((at) => at.orders),
    );
    const supply = lots(
      sells.filter((at) => at.priceTicks <= priceTicks).flatMap((at) => at.orders),
    );
    const volume = Math.min(demand, supply);
    const imbalance = demand - supply;
    const distance = Math.abs(priceTicks - terms.referenceTicks);
    const order =
      volume - best.volume ||
      Math.abs(best.imbalance) - Math.abs(imbalance) ||
      best.distance - distance;
    if (best.priceTicks === 0 || order > 0) best = { priceTicks, volume, imbalance, distance };
  }
  assert.ok(Date.parse(timestamp) > 0);
  assert.deepEqual(heard, {
    status: terms.status,
    price: best.priceTicks === 0 ? null : price(best.priceTicks),
    volume: size(best.volume),
    imbalance: size(best.imbalance),
    ends_at: terms.endsMs === 0 ? null : new Date(terms.endsMs).toISOString(),
  });
}

function auctionTerms(frames: readonly EventFrame[], market: number) {
  let [status, endsMs, referenceTicks, bandPpm] = ['', 0, 0, 0];
  for (const event of frames.flatMap(({ events }) => events)) {
    if (!('market' in event) || event.market !== market) continue;
    if (event.kind === 'MarketListed' || event.kind === 'MarketStatusSet') status = event.status;
    if (event.kind === 'MarketStatusSet') endsMs = event.auctionEndsMs;
    if ('referenceTicks' in event) referenceTicks = event.referenceTicks;
    if (event.kind === 'PriceBandSet') bandPpm = event.bandPpm;
  }
  const isBanded = bandPpm > 0 && referenceTicks > 0;
  const highestTicks = isBanded
    ? Math.floor((referenceTicks * (1_000_000 + bandPpm)) / 1_000_000)
    : Number.POSITIVE_INFINITY;
  const lowestTicks = isBanded
    ? Math.ceil((referenceTicks * (1_000_000 - bandPpm)) / 1_000_000)
    : 0;
  return { status, endsMs, referenceTicks, highestTicks, lowestTicks };
}

function judgeBook(
  exchange: TestedExchange,
  { market, price, size }: NamedMarket,
  heard: { bids: unknown; asks: unknown },
  levels: number,
): void {
  const { asks, bids } = exchange.book(market);
  const side = (found: typeof bids) =>
    found.slice(0, levels).map(({ orders, priceTicks }) => {
      const total = orders.reduce((sum, { remainingLots }) => sum + remainingLots, 0);
      return [price(priceTicks), size(total)];
    });
  assert.deepEqual([heard.bids, heard.asks], [side(bids), side(asks)]);
}

function candleShown({ price, size, symbol }: NamedMarket, candle: Candle): object {
  return {
    time: new Date(candle.startMs).toISOString(),
    open: price(candle.openTicks),
    high: price(candle.highTicks),
    low: price(candle.lowTicks),
    close: price(candle.closeTicks),
    volume: size(candle.volumeLots),
    symbol,
  };
}

function byNumber(a: number, b: number): number {
  return a - b;
}
