// Dead man's switch of a key: cancels the key's orders unless the client rearms it in time. The
// switch of a session covers all of the user's orders.

import type { DeadManSwitchSet } from '../../../core/messages/index.ts';
import {
  type Call,
  type Dependencies,
  requireFresh,
  submitCommand,
} from '../../../platform/http/index.ts';
import { type DeadManSwitch, type Routes, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';

const SWITCH_OF_KEY = `
  select deadline, fired_at, orders_canceled from dead_man_switches
  where user_id = $1 and key_id = $2`;

/** Clients repeat this call every few seconds, so it reads no table. */
export async function setDeadManSwitch(
  { body, caller }: Call<Routes['setDeadManSwitch']>,
  dependencies: Dependencies,
) {
  const { key, user } = caller;
  const timeoutMs = body.timeout * 1_000;
  const accepted = await submitCommand(dependencies, {
    kind: 'SetDeadManSwitch',
    user,
    key,
    timeoutMs,
  });
  if (accepted instanceof Refused) return accepted;
  const { events } = accepted;
  if (timeoutMs === 0) return { armed: false, fires_at: null };
  const set = events.find((event): event is DeadManSwitchSet => event.kind === 'DeadManSwitchSet');
  // A previous leader applied the command, and only the log has the deadline. Repeating is safe.
  if (set === undefined) return new Refused('outcome_unknown');
  return { armed: true, fires_at: timeText(set.deadlineMs) };
}

/** Returns the current state, and what the switch did when it last fired. */
export async function getDeadManSwitch(
  { caller }: Call<Routes['getDeadManSwitch']>,
  dependencies: Dependencies,
): Promise<DeadManSwitch | Refused<'tables_behind'>> {
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const { rows } = await dependencies.projections.query(SWITCH_OF_KEY, [caller.user, caller.key]);
  const { deadline = null, fired_at = null, orders_canceled = 0 } = rows[0] ?? {};
  return {
    armed: deadline !== null,
    fires_at: textOf(deadline),
    fired_at: textOf(fired_at),
    orders_canceled: Number(orders_canceled),
  };
}

function textOf(moment: Date | null): string | null {
  return moment === null ? null : timeText(moment.getTime());
}
