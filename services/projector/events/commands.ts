// Projects commands without an ordinary outcome (refused, repeated, poisoned and voided), and the
// anchors of the operator audit.

import { storableText } from '../../../infra/postgres/index.ts';
import type { EventHandlers } from './event-handler.ts';

const INSERT_FREEZE = `
  insert into freezes (frame, event_index, command, market_id, channel, frozen_at)
  values ($1, $2, $3, $4, $5, $6)`;

const VOID_FREEZE = 'update freezes set voided_at = $2 where command = $1 and voided_at is null';

const INSERT_ANCHOR = `
  insert into audit_anchors (frame, event_index, audit_seq, hash, anchored_at)
  values ($1, $2, $3, $4, $5)`;

export const commandHandlers: EventHandlers<
  'CommandRefused' | 'CommandRepeated' | 'CommandPoisoned' | 'CommandVoided' | 'AuditAnchored'
> = {
  /** A refused command changes nothing, and its sender has the refusal. */
  CommandRefused() {},

  /** A repeated command changes nothing: its first outcome is already projected. */
  CommandRepeated() {},

  /** The engine failed on the command and froze its market or its channel. */
  CommandPoisoned({ channel, command, market }, { statements }, position) {
    const { eventIndex, firstCommand, frame, timeMs } = position;
    const frozen = [market === 0 ? null : market, channel === 0 ? null : channel];
    // A time step freezes under the last command before its frame, which is the one to void.
    const cause = command === 0 ? firstCommand - 1 : command;
    const values = [frame, eventIndex, cause, ...frozen, new Date(timeMs)];
    statements.push({ text: INSERT_FREEZE, values });
  },

  /** The operator decided to continue without the poison command. */
  CommandVoided({ voided }, { statements }, { timeMs }) {
    statements.push({ text: VOID_FREEZE, values: [voided, new Date(timeMs)] });
  },

  AuditAnchored({ auditSequence, hash }, { statements }, { eventIndex, frame, timeMs }) {
    const values = [frame, eventIndex, auditSequence, storableText(hash), new Date(timeMs)];
    statements.push({ text: INSERT_ANCHOR, values });
  },
};
