// Closes the past days of a user, once the projected tables are fresh.

import type { UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { type Dependencies, requireFresh } from '../../../platform/http/index.ts';
import type { Refused } from '../../../protocol/wire/index.ts';
import { closeDays } from '../closed-days.ts';

/** The first moment that is not closed, in milliseconds. */
export async function closedDays(
  dependencies: Dependencies,
  user: UserId,
): Promise<number | Refused<'tables_behind'>> {
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const { clock, exchange, registry } = dependencies;
  const { projectionSchema } = exchange;
  return withConnection(registry, (session) =>
    closeDays(session, { user, projectionSchema, nowMs: clock.nowMs() }),
  );
}
