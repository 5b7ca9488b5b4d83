// The first commands of every log: the limits and the rules of the exchange. Without them, an
// exchange has room for a handful of orders only. No gateway sent them, so their source is 0 and no
// result is published.

import {
  appendCommand,
  type Command,
  FrameWriter,
  type Limits,
  RULES_VERSION_MIN,
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

/** The rules version is set only if it is not that of a log without one. */
export function genesisRecords(limits: Limits, rulesVersion = RULES_VERSION_MIN): QueuedBatch {
  const commands: Command[] = [{ kind: 'SetLimits', source: 0, number: 1, ...limits }];
  if (rulesVersion > RULES_VERSION_MIN) {
    commands.push({ kind: 'SetRulesVersion', source: 0, number: 2, version: rulesVersion });
  }
  const writer = new FrameWriter();
  for (const command of commands) appendCommand(writer, command);
  const bytes = new Uint8Array(writer.written());
  const records = { bytes, count: commands.length };
  return { sender: '', source: 0, commands, records, queuedAtMs: 0 };
}
