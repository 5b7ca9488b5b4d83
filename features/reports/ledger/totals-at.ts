// Totals of all accounts per asset, now or at a position. Double entry makes their total zero; it
// is added up, never assumed.

import type { AssetId } from '../../../core/money/index.ts';
import { assertPlainName, idOf, type Statements } from '../../../infra/postgres/index.ts';
import { sumsByClass } from './ledger-checkpoints.ts';
import type { Position } from './ledger-position.ts';

export interface AssetTotals {
  readonly asset: AssetId;
  readonly usersAvailableAtoms: bigint;
  readonly usersHeldAtoms: bigint;
  readonly feesAtoms: bigint;
  readonly externalAtoms: bigint;
}

/** From the last totals before the position, and the entries since. */
export async function totalsAt(
  statements: Statements,
  schema: string,
  { frame }: Position,
): Promise<AssetTotals[]> {
  assertPlainName(schema);
  const { rows } = await statements.query(TOTALS_AT(schema), [frame]);
  return rows.map(totalsOf);
}

export interface TotalsNow {
  readonly frame: number;
  readonly at: Date;
  readonly totals: readonly AssetTotals[];
}

/** From all balances, in one snapshot; undefined while a frame is only partly in the tables. */
export async function totalsNow(
  statements: Statements,
  schema: string,
): Promise<TotalsNow | undefined> {
  assertPlainName(schema);
  const { rows } = await statements.query(TOTALS_NOW(schema));
  const [first] = rows;
  if (first === undefined || !first.is_complete) return undefined;
  const totals = rows.filter((row) => row.asset_id !== null).map(totalsOf);
  return { frame: Number(first.frame_sequence), at: first.projected_to, totals };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function totalsOf(row: any): AssetTotals {
  return {
    asset: idOf(row.asset_id),
    usersAvailableAtoms: BigInt(row.users_available),
    usersHeldAtoms: BigInt(row.users_held),
    feesAtoms: BigInt(row.fees),
    externalAtoms: BigInt(row.external),
  };
}

const CHANGES = sumsByClass('available_change_atoms', 'held_change_atoms');

// Assets with totals, and assets whose first entries came after the step.
const TOTALS_AT = (schema: string) => `
  with step as materialized (
    select frame, at from ledger_steps where frame <= $1 order by frame desc limit 1
  ), since as (
    select ${CHANGES} from ${schema}.ledger_entries
    where frame > coalesce((select frame from step), 0) and frame <= $1
      and recorded_at >= coalesce((select at from step), '-infinity')
    group by asset_id
  ), assets as (
    select id as asset_id from ${schema}.assets
  )
  select a.asset_id,
    (coalesce(t.users_available_atoms, 0) + coalesce(s.users_available, 0))::text
      as users_available,
    (coalesce(t.users_held_atoms, 0) + coalesce(s.users_held, 0))::text as users_held,
    (coalesce(t.fees_atoms, 0) + coalesce(s.fees, 0))::text as fees,
    (coalesce(t.external_atoms, 0) + coalesce(s.external, 0))::text as external
  from assets a
  left join lateral (
    select * from ledger_totals t where t.asset_id = a.asset_id
      and t.frame <= (select frame from step)
    order by t.frame desc limit 1
  ) t on true
  left join since s on s.asset_id = a.asset_id
  where t.frame is not null or s.asset_id is not null
  order by a.asset_id`;

const TOTALS_NOW = (schema: string) => `
  select p.frame_sequence, p.is_complete, p.projected_to, b.asset_id,
    b.users_available::text as users_available, b.users_held::text as users_held,
    b.fees::text as fees, b.external::text as external
  from ${schema}.projection p
  left join (
    select ${sumsByClass('available_atoms', 'held_atoms')} from ${schema}.balances
    group by asset_id
  ) b on true
  order by b.asset_id`;
