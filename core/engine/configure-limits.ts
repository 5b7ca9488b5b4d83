// Changes the limits of an exchange. Capacities are preallocated memory: a store whose capacity is
// raised copies its records into larger memory, in milliseconds, and all of them keep their slots.

import {
  CAPACITY_MAX,
  LIMIT_NAMES,
  type Limits,
  type Refusal,
  type SetLimits,
} from '../messages/index.ts';
import type { Exchange } from './exchange.ts';

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
  growStores(exchange, limits);
  exchange.clientOrderIds.setPerUserMax(limits.clientOrderIdsPerUserMax);
  exchange.limits = limits;
  exchange.events.push({ kind: 'LimitsSet', command: exchange.command, ...limits });
  return 'none';
}

/** Only the stores whose capacity is raised: the others are not touched. */
function growStores(exchange: Exchange, limits: Limits): void {
  const { books, clientOrderIds, details, ledger, users, window } = exchange;
  const isRaised = (name: keyof Limits) => limits[name] > exchange.limits[name];
  if (isRaised('accountsMax') || isRaised('assetsMax')) ledger.grow(limits);
  if (isRaised('marketsMax')) books.growMarkets(limits.marketsMax);
  if (isRaised('usersMax')) {
    books.growUsers(limits.usersMax);
    users.grow(limits.usersMax);
  }
  if (isRaised('ordersMax')) {
    books.growOrders(limits.ordersMax);
    details.grow(limits.ordersMax);
  }
  if (isRaised('usersMax') || isRaised('ordersMax') || isRaised('clientOrderIdWindow')) {
    clientOrderIds.grow(limits);
  }
  if (isRaised('commandWindow')) exchange.window = window.grown(limits.commandWindow);
  if (isRaised('channelsMax')) growChannels(exchange, limits.channelsMax);
}

function growChannels(exchange: Exchange, channelsMax: number): void {
  const { channelSequences, channelsFrozenBy } = exchange;
  exchange.channelSequences = new Float64Array(channelsMax + 1);
  exchange.channelsFrozenBy = new Float64Array(channelsMax + 1);
  exchange.channelSequences.set(channelSequences);
  exchange.channelsFrozenBy.set(channelsFrozenBy);
}
