// First frame of every log: the exchange's limits and rules. Without them, an exchange has room for
// only a handful of orders. `rialto create-log` writes it. No sequencer must ever write it, so an
// empty log stays empty until an operator decides.

import {
  type Command,
  encodeCommandFrame,
  FrameWriter,
  type Limits,
  RULES_VERSION_MAX,
  RULES_VERSION_MIN,
} from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { NO_HASH } from '../../infra/journal/index.ts';

/**
 * Sized for an exchange on one machine with a few gigabytes. A command can raise them; none lowers
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

/** Their source is 0 because they come from no gateway. The first rules need no command. */
export function genesisCommands(
  limits = GENESIS_LIMITS,
  rulesVersion = RULES_VERSION_MAX,
): readonly Command[] {
  const commands: Command[] = [{ kind: 'SetLimits', source: 0, number: 1, ...limits }];
  if (rulesVersion > RULES_VERSION_MIN) {
    commands.push({ kind: 'SetRulesVersion', source: 0, number: 2, version: rulesVersion });
  }
  return commands;
}

export interface GenesisOptions {
  readonly timeMs: number;
  /** Random, to make the frame and so the exchange ID unique. */
  readonly writer: number;
  readonly limits?: Limits;
  readonly rulesVersion?: number;
}

/** Returns the bytes of frame 1. It has no leader: the first leader has epoch 1. */
export function genesisFrame(options: GenesisOptions): Uint8Array {
  const { limits, rulesVersion, timeMs, writer } = options;
  const bytes = encodeCommandFrame(new FrameWriter(), {
    sequence: 1,
    epoch: 0,
    writer,
    timeMs: timeMs as TimeMs,
    previousHash: NO_HASH,
    commands: genesisCommands(limits, rulesVersion),
  });
  return new Uint8Array(bytes);
}
