// Every bound of an exchange, in one record. They are configuration, set by a logged SetLimits
// command, because a refusal at a bound must be the same on every replica and in every replay.

export interface Limits {
  /** Capacities: memory is laid out for this many, and the next one is refused. */
  readonly assetsMax: number;
  readonly marketsMax: number;
  readonly usersMax: number;
  readonly accountsMax: number;
  readonly ordersMax: number;
  readonly withdrawalsMax: number;
  readonly deadManSwitchesMax: number;
  readonly channelsMax: number;
  /** How many of the latest command ids are remembered with their outcome. */
  readonly commandWindow: number;
  /** How many client order ids of closed orders are remembered; those of open ones always are. */
  readonly clientOrderIdWindow: number;

  /** Bounds on work. */
  readonly ordersPerUserMax: number;
  readonly fillsPerCommandMax: number;
  /** Stops activated after one command, and at the start of a frame, per market. */
  readonly stopsPerStepMax: number;
  /** Dead man's switches fired at the start of a frame. */
  readonly switchesPerFrameMax: number;
  /** A price band's reference follows the last price at most this often. */
  readonly bandWindowMs: number;
}

/** What a new exchange has before its first SetLimits. Part of the log format: never change. */
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
};

/** The largest value each capacity may take: columns stay addressable by 32-bit links. */
export const CAPACITY_MAX = 1 << 26;

/** The names in the order that snapshots write them. */
export const LIMIT_NAMES = Object.keys(INITIAL_LIMITS) as readonly (keyof Limits)[];
