// A slow and simple projection: one event after another, one row after another, in plain objects.
// The projector's tables are compared with it. It shares no code with the projector.

import {
  type Event,
  type EventFrame,
  LIMIT_NAMES,
  postingsOf,
  type TradeExecuted,
} from '../../core/messages/index.ts';
import type { ProjectedTable } from '../../infra/projections/index.ts';
import { naiveCandles, type Row } from './naive-candles.ts';

export type NaiveTables = Record<ProjectedTable, Row[]>;

/** Position of an event, as table columns. */
interface Origin {
  readonly frame: number;
  readonly index: number;
  readonly time: string;
  readonly firstCommand: number;
}

/** PostgreSQL cannot store the character zero. */
function storable(text: string): string {
  return text.split('\0').join('\ufffd');
}

export class NaiveProjection {
  readonly orders = new Map<number, Row>();
  readonly prevented: Row[] = [];
  readonly trades: Row[] = [];
  readonly fills: Row[] = [];
  readonly entries: Row[] = [];
  readonly balances = new Map<string, Row>();
  readonly deposits: Row[] = [];
  readonly withdrawals: Row[] = [];
  readonly assets = new Map<number, Row>();
  readonly markets = new Map<number, Row>();
  readonly marketFees = new Map<string, Row>();
  readonly userFees = new Map<number, Row>();
  readonly userFeeChanges: Row[] = [];
  readonly userGroups = new Map<number, Row>();
  readonly limits = new Map<string, Row>();
  readonly freezes: Row[] = [];
  readonly anchors: Row[] = [];
  readonly switches = new Map<string, Row>();
  readonly minutes = new Map<string, Row>();

  see(event: Event, origin: Origin): void {
    this.#postings(event, origin);
    switch (event.kind) {
      case 'OrderPlaced':
      case 'OrderTriggered':
      case 'OrderAmended':
      case 'OrderClosed':
        this.#order(event, origin);
        break;
      case 'TradeExecuted':
        this.#trade(event, origin);
        break;
      case 'DepositCredited':
      case 'AssetMinted':
      case 'AssetBurned':
      case 'WithdrawalOpened':
      case 'WithdrawalCompleted':
      case 'WithdrawalCanceled':
        this.#money(event, origin);
        break;
      case 'DeadManSwitchSet':
      case 'DeadManSwitchFired':
        this.#switch(event, origin);
        break;
      case 'CommandPoisoned':
      case 'CommandVoided':
        this.#freeze(event, origin);
        break;
      case 'AuditAnchored':
        this.anchors.push({
          frame: origin.frame,
          event_index: origin.index,
          audit_seq: event.auditSequence,
          hash: event.hash,
          anchored_at: origin.time,
        });
        break;
      default:
        this.#configuration(event, origin);
    }
  }

  #postings(event: Event, { frame, index, time }: Origin): void {
    for (const [posting_index, { amountAtoms, asset, cause, from, to }] of [
      ...postingsOf(event).entries(),
    ]) {
      const sides = [
        { owner: from.owner, [from.part]: -amountAtoms },
        { owner: to.owner, [to.part]: amountAtoms },
      ] as { owner: number; available?: bigint; held?: bigint }[];
      if (from.owner === to.owner) {
        const [one, other] = sides.splice(0, 2);
        sides.push({ ...one, ...other });
      }
      for (const { available = 0n, held = 0n, owner } of sides) {
        this.entries.push({
          owner,
          asset_id: asset,
          frame,
          event_index: index,
          posting_index,
          available_change_atoms: `${available}`,
          held_change_atoms: `${held}`,
          cause_kind: cause.kind,
          cause_id: cause.id,
          command: event.command,
          reference: 'reference' in event ? storable(event.reference) : null,
          recorded_at: time,
        });
        const name = `${owner} ${asset}`;
        const before = this.balances.get(name);
        this.balances.set(name, {
          owner,
          asset_id: asset,
          updated_at: time,
          updated_frame: frame,
          available_atoms: `${BigInt(before?.available_atoms ?? 0) + available}`,
          held_atoms: `${BigInt(before?.held_atoms ?? 0) + held}`,
        });
      }
    }
  }

  #order(
    event: Extract<
      Event,
      { kind: 'OrderPlaced' | 'OrderTriggered' | 'OrderAmended' | 'OrderClosed' }
    >,
    { frame, time }: Origin,
  ): void {
    if (event.kind === 'OrderPlaced') {
      this.orders.set(event.order, {
        number: event.order,
        user_id: event.user,
        key_id: event.key,
        market_id: event.market,
        side: event.side,
        type: event.type,
        time_in_force: event.timeInForce,
        self_trade: event.selfTrade,
        post_only: event.postOnly,
        quick: event.quick,
        price_ticks: event.priceTicks,
        size_lots: event.sizeLots,
        stop_ticks: event.stopTicks,
        trigger: event.trigger,
        linked_order: event.linkedOrder,
        expires_at: event.expiresMs === 0 ? null : new Date(event.expiresMs).toISOString(),
        maker_fee_ppm: event.makerFeePpm,
        taker_fee_ppm: event.takerFeePpm,
        filled_lots: 0,
        filled_quote_atoms: '0',
        fee_atoms: '0',
        status: 'new',
        close_reason: null,
        client_order_id: event.clientOrderId,
        note: storable(event.note),
        created_at: time,
        created_frame: frame,
        triggered_at: null,
        updated_at: time,
        updated_frame: frame,
      });
      return;
    }
    const order = this.#orderOf(event.order);
    Object.assign(order, { updated_at: time, updated_frame: frame });
    if (event.kind === 'OrderTriggered') order.triggered_at = time;
    if (event.kind === 'OrderAmended') {
      Object.assign(order, { price_ticks: event.priceTicks, size_lots: event.sizeLots });
      if (event.stopTicks > 0) order.stop_ticks = event.stopTicks;
    }
    if (event.kind !== 'OrderClosed') return;
    order.close_reason = event.reason;
    order.status = event.reason === 'filled' ? 'filled' : 'canceled';
    if (!['self_trade_prevented', 'price_outside_band'].includes(event.reason)) return;
    this.prevented.push({
      number: event.order,
      user_id: event.user,
      market_id: event.market,
      reason: event.reason,
      ended_at: time,
    });
  }

  #orderOf(number: number): Row {
    const order = this.orders.get(number);
    if (order === undefined) throw new Error(`order ${number} was never placed`);
    return order;
  }

  #trade(event: TradeExecuted, { frame, time }: Origin): void {
    this.trades.push({
      number: event.trade,
      market_id: event.market,
      base_id: event.base,
      quote_id: event.quote,
      taker_side: event.takerSide,
      price_ticks: event.priceTicks,
      size_lots: event.sizeLots,
      maker_order: event.makerOrder,
      taker_order: event.takerOrder,
      maker_id: event.maker,
      taker_id: event.taker,
      base_atoms: `${event.baseAtoms}`,
      quote_atoms: `${event.quoteAtoms}`,
      maker_fee_atoms: `${event.makerFeeAtoms}`,
      taker_fee_atoms: `${event.takerFeeAtoms}`,
      house: event.house,
      quick: event.quick,
      command: event.command,
      frame,
      executed_at: time,
    });
    const otherSide = event.takerSide === 'buy' ? 'sell' : 'buy';
    const sides = [
      {
        liquidity: 'maker',
        user: event.maker,
        order: event.makerOrder,
        side: otherSide,
        fee: event.makerFeeAtoms,
      },
      {
        liquidity: 'taker',
        user: event.taker,
        order: event.takerOrder,
        side: event.takerSide,
        fee: event.takerFeeAtoms,
      },
    ];
    for (const { fee, liquidity, order, side, user } of sides) {
      this.fills.push({
        user_id: user,
        trade: event.trade,
        liquidity,
        market_id: event.market,
        side,
        price_ticks: event.priceTicks,
        size_lots: event.sizeLots,
        quote_atoms: `${event.quoteAtoms}`,
        order_number: order,
        fee_asset_id: side === 'buy' ? event.base : event.quote,
        fee_atoms: `${fee}`,
        quick: event.quick,
        executed_at: time,
      });
      if (order === 0) continue;
      const row = this.#orderOf(order);
      row.filled_lots = Number(row.filled_lots) + event.sizeLots;
      row.filled_quote_atoms = `${BigInt(row.filled_quote_atoms ?? 0) + event.quoteAtoms}`;
      row.fee_atoms = `${BigInt(row.fee_atoms ?? 0) + fee}`;
      row.status = 'pfilled';
      Object.assign(row, { updated_at: time, updated_frame: frame });
    }
  }

  #money(event: Event, { time }: Origin): void {
    if (event.kind === 'DepositCredited' || event.kind === 'AssetMinted') {
      this.deposits.push({
        command: event.command,
        kind: event.kind === 'AssetMinted' ? 'mint' : 'deposit',
        user_id: event.user,
        asset_id: event.asset,
        amount_atoms: `${event.amountAtoms}`,
        reference: storable(event.reference),
        created_at: time,
      });
    }
    if (event.kind === 'AssetBurned' || event.kind === 'WithdrawalOpened') {
      const isBurn = event.kind === 'AssetBurned';
      this.withdrawals.push({
        command: event.command,
        kind: isBurn ? 'burn' : 'withdrawal',
        withdrawal: isBurn ? null : event.withdrawal,
        user_id: event.user,
        asset_id: event.asset,
        amount_atoms: `${event.amountAtoms}`,
        fee_asset_id: isBurn ? event.asset : event.feeAsset,
        fee_atoms: isBurn ? '0' : `${event.feeAtoms}`,
        status: isBurn ? 'completed' : 'open',
        reference: isBurn ? storable(event.reference) : '',
        created_at: time,
        updated_at: time,
      });
    }
    if (event.kind !== 'WithdrawalCompleted' && event.kind !== 'WithdrawalCanceled') return;
    const row = this.withdrawals.find(
      ({ status, withdrawal }) => status === 'open' && withdrawal === event.withdrawal,
    );
    if (row === undefined) throw new Error(`withdrawal ${event.withdrawal} is not open`);
    row.status = event.kind === 'WithdrawalCompleted' ? 'completed' : 'canceled';
    row.updated_at = time;
    if (event.kind === 'WithdrawalCompleted') row.reference = storable(event.reference);
  }

  #switch(
    event: Extract<Event, { kind: 'DeadManSwitchSet' | 'DeadManSwitchFired' }>,
    { time }: Origin,
  ): void {
    const name = `${event.user} ${event.key}`;
    const row = this.switches.get(name) ?? { fired_at: null, orders_canceled: 0 };
    Object.assign(row, { user_id: event.user, key_id: event.key, deadline: null });
    row.updated_at = time;
    if (event.kind === 'DeadManSwitchFired') {
      Object.assign(row, { fired_at: time, orders_canceled: event.ordersCanceled });
    } else if (event.deadlineMs > 0) {
      row.deadline = new Date(event.deadlineMs).toISOString();
    }
    this.switches.set(name, row);
  }

  #freeze(
    event: Extract<Event, { kind: 'CommandPoisoned' | 'CommandVoided' }>,
    { firstCommand, frame, index, time }: Origin,
  ): void {
    if (event.kind === 'CommandPoisoned') {
      this.freezes.push({
        frame,
        event_index: index,
        // A time step freezes under the last command before its frame.
        command: event.command || firstCommand - 1,
        frozen_at: time,
        market_id: event.market || null,
        channel: event.channel || null,
        voided_at: null,
      });
      return;
    }
    for (const row of this.freezes) {
      if (row.command === event.voided && row.voided_at === null) row.voided_at = time;
    }
  }

  #configuration(event: Event, { time }: Origin): void {
    switch (event.kind) {
      case 'AssetListed':
        this.assets.set(event.asset, {
          id: event.asset,
          symbol: event.symbol,
          scale: event.scale,
          issuance_cap_atoms: `${event.issuanceCapAtoms}`,
          listed_at: time,
        });
        break;
      case 'IssuanceCapSet':
        this.assets.get(event.asset)!.issuance_cap_atoms = `${event.issuanceCapAtoms}`;
        break;
      case 'MarketListed':
        this.#list(event, time);
        break;
      case 'MarketStatusSet':
        Object.assign(this.markets.get(event.market)!, {
          status: event.status,
          auction_ends_at: timeOrNull(event.auctionEndsMs),
          updated_at: time,
        });
        break;
      case 'PriceBandSet':
        Object.assign(this.markets.get(event.market)!, {
          band_ppm: event.bandPpm,
          slippage_ppm: event.slippagePpm,
          reference_ticks: event.referenceTicks,
          updated_at: time,
        });
        break;
      case 'BandReferenceMoved':
        this.markets.get(event.market)!.reference_ticks = event.referenceTicks;
        break;
      case 'MarketFeesSet':
        this.marketFees.set(`${event.market} ${event.tier}`, {
          market_id: event.market,
          tier: event.tier,
          maker_ppm: event.makerPpm,
          taker_ppm: event.takerPpm,
          updated_at: time,
        });
        break;
      case 'UserFeesSet':
        this.userFees.set(event.user, {
          user_id: event.user,
          tier: event.tier,
          discount_ppm: event.discountPpm,
          updated_at: time,
        });
        this.userFeeChanges.push({
          user_id: event.user,
          command: event.command,
          tier: event.tier,
          discount_ppm: event.discountPpm,
          changed_at: time,
        });
        break;
      case 'UserGroupSet':
        this.userGroups.set(event.user, {
          user_id: event.user,
          group_id: event.group,
          house: event.house,
          updated_at: time,
        });
        break;
      case 'RulesVersionSet':
        this.limits.set('rulesVersion', {
          name: 'rulesVersion',
          value: event.version,
          updated_at: time,
        });
        break;
      case 'LimitsSet':
        for (const name of LIMIT_NAMES) {
          this.limits.set(name, { name, value: event[name], updated_at: time });
        }
    }
  }

  #list(event: Extract<Event, { kind: 'MarketListed' }>, time: string): void {
    const symbol = (asset: number) => this.assets.get(asset)!.symbol;
    this.markets.set(event.market, {
      id: event.market,
      name: `${symbol(event.base)}-${symbol(event.quote)}`,
      base_id: event.base,
      quote_id: event.quote,
      lot_atoms: `${event.lotAtoms}`,
      tick_mantissa: event.tickMantissa,
      tick_scale: event.tickScale,
      tick_lot_atoms: `${event.tickLotAtoms}`,
      min_price_ticks: event.minPriceTicks,
      max_price_ticks: event.maxPriceTicks,
      min_size_lots: event.minSizeLots,
      max_size_lots: event.maxSizeLots,
      reference_ticks: event.referenceTicks,
      band_ppm: 0,
      slippage_ppm: 0,
      status: event.status,
      auction_ends_at: null,
      listed_at: time,
      updated_at: time,
    });
  }
}

function timeOrNull(timeMs: number): string | null {
  return timeMs === 0 ? null : new Date(timeMs).toISOString();
}

export function naiveTables(frames: Iterable<EventFrame>): NaiveTables {
  const tables = new NaiveProjection();
  const trades: { event: TradeExecuted; timeMs: number }[] = [];
  for (const { events, firstCommand, sequence: frame, timeMs } of frames) {
    const time = new Date(timeMs).toISOString();
    for (const [index, event] of events.entries()) {
      tables.see(event, { frame, index, time, firstCommand });
      if (event.kind === 'TradeExecuted') trades.push({ event, timeMs });
    }
    const start = `${time.slice(0, 16)}:00.000Z`;
    if (events.length === 0 || tables.minutes.has(start)) continue;
    tables.minutes.set(start, { start, first_command: firstCommand });
  }
  return {
    assets: [...tables.assets.values()],
    markets: [...tables.markets.values()],
    market_fees: [...tables.marketFees.values()],
    user_fees: [...tables.userFees.values()],
    user_fee_changes: tables.userFeeChanges,
    user_groups: [...tables.userGroups.values()],
    limits: [...tables.limits.values()],
    freezes: tables.freezes,
    audit_anchors: tables.anchors,
    dead_man_switches: [...tables.switches.values()],
    minutes: [...tables.minutes.values()],
    orders: [...tables.orders.values()],
    prevented_orders: tables.prevented,
    trades: tables.trades,
    fills: tables.fills,
    candles: naiveCandles(trades),
    balances: [...tables.balances.values()],
    ledger_entries: tables.entries,
    deposits: tables.deposits,
    withdrawals: tables.withdrawals,
  };
}
