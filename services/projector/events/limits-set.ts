// Every bound of the exchange, by name.

import type { LimitsSet } from '../../../core/messages/index.ts';
import { LIMIT_NAMES } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const UPSERT = `
  insert into limits (name, value, updated_at)
  select name, value, $3 from unnest($1::text[], $2::bigint[]) as l(name, value)
  on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`;

export function limitsSet(event: LimitsSet, batch: Batch, place: Place): void {
  const values = LIMIT_NAMES.map((name) => event[name]);
  batch.statements.push({ text: UPSERT, values: [LIMIT_NAMES, values, new Date(place.timeMs)] });
}
