// Changes the limits of an exchange. Capacities are preallocated memory, so raising one rebuilds
// the stores from a snapshot: a planned pause, in the log like every other configuration.

import {
  CAPACITY_MAX,
  LIMIT_NAMES,
  type Limits,
  type Refusal,
  type SetLimits,
} from '../messages/index.ts';
import type { Exchange, Stores } from './exchange.ts';
import { restoreExchange } from './restore.ts';
import { snapshotExchange } from './snapshot.ts';

/** Bounds of lists kept as small arrays, and the longest window of a price band. */
const LIST_MAX = 4_096;
const BAND_WINDOW_MAX_MS = 86_400_000;

const UPPER_BOUNDS: Limits = {
  assetsMax: LIST_MAX,
  marketsMax: LIST_MAX,
  usersMax: CAPACITY_MAX,
  accountsMax: CAPACITY_MAX,
  ordersMax: CAPACITY_MAX,
  withdrawalsMax: CAPACITY_MAX,
  deadManSwitchesMax: CAPACITY_MAX,
  channelsMax: LIST_MAX,
  commandWindow: CAPACITY_MAX,
  clientOrderIdWindow: CAPACITY_MAX,
  ordersPerUserMax: CAPACITY_MAX,
  fillsPerCommandMax: CAPACITY_MAX,
  stopsPerStepMax: CAPACITY_MAX,
  switchesPerFrameMax: CAPACITY_MAX,
  bandWindowMs: BAND_WINDOW_MAX_MS,
  accountsPerUserMax: CAPACITY_MAX,
  stopsPerUserMax: CAPACITY_MAX,
  withdrawalsPerUserMax: CAPACITY_MAX,
  deadManSwitchesPerUserMax: CAPACITY_MAX,
  clientOrderIdsPerUserMax: CAPACITY_MAX,
  ownOrdersPerCommandMax: CAPACITY_MAX,
};

/** Limits on work and shares of users may shrink; all others only grow. */
const MAY_SHRINK: ReadonlySet<keyof Limits> = new Set([
  'fillsPerCommandMax',
  'stopsPerStepMax',
  'switchesPerFrameMax',
  'bandWindowMs',
  'accountsPerUserMax',
  'stopsPerUserMax',
  'withdrawalsPerUserMax',
  'deadManSwitchesPerUserMax',
  'clientOrderIdsPerUserMax',
  'ownOrdersPerCommandMax',
]);

/** The limits that size the memory of the stores. */
const CAPACITIES: readonly (keyof Limits)[] = [
  'assetsMax',
  'marketsMax',
  'usersMax',
  'accountsMax',
  'ordersMax',
  'channelsMax',
  'commandWindow',
  'clientOrderIdWindow',
];

export function setLimits(exchange: Exchange, command: SetLimits): Refusal {
  for (const name of LIMIT_NAMES) {
    const value = command[name];
    if (!Number.isSafeInteger(value) || value < 1 || value > UPPER_BOUNDS[name]) {
      return 'limits_out_of_range';
    }
  }
  for (const name of LIMIT_NAMES) {
    if (!MAY_SHRINK.has(name) && command[name] < exchange.limits[name]) {
      return 'limits_must_not_shrink';
    }
  }
  const { kind: _, source: __, number: ___, ...limits } = command;
  if (CAPACITIES.some((name) => limits[name] > exchange.limits[name])) {
    rebuildStores(exchange, limits);
  }
  exchange.clientOrderIds.setPerUserMax(limits.clientOrderIdsPerUserMax);
  exchange.limits = limits;
  exchange.events.push({ kind: 'LimitsSet', command: exchange.command, ...limits });
  return 'none';
}

function rebuildStores(exchange: Exchange, limits: Limits): void {
  const grown: Stores = restoreExchange(snapshotExchange(exchange), limits, exchange.hashKey);
  exchange.ledger = grown.ledger;
  exchange.books = grown.books;
  exchange.users = grown.users;
  exchange.details = grown.details;
  exchange.clientOrderIds = grown.clientOrderIds;
  exchange.window = grown.window;
  exchange.channelSequences = grown.channelSequences;
  exchange.channelsFrozenBy = grown.channelsFrozenBy;
}
