// The core benchmark's flow for workloads behind the engine: as batches of a gateway, and as the
// messages of the EVENTS log.

import { applyFrame, createExchange } from '../../../../core/engine/index.ts';
import type { Command } from '../../../../core/messages/index.ts';
import type { TimeMs } from '../../../../core/money/index.ts';
import { encodeEventBatch, NO_HASH } from '../../../../infra/journal/index.ts';
import { encodeEvents } from '../../../../infra/replica/index.ts';
import { LIMITS } from '../../core/flow.ts';
import { flowCommands } from '../../journal/flow-commands.ts';

export const START_MS = 1_800_000_000_000;
const COMMANDS_PER_FRAME = 256;
const SEED = 7;

export interface FlowGroups {
  /** Groups that list markets and fund users come first. */
  readonly preparing: number;
  readonly groups: readonly (readonly Command[])[];
}

/** All commands in groups of one frame each, from one source. */
export function flowGroups(commands: number, source: number): FlowGroups {
  const { measured, preparing } = flowCommands(commands, SEED);
  const limits: Command = { kind: 'SetLimits', source, number: 0, ...LIMITS };
  let number = 0;
  const grouped = (list: readonly Command[]): Command[][] => {
    const groups: Command[][] = [];
    for (let from = 0; from < list.length; from += COMMANDS_PER_FRAME) {
      const some = list.slice(from, from + COMMANDS_PER_FRAME);
      groups.push(some.map((command) => ({ ...command, source, number: ++number })));
    }
    return groups;
  };
  const first = grouped([limits, ...preparing]);
  return { preparing: first.length, groups: [...first, ...grouped(measured)] };
}

export interface EventMessages {
  readonly preparing: number;
  /** Message n has sequence n + 1 and the events of one frame. */
  readonly messages: readonly Uint8Array[];
}

export function eventMessages(commands: number): EventMessages {
  const { groups, preparing } = flowGroups(commands, 1);
  const exchange = createExchange();
  let hash = NO_HASH;
  const messages = groups.map((some, at) => {
    const timeMs = (START_MS + 100 * at) as TimeMs;
    const header = { sequence: at + 1, epoch: 1, timeMs, previousHash: new Uint8Array(32) };
    const events = applyFrame(exchange, { ...header, commands: some });
    const batch = encodeEventBatch(hash, encodeEvents(events).parts);
    hash = batch.hash;
    return batch.message.slice();
  });
  return { preparing, messages };
}
