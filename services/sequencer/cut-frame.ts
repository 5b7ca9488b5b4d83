// Cuts a frame after the last command within its work limit. The rest goes into the next frame.

import {
  type Command,
  type CommandFrame,
  type CommandId,
  splitRecords,
} from '../../core/messages/index.ts';
import type { QueuedBatch } from './intake.ts';

/** Limit on commands other than re-arms in a frame at whose start a switch might be due. */
const OTHERS_WHILE_DUE_MAX = 256;

/**
 * Returns how many of these commands fit in a frame at whose start a switch might be due. Such a
 * frame cannot be cut before its last re-arm, so its commands limit its work.
 */
export function countWhileDue(commands: readonly Command[]): number {
  let others = 0;
  const beyond = commands.findIndex(
    ({ kind }) => kind !== 'SetDeadManSwitch' && ++others > OTHERS_WHILE_DUE_MAX,
  );
  return beyond === -1 ? commands.length : beyond;
}

/** Cuts after the first `count` commands. A batch that is cut has its commands in two frames. */
export function splitBatches(
  batches: readonly QueuedBatch[],
  count: number,
): { readonly head: readonly QueuedBatch[]; readonly rest: readonly QueuedBatch[] } {
  let before = 0;
  for (const [index, batch] of batches.entries()) {
    const { commands, records } = batch;
    const inHead = count - before;
    if (inHead < commands.length) {
      const [head, rest] = splitRecords(records, inHead);
      const cutBatch = { ...batch, commands: commands.slice(0, inHead), records: head };
      const restBatch = { ...batch, commands: commands.slice(inHead), records: rest };
      return {
        head: inHead === 0 ? batches.slice(0, index) : [...batches.slice(0, index), cutBatch],
        rest: [restBatch, ...batches.slice(index + 1)],
      };
    }
    before += commands.length;
  }
  return { head: batches, rest: [] };
}

/** Returns the frame with the first `count` commands, and the IDs of poison commands after them. */
export function cutFrame(
  frame: CommandFrame,
  firstCommand: number,
  count: number,
): { readonly frame: CommandFrame; readonly missed: readonly CommandId[] } {
  const { commands, poisoned = [], ...header } = frame;
  if (count === commands.length) return { frame, missed: [] };
  const reached = poisoned.filter((number) => number < firstCommand + count);
  const missed = poisoned.filter((number) => number >= firstCommand + count);
  return {
    frame: {
      ...header,
      commands: commands.slice(0, count),
      ...(reached.length > 0 ? { poisoned: reached } : undefined),
    },
    missed: missed.map((one) => {
      const { number, source } = commands[one - firstCommand];
      return { number, source };
    }),
  };
}
