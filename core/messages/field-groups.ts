// Field groups at the start of many layouts, like the interfaces they extend. Never append to a
// group: that would insert a field into the middle of records. Append to the layouts instead.

import { CAPACITY_MAX } from './limits.ts';

export const commandId = { source: 'safe', number: 'safe' } as const;
export const channelPosition = { channel: 'safe', channelSequence: 'safe' } as const;
export const caused = { command: 'safe' } as const;
export const limits = {
  assetsMax: 'safe',
  marketsMax: 'safe',
  usersMax: 'safe',
  accountsMax: 'safe',
  ordersMax: 'safe',
  withdrawalsMax: 'safe',
  deadManSwitchesMax: 'safe',
  channelsMax: 'safe',
  commandWindow: 'safe',
  clientOrderIdWindow: 'safe',
  ordersPerUserMax: 'safe',
  fillsPerCommandMax: 'safe',
  stopsPerStepMax: 'safe',
  switchesPerFrameMax: 'safe',
  bandWindowMs: 'safe',
} as const;

const unlimited = { wire: 'safe', since: 4, default: CAPACITY_MAX } as const;
/** Follows `limits`: a frame without these fields limits no user. */
export const userLimits = {
  accountsPerUserMax: unlimited,
  stopsPerUserMax: unlimited,
  withdrawalsPerUserMax: unlimited,
  deadManSwitchesPerUserMax: unlimited,
  clientOrderIdsPerUserMax: unlimited,
  ownOrdersPerCommandMax: unlimited,
} as const;
