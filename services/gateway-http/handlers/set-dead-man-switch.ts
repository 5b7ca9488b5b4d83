// Arms or disarms the switch of the caller's key; that of a session stands for all orders. It is a
// sign of life that comes often, so no table is asked.

import type { DeadManSwitchSet } from '../../../core/messages/index.ts';
import { type DeadManSwitch, type Routes, timeText } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Call } from '../handler.ts';
import type { Parts } from '../parts.ts';
import { submitCommand } from '../submit-command.ts';

export async function setDeadManSwitch(
  { body, caller }: Call<Routes['setDeadManSwitch']>,
  parts: Parts,
): Promise<DeadManSwitch> {
  const { key, user } = caller;
  const timeoutMs = body.timeout * 1_000;
  const { events } = await submitCommand(parts, { kind: 'SetDeadManSwitch', user, key, timeoutMs });
  if (timeoutMs === 0) return { armed: false, fires_at: null };
  const set = events.find((event): event is DeadManSwitchSet => event.kind === 'DeadManSwitchSet');
  // It was set before a change of leader; when, only the log knows. To set it again is safe.
  if (set === undefined) throw new ApiRefusal('outcome_unknown');
  return { armed: true, fires_at: timeText(set.deadlineMs) };
}
