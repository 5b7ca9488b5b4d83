// Valid requests for surveillance. A list as a file needs a row, and a change needs a finding in
// the right state.

import type { Pool } from '../../infra/postgres/index.ts';

interface SurveillanceWorld {
  readonly registry: Pool;
  userId(owner: 'admin' | 'bob'): number;
}

export const surveillanceSamples = {
  getFindings: withFinding,
  getFindingsFile: withFinding,
  getFinding: async (world: SurveillanceWorld) => ({ query: { id: await finding(world) } }),
  changeFinding: async (world: SurveillanceWorld) => ({
    body: { id: await finding(world), action: 'take' },
  }),
  setSurveillanceRule: () => ({ body: { rule: 'self_trade', parameters: { hits_min: 10 } } }),
  trySurveillanceRule: () => ({ body: { rule: 'cancel_ratio', days: 7 } }),
} as const;

async function withFinding(world: SurveillanceWorld) {
  await finding(world);
  return { query: { user_id: world.userId('bob') } };
}

/** Adds a separate finding for each sample to the queue. */
async function finding(world: SurveillanceWorld): Promise<number> {
  const { rows } = await world.registry.query(
    `with f as (
       insert into findings (rule, user_id, object, score, evidence_count, first_seen_at,
         last_seen_at)
       values ('price_band', $1, gen_random_uuid()::text, 100, 1, now(), now()) returning id)
     insert into finding_evidence select id, 'x', now(), 100, '{"orders": [1]}' from f
     returning finding_id`,
    [world.userId('bob')],
  );
  return Number(rows[0].finding_id);
}
