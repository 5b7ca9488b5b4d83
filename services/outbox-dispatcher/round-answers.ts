// Classifies the responses in one round of commands: settled, to be looked up, to be sent again,
// and blocked.

import type { Refusal } from '../../core/messages/index.ts';
import type { Outcome } from '../../infra/command-link/index.ts';
import type { OutboxRow, Settled } from '../../platform/outbox/index.ts';

export interface Sent {
  readonly row: OutboxRow;
  readonly outcome: Outcome;
}

/** Why a channel cannot continue, and at which position. */
export interface BlockedChannel {
  readonly channel: number;
  readonly sequence: number;
  /** Frozen or missing: an operator voids a poison command or raises a limit. */
  readonly reason:
    | 'channel_is_frozen'
    | 'channel_must_exist'
    /** The others are bugs, or a registry and a log that do not belong together. */
    | 'channel_sequence_has_gap'
    | 'command_is_malformed'
    | 'command_is_not_permitted'
    | 'position_is_foreign'
    | 'position_is_missing'
    | 'position_is_trimmed';
}

export interface RoundAnswers {
  readonly settled: Settled[];
  /** Rows that the channel has seen: an earlier copy has its outcome in the log. */
  readonly seen: OutboxRow[];
  /** Last frame that reported a position as seen. */
  readonly seenAtFrame: number;
  /** At most one for each channel: its first. */
  readonly blocked: BlockedChannel[];
}

/**
 * Expects rows in order of channel and position, beginning with each channel's first pending
 * position.
 */
export function readRound(sent: readonly Sent[]): RoundAnswers {
  const settled: Settled[] = [];
  const seen: OutboxRow[] = [];
  const blocked = new Map<number, BlockedChannel>();
  const begun = new Set<number>();
  let seenAtFrame = 0;
  for (const { outcome, row } of sent) {
    const { channel, sequence } = row;
    const isFirst = !begun.has(channel);
    begun.add(channel);
    const hold = (reason: BlockedChannel['reason']) => {
      if (!blocked.has(channel)) blocked.set(channel, { channel, sequence, reason });
    };
    if (outcome.kind !== 'answered') {
      const reason = outcome.kind === 'not_taken' ? outcome.reason : undefined;
      if (reason === 'malformed' || reason === 'not_permitted') hold(`command_is_${reason}`);
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
      // Every position before the first pending one is settled, so the engine must have seen them.
      // A later position with a gap overtook a lost one and is sent again.
      hold(refusal);
    }
  }
  return { settled, seen, seenAtFrame, blocked: [...blocked.values()] };
}

const OUT_OF_TURN: ReadonlySet<Refusal> = new Set([
  'channel_must_exist',
  'channel_is_frozen',
  'channel_sequence_already_seen',
  'channel_sequence_has_gap',
] as const);

/**
 * Refusals that do not change a channel: the command was not decided, and its position is still
 * pending. Every other outcome, accepted or refused, is final.
 */
export function isOutOfTurn(refusal: Refusal): boolean {
  return OUT_OF_TURN.has(refusal);
}
