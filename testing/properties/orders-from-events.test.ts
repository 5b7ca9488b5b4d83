// The order that a gateway builds from a command's events equals the row in the tables, to the last
// atom, for placed, canceled and amended orders in every flow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isKnownExactly,
  type OrderState,
  orderAfter,
  orderStatus,
  placedOrder,
} from '../../core/market-data/index.ts';
import type { Event, EventFrame, OrderAmended, OrderClosed } from '../../core/messages/index.ts';
import type { OrderNumber } from '../../core/money/index.ts';
import { orderOfRow } from '../../infra/projections/index.ts';
import { chosenSeed, drive, FLOW_NAMES } from '../flows/index.ts';
import { NaiveProjection } from '../projections/naive-projection.ts';
import { makeEngine } from './tested-exchange.ts';

const seed = chosenSeed();
const COMMANDS = 4_000;

/** How often each path to an answer was taken. */
interface Counts {
  placed: number;
  exact: number;
  filledSince: number;
}

const counts: Counts = { placed: 0, exact: 0, filledSince: 0 };

for (const flow of FLOW_NAMES) {
  test(`orders built from events equal the order rows under ${flow}, seed ${seed}`, () => {
    const tables = new NaiveProjection();
    const memory = new Map<OrderNumber, OrderState>();
    const { apply } = makeEngine();
    for (const { seen } of drive({ flow, seed, commands: COMMANDS, apply })) {
      for (const events of eventsByCommand(tables, seen)) {
        comparePlaced(tables, memory, { events, timeMs: seen.timeMs }, counts);
        compareKnown(tables, memory, { events, timeMs: seen.timeMs }, counts);
      }
    }
  });
}

// A single flow does not have to take every path; all flows together must.
test('the flows take every path to an answer', () => {
  assert.ok(counts.placed > 1_000, `only ${counts.placed} orders were placed`);
  assert.ok(counts.exact > 500, `only ${counts.exact} answers came from memory`);
  assert.ok(
    counts.filledSince > 20,
    `only ${counts.filledSince} orders were filled in the meantime`,
  );
});

/** Yields the events of each command, when the tables contain them and nothing later. */
function* eventsByCommand(tables: NaiveProjection, seen: EventFrame): Generator<Event[], void> {
  const time = new Date(seen.timeMs).toISOString();
  let group: Event[] = [];
  for (const [index, event] of seen.events.entries()) {
    if (group.length > 0 && group[0].command !== event.command) {
      yield group;
      group = [];
    }
    const { firstCommand, sequence: frame } = seen;
    tables.see(event, { frame, index, time, firstCommand });
    group.push(event);
  }
  if (group.length > 0) yield group;
}

interface Happened {
  readonly events: readonly Event[];
  readonly timeMs: number;
}

function comparePlaced(
  tables: NaiveProjection,
  memory: Map<OrderNumber, OrderState>,
  happened: Happened,
  counts: Counts,
): void {
  const order = happened.events[0].command;
  const placed = placedOrder(happened, order);
  const isPlaced = happened.events.some(
    (event) => event.kind === 'OrderPlaced' && event.order === order,
  );
  assert.equal(placed !== undefined, isPlaced);
  if (placed === undefined) return;
  counts.placed++;
  compare(tables, placed);
  if (placed.closeReason === undefined) memory.set(order, placed);
}

/** Like a gateway: uses memory if the event shows that nothing was filled since. */
function compareKnown(
  tables: NaiveProjection,
  memory: Map<OrderNumber, OrderState>,
  happened: Happened,
  counts: Counts,
): void {
  for (const event of happened.events) {
    if (!isAnswered(event)) continue;
    const known = memory.get(event.order);
    memory.delete(event.order);
    if (known === undefined) continue;
    if (isKnownExactly(known, event)) {
      counts.exact++;
      compare(tables, orderAfter(known, happened));
    } else {
      counts.filledSince++;
    }
  }
}

function isAnswered(event: Event): event is OrderAmended | OrderClosed {
  if (event.kind === 'OrderAmended') return true;
  return event.kind === 'OrderClosed' && event.reason === 'canceled_by_user';
}

function compare(tables: NaiveProjection, order: OrderState): void {
  const row = tables.orders.get(order.order);
  assert.ok(row);
  const [created_at, updated_at] = [row.created_at, row.updated_at].map((at) => new Date(`${at}`));
  const expires_at = row.expires_at === null ? null : new Date(`${row.expires_at}`);
  const expected = orderOfRow({ ...row, created_at, updated_at, expires_at });
  // PostgreSQL cannot store the zero character, and gateways reject it.
  assert.deepEqual({ ...order, note: order.note.replaceAll('\0', '\ufffd') }, expected);
  assert.equal(orderStatus(order, order.closeReason), row.status);
}
