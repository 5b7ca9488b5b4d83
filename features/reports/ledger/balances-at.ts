// Balances of an account at a position: its last earlier checkpoint, and the entries since.

import type { Owner } from '../../../core/messages/index.ts';
import type { AssetId } from '../../../core/money/index.ts';
import { assertPlainName, idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { Position } from './ledger-position.ts';

export interface AccountBalance {
  readonly asset: AssetId;
  readonly availableAtoms: bigint;
  readonly heldAtoms: bigint;
}

/** Place of an entry among those of its account. */
export interface EntryPlace {
  readonly at: Date;
  readonly frame: number;
  readonly eventIndex: number;
  readonly postingIndex: number;
}

/** Above every index of an event or posting. */
const LAST_INDEX = 2 ** 53 - 1;

/** After the last entry of the position. */
export function endOf({ at, frame }: Position): EntryPlace {
  return { at, frame, eventIndex: LAST_INDEX, postingIndex: LAST_INDEX };
}

/** Includes all entries before the place. Omits assets that the account never had. */
export async function balancesBefore(
  statements: Statements,
  schema: string,
  { owner, place }: { readonly owner: Owner; readonly place: EntryPlace },
): Promise<AccountBalance[]> {
  assertPlainName(schema);
  const { at, eventIndex, frame, postingIndex } = place;
  const { rows } = await statements.query(BALANCES(schema), [
    owner,
    at,
    frame,
    eventIndex,
    postingIndex,
  ]);
  return rows.map((row) => ({
    asset: idOf(row.asset_id),
    availableAtoms: BigInt(row.available_atoms),
    heldAtoms: BigInt(row.held_atoms),
  }));
}

// The projected balances list the account's assets.
const BALANCES = (schema: string) => `
  select b.asset_id, (coalesce(c.available_atoms, 0) + e.available)::text as available_atoms,
    (coalesce(c.held_atoms, 0) + e.held)::text as held_atoms
  from ${schema}.balances b
  left join lateral (
    select c.frame, c.at, c.available_atoms, c.held_atoms from ledger_checkpoints c
    where c.owner = b.owner and c.asset_id = b.asset_id and c.frame < $3
    order by c.frame desc limit 1
  ) c on true
  cross join lateral (
    select count(*) as entries, coalesce(sum(e.available_change_atoms), 0) as available,
      coalesce(sum(e.held_change_atoms), 0) as held
    from ${schema}.ledger_entries e
    where e.owner = b.owner and e.asset_id = b.asset_id
      and (e.recorded_at, e.frame) > (coalesce(c.at, '-infinity'), coalesce(c.frame, 0))
      and (e.recorded_at, e.frame, e.event_index, e.posting_index)
        < ($2::timestamptz, $3::bigint, $4::bigint, $5::bigint)
  ) e
  where b.owner = $1 and (c.frame is not null or e.entries > 0)
  order by b.asset_id`;
