// Lists of balances, deposits, withdrawals and ledger entries, newest first. Optional filters are
// null when not wanted.

/** $1 user. */
export const BALANCES_OF_USER = `
  select b.* from balances b where b.owner = $1 order by b.asset_id`;

/** Of all users in an asset: $1 asset, $2 limit, $3 offset. */
export const BALANCES_IN_ASSET = `
  select b.* from balances b where b.asset_id = $1 and b.owner > 0
  order by b.owner limit $2 offset $3`;

/** $1 user, $2 asset, $3 reference, $4 from, $5 to, $6 limit, $7 offset. */
export const DEPOSITS_OF_USER = `
  select d.* from deposits d where d.user_id = $1
    and ($2::bigint is null or d.asset_id = $2)
    and ($3::text is null or d.reference = $3)
    and ($4::timestamptz is null or d.created_at >= $4)
    and ($5::timestamptz is null or d.created_at < $5)
  order by d.command desc limit $6 offset $7`;

/** $1 to $7 as in DEPOSITS_OF_USER, but $1 may be null. */
export const DEPOSITS = DEPOSITS_OF_USER.replace(
  'd.user_id = $1',
  '($1::bigint is null or d.user_id = $1)',
);

/** $1 to $7 as in DEPOSITS_OF_USER; $8 status. */
export const WITHDRAWALS_OF_USER = `
  select w.* from withdrawals w where w.user_id = $1
    and ($2::bigint is null or w.asset_id = $2)
    and ($3::text is null or w.reference = $3)
    and ($4::timestamptz is null or w.created_at >= $4)
    and ($5::timestamptz is null or w.created_at < $5)
    and ($8::text is null or w.status = $8)
  order by w.command desc limit $6 offset $7`;

/** $1 to $8 as in WITHDRAWALS_OF_USER, but $1 may be null. */
export const WITHDRAWALS = WITHDRAWALS_OF_USER.replace(
  'w.user_id = $1',
  '($1::bigint is null or w.user_id = $1)',
);

/** Why an account is as it is: $1 owner, $2 asset, $3 from, $4 to, $5 limit, $6 offset. */
export const LEDGER_ENTRIES_OF_ACCOUNT = `
  select e.* from ledger_entries e where e.owner = $1 and e.asset_id = $2
    and ($3::timestamptz is null or e.recorded_at >= $3)
    and ($4::timestamptz is null or e.recorded_at < $4)
  order by e.recorded_at desc, e.frame desc, e.event_index desc, e.posting_index desc
  limit $5 offset $6`;
