// The answers to one round of commands, told apart: what is settled, what must be looked up, what
// is simply sent again, and what no sending again can help.

import type { OutboxRow, Settled } from '../../domain/transfers/index.ts';
import type { Outcome } from '../../infra/command-link/index.ts';
import { isOutOfTurn } from './out-of-turn.ts';

export interface Sent {
  readonly row: OutboxRow;
  readonly outcome: Outcome;
}

/** Why a channel can not go on, and at which position. */
export interface HeldUp {
  readonly channel: number;
  readonly sequence: number;
  /** Frozen or missing: the operator decides, see poison commands, or raises a limit. */
  readonly reason:
    | 'channel_is_frozen'
    | 'channel_must_exist'
    /** The rest are bugs, or a registry and a log that do not belong together. */
    | 'channel_sequence_has_gap'
    | 'command_is_malformed'
    | 'position_is_foreign'
    | 'position_is_missing';
}

export interface RoundAnswers {
  readonly settled: Settled[];
  /** The channel has seen them: by an earlier sending, whose outcome stands in the log. */
  readonly seen: OutboxRow[];
  /** The last frame that said so. */
  readonly seenAtFrame: number;
  /** At most one for each channel, its first. */
  readonly heldUp: HeldUp[];
}

/** In the order of channels and positions, beginning with the first that waits in each channel. */
export function readRound(sent: readonly Sent[]): RoundAnswers {
  const settled: Settled[] = [];
  const seen: OutboxRow[] = [];
  const heldUp = new Map<number, HeldUp>();
  const begun = new Set<number>();
  let seenAtFrame = 0;
  for (const { outcome, row } of sent) {
    const { channel, sequence } = row;
    const isFirst = !begun.has(channel);
    begun.add(channel);
    const hold = (reason: HeldUp['reason']) => {
      if (!heldUp.has(channel)) heldUp.set(channel, { channel, sequence, reason });
    };
    if (outcome.kind !== 'answered') {
      if (outcome.kind === 'not_taken' && outcome.reason === 'malformed') {
        hold('command_is_malformed');
      }
      continue;
    }
    const { command, refusal } = outcome.result;
    const frame = outcome.frame.sequence;
    if (!isOutOfTurn(refusal)) {
      const state = refusal === 'none' ? 'accepted' : 'refused';
      const settledAs = { channel, sequence, state, refusal, frame, command } as const;
      settled.push({ row, outcome: settledAs });
    } else if (refusal === 'channel_sequence_already_seen') {
      seen.push(row);
      seenAtFrame = Math.max(seenAtFrame, frame);
    } else if (refusal === 'channel_is_frozen' || refusal === 'channel_must_exist') {
      hold(refusal);
    } else if (refusal === 'channel_sequence_has_gap' && isFirst) {
      // Every position before the first that waits is settled, so the engine must have seen them.
      // A later one only came in before one that was lost: it is sent again.
      hold(refusal);
    }
  }
  return { settled, seen, seenAtFrame, heldUp: [...heldUp.values()] };
}
