// Stores ledger totals at positions, so every query about the past reads few entries. A step takes
// full frames with a bounded number of entries. The totals must never correct anything: they follow
// from the entries, and results are the same with and without them.

import { EXTERNAL_OWNER, FEES_OWNER } from '../../../core/messages/index.ts';
import { assertPlainName, type Connection, inTransaction } from '../../../infra/postgres/index.ts';

const sumOf = (atoms: string, owners: string) =>
  `coalesce(sum(${atoms}) filter (where ${owners}), 0)`;

/** Columns with totals per asset: accounts of users, fees, and external. */
export const sumsByClass = (available: string, held: string) => `
  asset_id, ${sumOf(available, 'owner > 0')} as users_available,
  ${sumOf(held, 'owner > 0')} as users_held,
  ${sumOf(`${available} + ${held}`, `owner = ${FEES_OWNER}`)} as fees,
  ${sumOf(`${available} + ${held}`, `owner = ${EXTERNAL_OWNER}`)} as external`;

export interface StepLimits {
  /** Maximum entries of a step, unless it is a single frame. */
  readonly entriesMax: number;
  /** Fewer entries make a step only if the last one is `quietMs` old. */
  readonly entriesMin: number;
  readonly quietMs: number;
  /** An account with this many entries since its last checkpoint gets another. */
  readonly checkpointEntries: number;
}

export const STEP_LIMITS: StepLimits = {
  entriesMax: 20_000,
  entriesMin: 5_000,
  quietMs: 3_600_000,
  checkpointEntries: 2_000,
};

export interface StepOptions {
  readonly projectionSchema: string;
  readonly nowMs: number;
  readonly limits?: StepLimits;
}

/** Makes one step. Returns the number of its entries; 0 if there is nothing to do yet. */
export function makeLedgerStep(
  connection: Connection,
  { limits = STEP_LIMITS, nowMs, projectionSchema: schema }: StepOptions,
): Promise<number> {
  assertPlainName(schema);
  return inTransaction(connection, async () => {
    // One process at a time; readers do not wait.
    await connection.query('lock table ledger_steps in share row exclusive mode');
    const { rows: ends } = await connection.query(NEXT_STEP(schema), [limits.entriesMax]);
    if (ends.length === 0) return 0;
    const { at, entries, from_at: fromAt, from_frame: from, to_frame: to } = ends[0];
    const isQuiet = nowMs - at.getTime() >= limits.quietMs;
    if (Number(entries) < limits.entriesMin && !isQuiet) return 0;
    const range = [from, to, fromAt];
    await connection.query('insert into ledger_steps (frame, at) values ($1, $2)', [to, at]);
    await connection.query(ADD_TO_TOTALS(schema), range);
    const { checkpointEntries } = limits;
    await connection.query(ADD_TO_ACCOUNTS(schema), [...range, checkpointEntries, at]);
    return Number(entries);
  });
}

/**
 * $1 the maximum entries. Selects as many full frames after the last step as fit, at least one;
 * `at` is the time of their last entry. No row if no complete frame has entries.
 */
const NEXT_STEP = (schema: string) => `
  with last as (
    select coalesce(max(frame), 0) as frame, coalesce(max(at), '-infinity') as at from ledger_steps
  ), bound as (
    select case when is_complete then frame_sequence else frame_sequence - 1 end as frame
    from ${schema}.projection
  ), waiting as (
    select e.frame, e.recorded_at from last cross join bound
    cross join lateral (
      select frame, recorded_at from ${schema}.ledger_entries
      where frame > last.frame and frame <= bound.frame and recorded_at >= last.at
      order by frame limit $1 + 1
    ) e
  ), fitting as (
    select * from waiting
    where (select count(*) from waiting) <= $1
      or frame < (select max(frame) from waiting)
      or frame = (select min(frame) from waiting)
  )
  select last.frame as from_frame, last.at::text as from_at, max(fitting.frame) as to_frame,
    max(fitting.recorded_at) as at, count(fitting.frame) as entries
  from last cross join fitting group by last.frame, last.at`;

// $1 after this frame, $2 up to this frame, $3 not before this time.
const ENTRIES = (schema: string) => `
  from ${schema}.ledger_entries
  where frame > $1 and frame <= $2 and recorded_at >= $3::timestamptz`;

const SUMS = sumsByClass('available_change_atoms', 'held_change_atoms');

const ADD_TO_TOTALS = (schema: string) => `
  insert into ledger_totals (asset_id, frame, users_available_atoms, users_held_atoms, fees_atoms,
    external_atoms)
  select c.asset_id, $2, coalesce(t.users_available_atoms, 0) + c.users_available,
    coalesce(t.users_held_atoms, 0) + c.users_held, coalesce(t.fees_atoms, 0) + c.fees,
    coalesce(t.external_atoms, 0) + c.external
  from (select ${SUMS} ${ENTRIES(schema)} group by asset_id) c
  left join lateral (
    select * from ledger_totals t where t.asset_id = c.asset_id order by t.frame desc limit 1
  ) t on true`;

// $4 the entries of a checkpoint, $5 the time of the step. An account that is due starts at 0.
const ADD_TO_ACCOUNTS = (schema: string) => `
  with added as (
    insert into ledger_accounts as a (owner, asset_id, available_atoms, held_atoms, entries)
    select owner, asset_id, sum(available_change_atoms), sum(held_change_atoms),
      case when count(*) >= $4 then 0 else count(*) end
    ${ENTRIES(schema)} group by owner, asset_id
    on conflict (owner, asset_id) do update
    set available_atoms = a.available_atoms + excluded.available_atoms,
      held_atoms = a.held_atoms + excluded.held_atoms,
      entries = case when excluded.entries = 0 or a.entries + excluded.entries >= $4 then 0
        else a.entries + excluded.entries end
    returning *
  )
  insert into ledger_checkpoints (owner, asset_id, frame, at, available_atoms, held_atoms)
  select owner, asset_id, $2, $5, available_atoms, held_atoms from added where entries = 0`;
