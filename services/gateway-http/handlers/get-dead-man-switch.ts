// The switch of the caller's key as it stands, and what it did when it last fired.

import { type DeadManSwitch, type Routes, timeText } from '../../../protocol/index.ts';
import type { Call } from '../handler.ts';
import type { Parts } from '../parts.ts';
import { requireFresh } from '../require-fresh.ts';

const SWITCH_OF_KEY = `
  select deadline, fired_at, orders_canceled from dead_man_switches
  where user_id = $1 and key_id = $2`;

export async function getDeadManSwitch(
  { caller }: Call<Routes['getDeadManSwitch']>,
  parts: Parts,
): Promise<DeadManSwitch> {
  await requireFresh(parts);
  const { rows } = await parts.projections.query(SWITCH_OF_KEY, [caller.user, caller.key]);
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
