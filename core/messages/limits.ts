// Every limit of an exchange, in one record. Limits are configuration, set by a logged SetLimits
// command, because a refusal at a limit must be the same on every replica and in every replay.

export interface Limits {
  /** Capacities: memory is preallocated for this many entries, and the next entry is refused. */
  readonly assetsMax: number;
  readonly marketsMax: number;
  readonly usersMax: number;
  readonly accountsMax: number;
  readonly ordersMax: number;
  readonly withdrawalsMax: number;
  readonly deadManSwitchesMax: number;
  readonly channelsMax: number;
  /** The number of latest command ids remembered with their outcomes. */
  readonly commandWindow: number;
  /** The number of client order ids remembered after their orders close. */
  readonly clientOrderIdWindow: number;

  /** Limits on work. */
  readonly ordersPerUserMax: number;
  readonly fillsPerCommandMax: number;
  /** Stops activated per market after one command, and at the start of a frame. */
  readonly stopsPerStepMax: number;
  /** Dead man's switches fired at the start of a frame. */
  readonly switchesPerFrameMax: number;
  /** A price band's reference follows the last price at most this often. */
  readonly bandWindowMs: number;

  /** The share of one user in a capacity, so no user can exhaust it for the others. */
  readonly accountsPerUserMax: number;
  readonly stopsPerUserMax: number;
  readonly withdrawalsPerUserMax: number;
  readonly deadManSwitchesPerUserMax: number;
  readonly clientOrderIdsPerUserMax: number;
  /** Own orders that one incoming order cancels or skips; the next own order ends its matching. */
  readonly ownOrdersPerCommandMax: number;
}

/** The largest value of a capacity: columns stay addressable by 32-bit links. */
export const CAPACITY_MAX = 1 << 26;

/** The limits before the first SetLimits. Part of the log format: never change. */
export const INITIAL_LIMITS: Limits = {
  assetsMax: 16,
  marketsMax: 16,
  usersMax: 1_024,
  accountsMax: 4_096,
  ordersMax: 4_096,
  withdrawalsMax: 256,
  deadManSwitchesMax: 64,
  channelsMax: 16,
  commandWindow: 1_024,
  clientOrderIdWindow: 1_024,
  ordersPerUserMax: 200,
  fillsPerCommandMax: 1_000,
  stopsPerStepMax: 100,
  switchesPerFrameMax: 100,
  bandWindowMs: 60_000,
  // Logs before schema 4 have no such limits, and their decisions must not change.
  accountsPerUserMax: CAPACITY_MAX,
  stopsPerUserMax: CAPACITY_MAX,
  withdrawalsPerUserMax: CAPACITY_MAX,
  deadManSwitchesPerUserMax: CAPACITY_MAX,
  clientOrderIdsPerUserMax: CAPACITY_MAX,
  ownOrdersPerCommandMax: CAPACITY_MAX,
};

/** The names of the limits, in the order of snapshots. */
export const LIMIT_NAMES = Object.keys(INITIAL_LIMITS) as readonly (keyof Limits)[];

/** The limits that schema 4 added. A log that never sets them has the initial ones. */
export const SHARE_NAMES = LIMIT_NAMES.slice(LIMIT_NAMES.indexOf('accountsPerUserMax'));
