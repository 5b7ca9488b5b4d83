// Refusals that leave a channel as it is: the command has not been decided, and its position still
// waits. Every other outcome, accepted or refused, is final.

import type { Refusal } from '../../core/messages/index.ts';

const OUT_OF_TURN: ReadonlySet<Refusal> = new Set([
  ...(['channel_must_exist', 'channel_is_frozen'] as const),
  ...(['channel_sequence_already_seen', 'channel_sequence_has_gap'] as const),
]);

export function isOutOfTurn(refusal: Refusal): boolean {
  return OUT_OF_TURN.has(refusal);
}
