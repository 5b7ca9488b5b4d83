// Every state change has an event: the state folded from events alone equals the engine's state
// after every frame of every flow, with poison commands, poison time steps, and voids.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsOf, applyFrame, createExchange, type Exchange } from '../../core/engine/index.ts';
import { RESTING } from '../../core/matching/index.ts';
import { type Event, type EventFrame, LIMIT_NAMES } from '../../core/messages/index.ts';
import { chosenSeed, drive, FLOW_NAMES } from '../flows/index.ts';
import type { Row } from '../projections/naive-candles.ts';
import { NaiveProjection } from '../projections/naive-projection.ts';
import { poisonedIn } from './compare.ts';

const seed = chosenSeed();
const COMMANDS = 3_000;
const POISONED_ONE_IN = 50;
const FRAMES_PER_CHECK = 7;

const seenKinds = new Set<Event['kind']>();

for (const flow of FLOW_NAMES) {
  test(`state from events equals the engine's state under ${flow}, seed ${seed}`, () => {
    const exchange = createExchange();
    const folded = new FoldedState();
    let frames = 0;
    const apply: Parameters<typeof drive>[0]['apply'] = (frame) =>
      applyFrame(exchange, frame, poisonedIn(POISONED_ONE_IN, exchange.commandsApplied, frame));
    for (const { seen } of drive({ flow, seed, commands: COMMANDS, apply })) {
      folded.see(seen);
      frames++;
      const isRare = seen.events.some(({ kind }) => kind === 'CommandVoided');
      if (isRare || frames % FRAMES_PER_CHECK === 0) compare(folded, exchange);
    }
    compare(folded, exchange);
  });
}

test('the flows include poisoned and voided commands', () => {
  for (const kind of ['CommandPoisoned', 'CommandVoided', 'DeadManSwitchFired'] as const) {
    assert.ok(seenKinds.has(kind), `no ${kind}`);
  }
});

/** Projected tables, and the freezes as the engine counts them. */
class FoldedState {
  readonly tables = new NaiveProjection();
  readonly frozenMarkets = new Map<number, number>();
  readonly frozenChannels = new Map<number, number>();

  see({ events, firstCommand, sequence, timeMs }: EventFrame): void {
    const time = new Date(timeMs).toISOString();
    for (const [index, event] of events.entries()) {
      seenKinds.add(event.kind);
      this.tables.see(event, { frame: sequence, index, time, firstCommand });
      if (event.kind === 'CommandPoisoned') {
        const by = event.command || firstCommand - 1;
        freeze(this.frozenMarkets, event.market, by);
        freeze(this.frozenChannels, event.channel, by);
      }
      if (event.kind === 'CommandVoided') {
        for (const frozen of [this.frozenMarkets, this.frozenChannels]) {
          for (const [id, by] of frozen) if (by === event.voided) frozen.delete(id);
        }
      }
    }
  }
}

/** An already frozen market stays frozen by the first command. */
function freeze(frozen: Map<number, number>, id: number, by: number): void {
  if (id !== 0 && by !== 0 && !frozen.has(id)) frozen.set(id, by);
}

function compare({ frozenChannels, frozenMarkets, tables }: FoldedState, exchange: Exchange): void {
  assert.deepEqual(foldedBalances(tables), balancesOf(exchange));
  assert.deepEqual(foldedOrders(tables), ordersOf(exchange));
  assert.deepEqual(foldedMarkets(tables, frozenMarkets), marketsOf(exchange));
  assert.deepEqual(foldedUsers(tables), usersOf(exchange));
  assert.deepEqual(foldedWithdrawals(tables), withdrawalsOf(exchange));
  assert.deepEqual(foldedSwitches(tables), switchesOf(exchange));
  const caps = [...tables.assets.values()].map((row) => row.issuance_cap_atoms);
  const issuanceCaps = exchange.assets.map(({ id }) => `${exchange.ledger.issuanceCapAtoms(id)}`);
  assert.deepEqual(caps, issuanceCaps);
  if (tables.limits.has('ordersMax')) {
    const limits = LIMIT_NAMES.map((name) => tables.limits.get(name)?.value);
    assert.deepEqual(
      limits,
      LIMIT_NAMES.map((name) => exchange.limits[name]),
    );
  }
  assert.equal(tables.limits.get('rulesVersion')?.value ?? 1, exchange.rulesVersion);
  const channels = [...exchange.channelsFrozenBy.entries()].filter(([, by]) => by !== 0);
  assert.deepEqual([...frozenChannels].sort(byFirst), channels);
  assert.equal(tables.trades.length, exchange.tradesExecuted);
}

function foldedBalances(tables: NaiveProjection): string[] {
  return [...tables.balances.values()]
    .map((row) => [row.owner, row.asset_id, row.available_atoms, row.held_atoms])
    .filter(([, , available, held]) => available !== '0' || held !== '0')
    .map((one) => one.join(' '))
    .sort();
}

function balancesOf(exchange: Exchange): string[] {
  return accountsOf(exchange)
    .filter(({ availableAtoms, heldAtoms }) => availableAtoms !== 0n || heldAtoms !== 0n)
    .map((one) => `${one.owner} ${one.asset} ${one.availableAtoms} ${one.heldAtoms}`)
    .sort();
}

function foldedOrders(tables: NaiveProjection): object[] {
  return [...tables.orders.values()]
    .filter(({ close_reason }) => close_reason === null)
    .map((row) => ({
      order: row.number,
      user: row.user_id,
      market: row.market_id,
      priceTicks: row.price_ticks,
      sizeLots: row.size_lots,
      remainingLots: Number(row.size_lots) - Number(row.filled_lots),
      stopTicks: row.stop_ticks,
      takesProfit: row.trigger === 'take_profit',
      waits: Number(row.stop_ticks) > 0 && row.triggered_at === null,
      clientOrderId: row.client_order_id,
    }))
    .sort((one, other) => Number(one.order) - Number(other.order));
}

function ordersOf({ books, clientOrderIds, details, users }: Exchange): object[] {
  const { orders } = books;
  const found = [];
  for (let user = 1; user <= users.size; user++) {
    for (let slot = users.firstOrder(user); slot !== 0; slot = details.userBehind(slot)) {
      const clientId = details.clientId(slot);
      found.push({
        order: orders.number(slot),
        user: users.id(user),
        market: orders.market(slot),
        priceTicks: orders.priceTicks(slot),
        sizeLots: orders.sizeLots(slot),
        remainingLots: orders.remainingLots(slot),
        stopTicks: orders.stopTicks(slot),
        takesProfit: orders.takesProfit(slot),
        waits: orders.state(slot) !== RESTING,
        clientOrderId: clientId === 0 ? '' : clientOrderIds.text(clientId),
      });
    }
  }
  return found.sort((one, other) => one.order - other.order);
}

function foldedMarkets(tables: NaiveProjection, frozen: Map<number, number>): object[] {
  return [...tables.markets.values()].map((row) => ({
    status: row.status,
    auctionEndsMs: row.auction_ends_at === null ? 0 : Date.parse(String(row.auction_ends_at)),
    frozenBy: frozen.get(Number(row.id)) ?? 0,
    lastTicks: lastPriceIn(tables, Number(row.id)),
    bandPpm: row.band_ppm,
    slippagePpm: row.slippage_ppm,
    referenceTicks: row.reference_ticks,
    fees: [...tables.marketFees.values()]
      .filter(({ market_id }) => market_id === row.id)
      .map(({ maker_ppm, taker_ppm, tier }) => [tier, maker_ppm, taker_ppm])
      .filter(([, maker, taker]) => maker !== 0 || taker !== 0)
      .sort(byFirst),
  }));
}

/** A direct trade has no orders and does not set the last price. */
function lastPriceIn(tables: NaiveProjection, market: number): unknown {
  const last = tables.trades.findLast((row) => row.market_id === market && row.maker_order !== 0);
  return last?.price_ticks ?? 0;
}

function marketsOf({ markets }: Exchange): object[] {
  return markets.map((market) => ({
    status: market.status,
    auctionEndsMs: market.auctionEndsMs,
    frozenBy: market.frozenBy,
    lastTicks: market.lastTicks,
    bandPpm: market.bandPpm,
    slippagePpm: market.slippagePpm,
    referenceTicks: market.referenceTicks,
    fees: [...market.makerPpmByTier]
      .map((maker, tier) => [tier, maker, market.takerPpmByTier[tier]])
      .filter(([, maker, taker]) => maker !== 0 || taker !== 0),
  }));
}

/** Returns only users whose fees or group differ from a user without a record. */
function foldedUsers(tables: NaiveProjection): string[] {
  const users = new Set([...tables.userFees.keys(), ...tables.userGroups.keys()]);
  return [...users]
    .map((user) => {
      const fees: Row = tables.userFees.get(user) ?? { tier: 1, discount_ppm: 0 };
      const group: Row = tables.userGroups.get(user) ?? { group_id: 0, house: false };
      return userLine(user, [fees.tier, fees.discount_ppm, group.group_id, group.house]);
    })
    .filter((line) => !line.endsWith(ORDINARY_USER))
    .sort();
}

function usersOf({ books, users }: Exchange): string[] {
  return Array.from({ length: users.size }, (_, index) => index + 1)
    .map((slot) => {
      const fees = [users.tier(slot), users.discountPpm(slot)];
      return userLine(users.id(slot), [...fees, books.groups[slot], users.isHouse(slot)]);
    })
    .filter((line) => !line.endsWith(ORDINARY_USER))
    .sort();
}

const ORDINARY_USER = ': 1 0 0 false';

function userLine(user: number, settings: readonly unknown[]): string {
  return `${user}: ${settings.join(' ')}`;
}

function foldedWithdrawals(tables: NaiveProjection): string[] {
  return tables.withdrawals
    .filter(({ status }) => status === 'open')
    .map(
      (row) =>
        `${row.withdrawal} ${row.user_id} ${row.asset_id} ${row.amount_atoms} ` +
        `${row.fee_asset_id} ${row.fee_atoms}`,
    )
    .sort();
}

function withdrawalsOf({ withdrawals }: Exchange): string[] {
  return [...withdrawals]
    .map(
      ([number, { amountAtoms, asset, feeAsset, feeAtoms, user }]) =>
        `${number} ${user} ${asset} ${amountAtoms} ${feeAsset} ${feeAtoms}`,
    )
    .sort();
}

function foldedSwitches(tables: NaiveProjection): string[] {
  return [...tables.switches.values()]
    .filter(({ deadline }) => deadline !== null)
    .map((row) => `${row.user_id} ${row.key_id} ${row.deadline}`)
    .sort();
}

function switchesOf({ switches }: Exchange): string[] {
  return switches
    .inOrder()
    .map(({ deadlineMs, key, user }) => `${user} ${key} ${new Date(deadlineMs).toISOString()}`)
    .sort();
}

function byFirst(one: readonly unknown[], other: readonly unknown[]): number {
  return Number(one[0]) - Number(other[0]);
}
