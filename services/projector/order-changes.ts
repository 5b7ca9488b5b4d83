// A batch's order changes. Writes each order once, regardless of its number of events: as a new row
// if it was placed in this batch, otherwise as one update.

import {
  type OrderEventTarget,
  orderStatus,
  type TradeSide,
} from '../../core/market-data/index.ts';
import type {
  CloseReason,
  OrderAmended,
  OrderClosed,
  OrderPlaced,
  OrderTriggered,
} from '../../core/messages/index.ts';
import type { Lots } from '../../core/money/index.ts';
import { type Connection, CopyRows, columnArrays } from '../../infra/postgres/index.ts';
import { orderPartition, orderPartitionTable } from '../../infra/projections/index.ts';
import type { EventPosition } from './event-position.ts';

/** The changes since the start of the batch. */
interface OrderChange {
  readonly number: number;
  placed: OrderPlaced | undefined;
  placedAt: EventPosition | undefined;
  /** Undefined if not amended. */
  priceTicks: number | undefined;
  sizeLots: Lots | undefined;
  stopTicks: number | undefined;
  filledLots: number;
  filledQuoteAtoms: bigint;
  feeAtoms: bigint;
  closeReason: CloseReason | undefined;
  triggeredMs: number | undefined;
  updatedAt: EventPosition;
}

const COLUMNS = [
  'number',
  'user_id',
  'key_id',
  'market_id',
  'side',
  'type',
  'time_in_force',
  'self_trade',
  'post_only',
  'quick',
  'price_ticks',
  'size_lots',
  'stop_ticks',
  'trigger',
  'linked_order',
  'expires_at',
  'maker_fee_ppm',
  'taker_fee_ppm',
  'filled_lots',
  'filled_quote_atoms',
  'fee_atoms',
  'status',
  'close_reason',
  'client_order_id',
  'note',
  'created_at',
  'created_frame',
  'triggered_at',
  'updated_at',
  'updated_frame',
];

// Names the partition to keep the planner from considering all others.
const UPDATE = `
  update $TABLE o set
    price_ticks = coalesce(c.price_ticks, o.price_ticks),
    size_lots = coalesce(c.size_lots, o.size_lots),
    stop_ticks = coalesce(c.stop_ticks, o.stop_ticks),
    filled_lots = o.filled_lots + c.filled_lots,
    filled_quote_atoms = o.filled_quote_atoms + c.filled_quote_atoms,
    fee_atoms = o.fee_atoms + c.fee_atoms,
    status = case
      when c.close_reason = 'filled' then 'filled'
      when c.close_reason is not null then 'canceled'
      when o.filled_lots + c.filled_lots > 0 then 'pfilled'
      else 'new'
    end,
    close_reason = c.close_reason,
    triggered_at = coalesce(c.triggered_at, o.triggered_at),
    updated_at = c.updated_at,
    updated_frame = c.updated_frame
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
      $7::bigint[], $8::text[], $9::timestamptz[], $10::timestamptz[], $11::bigint[])
    as c(number, price_ticks, size_lots, stop_ticks, filled_lots, filled_quote_atoms, fee_atoms,
      close_reason, triggered_at, updated_at, updated_frame)
  where o.number = c.number`;

export class OrderChanges implements OrderEventTarget<EventPosition> {
  readonly #changes = new Map<number, OrderChange>();
  #placedMin = Infinity;
  #placedMax = 0;

  get size(): number {
    return this.#changes.size;
  }

  /** Lowest and highest number of the placed orders. */
  get placedRange(): readonly [min: number, max: number] | undefined {
    return this.#placedMax === 0 ? undefined : [this.#placedMin, this.#placedMax];
  }

  placed(event: OrderPlaced, position: EventPosition): void {
    const change = this.#touch(event.order, position);
    change.placed = event;
    change.placedAt = position;
    this.#placedMin = Math.min(this.#placedMin, event.order);
    this.#placedMax = Math.max(this.#placedMax, event.order);
  }

  filled(fill: TradeSide, position: EventPosition): void {
    const change = this.#touch(fill.order, position);
    change.filledLots += fill.sizeLots;
    change.filledQuoteAtoms += fill.quoteAtoms;
    change.feeAtoms += fill.feeAtoms;
  }

  triggered(event: OrderTriggered, position: EventPosition): void {
    this.#touch(event.order, position).triggeredMs = position.timeMs;
  }

  amended(event: OrderAmended, position: EventPosition): void {
    const change = this.#touch(event.order, position);
    change.priceTicks = event.priceTicks;
    change.sizeLots = event.sizeLots;
    if (event.stopTicks > 0) change.stopTicks = event.stopTicks;
  }

  closed(event: OrderClosed, position: EventPosition): void {
    this.#touch(event.order, position).closeReason = event.reason;
  }

  async write(connection: Connection, ordersPerPartition: number): Promise<void> {
    const rows = new CopyRows('orders', COLUMNS);
    const changed = new Map<number, OrderChange[]>();
    for (const change of this.#changes.values()) {
      if (change.placed !== undefined) {
        addRow(rows, change, change.placed);
        continue;
      }
      const partition = orderPartition(change.number, ordersPerPartition);
      const others = changed.get(partition);
      if (others === undefined) changed.set(partition, [change]);
      else others.push(change);
    }
    await rows.copy(connection);
    rows.release();
    for (const [partition, changes] of changed) await update(connection, partition, changes);
  }

  #touch(number: number, position: EventPosition): OrderChange {
    let change = this.#changes.get(number);
    if (change === undefined) {
      change = {
        number,
        placed: undefined,
        placedAt: undefined,
        priceTicks: undefined,
        sizeLots: undefined,
        stopTicks: undefined,
        filledLots: 0,
        filledQuoteAtoms: 0n,
        feeAtoms: 0n,
        closeReason: undefined,
        triggeredMs: undefined,
        updatedAt: position,
      };
      this.#changes.set(number, change);
    }
    change.updatedAt = position;
    return change;
  }
}

function addRow(rows: CopyRows, change: OrderChange, placed: OrderPlaced): void {
  const { closeReason, filledLots, placedAt = change.updatedAt, triggeredMs, updatedAt } = change;
  const sizeLots = change.sizeLots ?? placed.sizeLots;
  const remainingLots = (sizeLots - filledLots) as Lots;
  rows.row().integer(placed.order).integer(placed.user).integer(placed.key).integer(placed.market);
  rows.text(placed.side).text(placed.type).text(placed.timeInForce).text(placed.selfTrade);
  rows.boolean(placed.postOnly).boolean(placed.quick);
  rows.integer(change.priceTicks ?? placed.priceTicks).integer(sizeLots);
  rows
    .integer(change.stopTicks ?? placed.stopTicks)
    .text(placed.trigger)
    .integer(placed.linkedOrder);
  if (placed.expiresMs === 0) rows.null();
  else rows.time(placed.expiresMs);
  rows.integer(placed.makerFeePpm).integer(placed.takerFeePpm);
  rows.integer(filledLots).bigint(change.filledQuoteAtoms).bigint(change.feeAtoms);
  rows.text(orderStatus({ remainingLots, sizeLots }, closeReason));
  if (closeReason === undefined) rows.null();
  else rows.text(closeReason);
  rows.text(placed.clientOrderId).text(placed.note);
  rows.time(placedAt.timeMs).integer(placedAt.frame);
  if (triggeredMs === undefined) rows.null();
  else rows.time(triggeredMs);
  rows.time(updatedAt.timeMs).integer(updatedAt.frame);
}

const CHANGED = [
  'number',
  'priceTicks',
  'sizeLots',
  'stopTicks',
  'filledLots',
  'filledQuoteAtoms',
  'feeAtoms',
  'closeReason',
  'triggeredAt',
  'updatedAt',
  'updatedFrame',
] as const;

async function update(
  connection: Connection,
  partition: number,
  changes: readonly OrderChange[],
): Promise<void> {
  const columns = columnArrays(CHANGED);
  for (const change of changes) {
    columns.number.add(change.number);
    columns.priceTicks.add(change.priceTicks);
    columns.sizeLots.add(change.sizeLots);
    columns.stopTicks.add(change.stopTicks);
    columns.filledLots.add(change.filledLots);
    columns.filledQuoteAtoms.add(change.filledQuoteAtoms);
    columns.feeAtoms.add(change.feeAtoms);
    columns.closeReason.add(change.closeReason);
    columns.triggeredAt.addTime(change.triggeredMs);
    columns.updatedAt.addTime(change.updatedAt.timeMs);
    columns.updatedFrame.add(change.updatedAt.frame);
  }
  const values = CHANGED.map((name) => columns[name].literal);
  const text = UPDATE.replace('$TABLE', orderPartitionTable(partition));
  const name = `orders ${partition}`;
  const { rowCount } = await connection.query({ name, text, values });
  if (rowCount !== changes.length) {
    throw new Error(`updated ${rowCount} orders, expected ${changes.length}`);
  }
}
