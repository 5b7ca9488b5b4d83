// `diff`: differences between two moments in accounts, open orders, configuration and counters.
// Both ends come from the engine itself; events only provide reasons and counts.

import { accountsOf, bookOf, type Exchange } from '../../core/engine/index.ts';
import type { Event } from '../../core/messages/index.ts';
import type { AssetId, Lots, MarketId, Ticks } from '../../core/money/index.ts';
import {
  type ReplaySource,
  type Replica,
  replay,
  replayTo,
  startReplica,
} from '../../infra/replica/index.ts';
import { eventSentence } from './event-sentence.ts';
import { type Moment, sequenceAt } from './moments.ts';
import { Names, ownerText } from './names.ts';

export interface DiffOptions {
  readonly from: Moment;
  readonly to: Moment;
  /** Maximum number of items in each list. */
  readonly limit: number;
}

/** First items of a list, and the number of further ones. */
export interface Some<Item> {
  readonly shown: readonly Item[];
  readonly more: number;
}

export interface AccountChange {
  readonly account: string;
  readonly symbol: string;
  readonly scale: number;
  readonly availableAtoms: Change;
  readonly heldAtoms: Change;
}

/** A missing account counts as empty. */
export interface Change {
  readonly before: bigint;
  readonly after: bigint;
}

export interface OrderChange {
  readonly order: number;
  readonly user: number;
  readonly market: string;
  readonly side: 'buy' | 'sell';
  /** Resting price; for a stop, its trigger price. */
  readonly price: string;
  readonly isStop: boolean;
  /** Remaining size at the later moment; for a closed order, at the earlier one. */
  readonly remaining: string;
  /** Why it closed, or its earlier state. */
  readonly note: string;
}

export interface ConfigurationChange {
  readonly sequence: number;
  readonly command: number;
  readonly sentence: string;
}

export interface CounterChange {
  readonly counter: string;
  readonly before: number;
  readonly after: number;
}

export interface Diff {
  readonly from: { readonly sequence: number; readonly timeMs: number };
  readonly to: { readonly sequence: number; readonly timeMs: number };
  readonly counters: readonly CounterChange[];
  /** Number of events of each kind. */
  readonly events: Readonly<Record<string, number>>;
  readonly configuration: Some<ConfigurationChange>;
  readonly accounts: Some<AccountChange>;
  readonly ordersOpened: Some<OrderChange>;
  readonly ordersClosed: Some<OrderChange>;
  readonly ordersChanged: Some<OrderChange>;
  /** Orders that exist at neither moment. */
  readonly ordersInBetween: number;
}

export class WrongOrderFault extends Error {
  override readonly name = 'WrongOrderFault';
}

export async function diff(source: ReplaySource, options: DiffOptions): Promise<Diff> {
  const { archive } = source;
  const [from, to] = [
    await sequenceAt(archive, options.from),
    await sequenceAt(archive, options.to),
  ];
  if (from > to) throw new WrongOrderFault(`frame ${from} comes after frame ${to}`);
  const replica = await startReplica(source, from);
  await replayTo(archive, replica, from);
  const names = new Names(replica.exchange);
  const before = look(replica, names);
  const seen = new Seen(names, before.orders);
  for await (const { frame, events } of replay(archive, replica, to)) {
    for (const event of events.events) seen.see(event, frame.sequence);
  }
  const after = look(replica, names);
  const first = <Item>(items: readonly Item[]): Some<Item> => ({
    shown: items.slice(0, options.limit),
    more: Math.max(0, items.length - options.limit),
  });
  const opened = [...after.orders.values()].filter(({ order }) => !before.orders.has(order));
  const closed = [...before.orders.values()].filter(({ order }) => !after.orders.has(order));
  return {
    from: { sequence: from, timeMs: before.timeMs },
    to: { sequence: to, timeMs: after.timeMs },
    counters: changedCounters(before.counters, after.counters),
    events: Object.fromEntries([...seen.events].sort()),
    configuration: first(seen.configuration),
    accounts: first(changedAccounts(replica.exchange, before, after)),
    ordersOpened: first(opened),
    ordersClosed: first(
      closed.map((order) => ({ ...order, note: seen.reasons.get(order.order) ?? '' })),
    ),
    ordersChanged: first(changedOrders(before, after)),
    ordersInBetween: seen.placed - opened.length,
  };
}

interface Account {
  readonly owner: number;
  readonly asset: AssetId;
  readonly availableAtoms: bigint;
  readonly heldAtoms: bigint;
}

interface Look {
  readonly timeMs: number;
  readonly counters: ReadonlyMap<string, number>;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly orders: ReadonlyMap<number, OrderChange>;
}

function look({ epoch, exchange }: Replica, names: Names): Look {
  const accounts = accountsOf(exchange).map((account): [string, Account] => [
    `${account.owner}/${account.asset}`,
    account,
  ]);
  const orders = exchange.markets.flatMap(({ id }) => ordersOf(exchange, id, names));
  return {
    timeMs: exchange.timeMs,
    counters: countersOf(exchange, epoch),
    accounts: new Map(accounts),
    orders: new Map(orders.map((order) => [order.order, order])),
  };
}

function countersOf(exchange: Exchange, epoch: number): Map<string, number> {
  const { channelSequences, ledger, markets, withdrawals } = exchange;
  const counters = new Map([
    ['epoch', epoch],
    ['commands', exchange.commandsApplied],
    ['trades', exchange.tradesExecuted],
    ['users', exchange.users.size],
    ['accounts', ledger.accounts.size],
    ['open orders', exchange.books.orders.size],
    ['open withdrawals', withdrawals.size],
    ['armed switches', exchange.switches.size],
    ['frozen markets', markets.filter(({ frozenBy }) => frozenBy !== 0).length],
    ['frozen channels', exchange.channelsFrozenBy.filter((by) => by !== 0).length],
  ]);
  for (const [channel, sequence] of channelSequences.entries()) {
    if (sequence !== 0) counters.set(`channel ${channel}`, sequence);
  }
  return counters;
}

function ordersOf(exchange: Exchange, market: MarketId, names: Names): OrderChange[] {
  const { bids, asks, stops } = bookOf(exchange, market);
  const place = { market: names.market(market), note: '' };
  const size = (lots: Lots) => names.size(market, lots);
  const price = (ticks: Ticks) => names.price(market, ticks);
  const resting = [
    ...bids.map((level) => ({ ...level, side: 'buy' as const })),
    ...asks.map((level) => ({ ...level, side: 'sell' as const })),
  ].flatMap(({ orders, priceTicks, side }) =>
    orders.map(({ order, user, remainingLots }) => ({
      ...place,
      order,
      user,
      side,
      isStop: false,
      price: price(priceTicks),
      remaining: size(remainingLots),
    })),
  );
  const waiting = stops.map(({ order, user, side, remainingLots, stopTicks }) => ({
    ...place,
    order,
    user,
    side,
    isStop: true,
    price: price(stopTicks),
    remaining: size(remainingLots),
  }));
  return [...resting, ...waiting];
}

/** Values that only the events between the two moments show. */
class Seen {
  readonly events = new Map<string, number>();
  readonly configuration: ConfigurationChange[] = [];
  /** Closing reasons of orders that exist at the earlier moment. */
  readonly reasons = new Map<number, string>();
  placed = 0;
  readonly #names: Names;
  readonly #known: ReadonlyMap<number, unknown>;

  constructor(names: Names, known: ReadonlyMap<number, unknown>) {
    this.#names = names;
    this.#known = known;
  }

  see(event: Event, sequence: number): void {
    const { kind, command } = event;
    this.events.set(kind, (this.events.get(kind) ?? 0) + 1);
    if (kind === 'OrderPlaced') this.placed++;
    if (kind === 'OrderClosed' && this.#known.has(event.order)) {
      this.reasons.set(event.order, event.reason);
    }
    if (CONFIGURATION.has(kind)) {
      const sentence = eventSentence(this.#names, event);
      this.configuration.push({ sequence, command, sentence });
    }
  }
}

const CONFIGURATION: ReadonlySet<Event['kind']> = new Set([
  'AssetListed',
  'IssuanceCapSet',
  'MarketListed',
  'MarketStatusSet',
  'MarketFeesSet',
  'UserFeesSet',
  'UserGroupSet',
  'PriceBandSet',
  'LimitsSet',
  'RulesVersionSet',
  'AuctionPriceSet',
  'CommandPoisoned',
  'CommandVoided',
]);

function changedCounters(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): CounterChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((counter) => ({
      counter,
      before: before.get(counter) ?? 0,
      after: after.get(counter) ?? 0,
    }))
    .filter((change) => change.before !== change.after);
}

function changedAccounts({ assets }: Exchange, before: Look, after: Look): AccountChange[] {
  const accounts = [...after.accounts.entries()].map(([name, now]) => {
    const was = before.accounts.get(name);
    const availableAtoms = { before: was?.availableAtoms ?? 0n, after: now.availableAtoms };
    const heldAtoms = { before: was?.heldAtoms ?? 0n, after: now.heldAtoms };
    return { owner: now.owner, asset: now.asset, availableAtoms, heldAtoms };
  });
  return accounts
    .filter(({ availableAtoms, heldAtoms }) => isChanged(availableAtoms) || isChanged(heldAtoms))
    .sort((one, other) => one.owner - other.owner || one.asset - other.asset)
    .map(({ owner, asset, availableAtoms, heldAtoms }) => {
      const { symbol, scale } = assets[asset - 1];
      return { account: ownerText(owner), symbol, scale, availableAtoms, heldAtoms };
    });
}

function isChanged({ before, after }: Change): boolean {
  return before !== after;
}

function changedOrders(before: Look, after: Look): OrderChange[] {
  return [...after.orders.values()].flatMap((now) => {
    const was = before.orders.get(now.order);
    if (was === undefined) return [];
    const isSame =
      was.price === now.price && was.remaining === now.remaining && was.isStop === now.isStop;
    return isSame ? [] : [{ ...now, note: `was ${was.remaining} at ${was.price}` }];
  });
}
