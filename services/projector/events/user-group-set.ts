// The group of a user, and whether it acts for the operator.

import type { UserGroupSet } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const UPSERT = `
  insert into user_groups (user_id, group_id, house, updated_at) values ($1, $2, $3, $4)
  on conflict (user_id) do update
  set group_id = excluded.group_id, house = excluded.house, updated_at = excluded.updated_at`;

export function userGroupSet(event: UserGroupSet, batch: Batch, place: Place): void {
  const { group, house, user } = event;
  batch.statements.push({ text: UPSERT, values: [user, group, house, new Date(place.timeMs)] });
}
