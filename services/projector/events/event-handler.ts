// Types of event handlers. A handler adds the effect of one event to a batch's changes, and must
// never access the database.

import type { Event } from '../../../core/messages/index.ts';
import type { CopyRows } from '../../../infra/postgres/index.ts';
import type { CandleChanges } from '../candle-changes.ts';
import type { EventPosition } from '../event-position.ts';
import type { OrderChanges } from '../order-changes.ts';
import type { SwitchChanges } from '../switch-changes.ts';

/** Tables that handlers write. Balances and ledger entries follow from the postings instead. */
export interface TableChanges {
  readonly orders: OrderChanges;
  readonly candles: CandleChanges;
  readonly switches: SwitchChanges;
  readonly trades: CopyRows;
  readonly fills: CopyRows;
  readonly deposits: CopyRows;
  readonly preventedOrders: CopyRows;
  /** Statements for rare events, executed one by one in this order. */
  readonly statements: Statement[];
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export type EventHandler<Kind extends Event> = (
  event: Kind,
  changes: TableChanges,
  position: EventPosition,
) => void;

/** One handler for each of these event kinds: a missing or an extra one does not compile. */
export type EventHandlers<Kind extends Event['kind']> = {
  readonly [One in Kind]: EventHandler<Extract<Event, { kind: One }>>;
};
