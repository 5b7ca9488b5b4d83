// Compares the coins on deposit addresses with the deposits that explain them, and the credits of
// networks under custody with the final deposits that they credit.

import { type Check, type Difference, inSnapshot } from './check.ts';

export const CUSTODY: Check = {
  name: 'custody',
  pauses: true,
  async walk({ connection, engine }) {
    const { coins, credits } = await inSnapshot(connection, async () => ({
      coins: (await connection.query(COINS)).rows,
      credits: (await connection.query(CREDITS)).rows,
    }));
    const differences = [
      ...coins.map(
        (row): Difference => ({
          object: `coins on ${row.network} of asset ${row.asset}`,
          asset: engine.assetOf(Number(row.asset)).symbol,
          expected: `${row.expected} units`,
          found: `${row.found} units`,
        }),
      ),
      ...credits.map(
        (row): Difference => ({
          object: `deposit ${row.id} from ${row.network}`,
          asset: row.currency,
          expected: `${row.expected} atoms of final deposits`,
          found: `${row.found} atoms`,
          isCertain: true,
        }),
      ),
    ];
    return { frame: undefined, rows: coins.length + credits.length, differences, next: undefined };
  },
};

/** All final deposits, without the coins that left, are on the deposit addresses. */
const COINS = `
  with sums as (
    select network, asset_id, sum(units) as expected, 0 as found from custody_deposits
    where finalized_at is not null group by network, asset_id
    union all
    select network, asset_id, -sum(units), 0 from custody_spends group by network, asset_id
    union all
    select network, asset_id, 0, sum(units) from custody_coins group by network, asset_id
  )
  select network, asset_id as asset, sum(expected)::text as expected, sum(found)::text as found
  from sums group by network, asset_id having sum(expected) <> sum(found)
  order by network, asset_id`;

/**
 * A credit since the cutover credits exactly the final deposits that name it. Deposits to manual
 * addresses of older days stay manual.
 */
const CREDITS = `
  select r.id, r.network, r.currency, r.amount_atoms::text as found,
    coalesce(sum(d.atoms), 0)::text as expected
  from custody_networks n
  join deposit_requests r on r.network = n.network and r.id > n.opened_after_deposit
    and r.kind = 'deposit' and r.state in ('crediting', 'completed')
  left join custody_deposits d on d.deposit_request = r.id and d.finalized_at is not null
    and d.asset_id = r.asset_id and d.user_id = r.user_id and d.network = r.network
    and d.state in ('credited', 'in_review')
  where not exists (select from manual_addresses m
    where m.network = r.network and m.address = r.address)
  group by r.id having coalesce(sum(d.atoms), 0) <> r.amount_atoms
  order by r.id limit 1000`;
