// The tier and discount of a user.

import type { UserFeesSet } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const UPSERT = `
  insert into user_fees (user_id, tier, discount_ppm, updated_at) values ($1, $2, $3, $4)
  on conflict (user_id) do update
  set tier = excluded.tier, discount_ppm = excluded.discount_ppm,
    updated_at = excluded.updated_at`;

export function userFeesSet(event: UserFeesSet, batch: Batch, place: Place): void {
  const { discountPpm, tier, user } = event;
  const values = [user, tier, discountPpm, new Date(place.timeMs)];
  batch.statements.push({ text: UPSERT, values });
}
