// The first command of every log: the limits of the exchange. Without it, an exchange has room for
// a handful of orders only. No gateway sent it, so its source is 0 and no result is published.

import {
  appendCommand,
  type Command,
  FrameWriter,
  type Limits,
} from '../../core/messages/index.ts';
import type { QueuedBatch } from './intake.ts';

/**
 * Sized for an exchange on one machine with a few gigabytes; a command raises them, none lowers
 * them.
 */
export const GENESIS_LIMITS: Limits = {
  assetsMax: 1_024,
  marketsMax: 2_048,
  usersMax: 1_048_576,
  accountsMax: 4_194_304,
  ordersMax: 2_097_152,
  withdrawalsMax: 65_536,
  deadManSwitchesMax: 65_536,
  channelsMax: 256,
  commandWindow: 1_048_576,
  clientOrderIdWindow: 1_048_576,
  ordersPerUserMax: 10_000,
  fillsPerCommandMax: 1_000,
  stopsPerStepMax: 100,
  switchesPerFrameMax: 100,
  bandWindowMs: 60_000,
  accountsPerUserMax: 1_024,
  stopsPerUserMax: 500,
  withdrawalsPerUserMax: 100,
  deadManSwitchesPerUserMax: 100,
  clientOrderIdsPerUserMax: 8_192,
  ownOrdersPerCommandMax: 100,
};

export function genesisRecords(limits: Limits): QueuedBatch {
  const command: Command = { kind: 'SetLimits', source: 0, number: 1, ...limits };
  const writer = new FrameWriter();
  appendCommand(writer, command);
  const bytes = new Uint8Array(writer.written());
  const records = { bytes, count: 1 };
  return { sender: '', source: 0, commands: [command], records, queuedAtMs: 0 };
}
