// Lists of balances. Issue statements without a name: the planner then knows their values.

/** $1 user. */
export const BALANCES_OF_USER = `
  select b.* from balances b where b.owner = $1 order by b.asset_id`;

/** Of all users in an asset: $1 asset, $2 limit, $3 offset. */
export const BALANCES_IN_ASSET = `
  select b.* from balances b where b.asset_id = $1 and b.owner > 0
  order by b.owner limit $2 offset $3`;
