// Everything that one transaction writes, folded from event frames as they arrive. A batch can be
// written again after a failure. Folding must never access the database.

import { MINUTE_MS } from '../../core/market-data/index.ts';
import { decodeEventFrame, type Event, outlineFrame } from '../../core/messages/index.ts';
import {
  batchAfter,
  type EventBatch,
  type EventPart,
  equalBytes,
} from '../../infra/journal/index.ts';
import { CopyRows } from '../../infra/postgres/index.ts';
import { monthOf } from '../../infra/projections/index.ts';
import { AccountChanges } from './account-changes.ts';
import { CandleChanges } from './candle-changes.ts';
import type { Cursor } from './cursor.ts';
import type { EventPosition } from './event-position.ts';
import type { EventHandler, Statement, TableChanges } from './events/event-handler.ts';
import { handlersFor } from './handlers.ts';
import { OrderChanges } from './order-changes.ts';
import { SwitchChanges } from './switch-changes.ts';
import { fillRows, tradeRows } from './trade-rows.ts';

/** The log cannot be projected: its hash chain is broken, or it is newer than this release. */
export class ProjectionFault extends Error {
  override readonly name = 'ProjectionFault';
}

const DEPOSIT_COLUMNS = [
  'command',
  'kind',
  'user_id',
  'asset_id',
  'amount_atoms',
  'reference',
  'created_at',
];
const PREVENTED_COLUMNS = ['number', 'user_id', 'market_id', 'reason', 'ended_at'];

export class Batch implements TableChanges {
  readonly before: Cursor;
  readonly orders = new OrderChanges();
  readonly accounts = new AccountChanges();
  readonly candles = new CandleChanges();
  readonly switches = new SwitchChanges();
  readonly trades: CopyRows = tradeRows();
  readonly fills: CopyRows = fillRows();
  readonly deposits = new CopyRows('deposits', DEPOSIT_COLUMNS);
  readonly preventedOrders = new CopyRows('prevented_orders', PREVENTED_COLUMNS);
  /** Statements for rare events, executed one by one in this order. */
  readonly statements: Statement[] = [];
  /** First command in each minute in which a frame of the batch starts. */
  readonly minutes = new Map<number, number>();
  /** Months with rows in this batch. */
  readonly months = new Set<number>();
  #after: Cursor;
  #events = 0;
  #minuteEndsMs = -Infinity;

  constructor(before: Cursor) {
    this.before = before;
    this.#after = before;
  }

  get after(): Cursor {
    return this.#after;
  }

  get events(): number {
    return this.#events;
  }

  get isEmpty(): boolean {
    return this.#after === this.before;
  }

  get rows(): number {
    const { accounts, deposits, fills, orders, preventedOrders, statements, trades } = this;
    const copied = trades.count + fills.count + deposits.count + preventedOrders.count;
    return copied + accounts.entries.count + orders.size + accounts.accounts + statements.length;
  }

  /** Adds the next message in the EVENTS log. Throws ProjectionFault if it is not the next one. */
  add(eventsSequence: number, message: EventBatch): void {
    if (eventsSequence !== this.#after.eventsSequence + 1) {
      throw new ProjectionFault(`message ${eventsSequence} follows ${this.#after.eventsSequence}`);
    }
    const { chainHash, frameSequence: frame, isComplete, part } = this.#after;
    // If the log was rewritten, the tables might contain a part of the message.
    const isWhole = equalBytes(message.previousHash, chainHash);
    const rest = isWhole ? message : batchAfter(message, { frame, part, isComplete });
    const { hash, parts, previousHash } = rest;
    if (!equalBytes(previousHash, chainHash)) {
      throw new ProjectionFault(`message ${eventsSequence} breaks the hash chain of EVENTS`);
    }
    for (const part of parts) this.#addPart(part);
    this.#after = { ...this.#after, eventsSequence, chainHash: hash };
  }

  #addPart({ bytes, isLast, part, sequence }: EventPart): void {
    const { frameEvents, frameSequence, isComplete } = this.#after;
    const follows = isComplete
      ? sequence === frameSequence + 1 && part === 0
      : sequence === frameSequence && part === this.#after.part + 1;
    if (!follows) {
      throw new ProjectionFault(`part ${part} of frame ${sequence} follows frame ${frameSequence}`);
    }
    const handlers = handlersFor(outlineFrame(bytes).schemaVersion);
    const { events, firstCommand, timeMs } = decodeEventFrame(bytes);
    const firstIndex = part === 0 ? 0 : frameEvents;
    for (let index = 0; index < events.length; index++) {
      const event = events[index];
      const eventIndex = firstIndex + index;
      const position: EventPosition = { frame: sequence, eventIndex, timeMs, firstCommand };
      this.accounts.post(event, position);
      // TypeScript cannot express that the handler and the event have the same kind.
      const handle = handlers[event.kind] as EventHandler<Event>;
      handle(event, this, position);
    }
    if (events.length > 0) this.#noteTime(timeMs, firstCommand);
    this.#events += events.length;
    this.#after = {
      ...this.#after,
      frameSequence: sequence,
      part,
      isComplete: isLast,
      frameEvents: firstIndex + events.length,
      timeMs,
    };
  }

  #noteTime(timeMs: number, firstCommand: number): void {
    const minuteMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
    if (minuteMs < this.#minuteEndsMs) return;
    this.#minuteEndsMs = minuteMs + MINUTE_MS;
    if (!this.minutes.has(minuteMs)) this.minutes.set(minuteMs, firstCommand);
    this.months.add(monthOf(timeMs));
  }
}
