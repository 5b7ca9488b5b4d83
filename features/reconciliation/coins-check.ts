// Compares the recorded coins on each deposit address with a node of the reconciler's own choice.
// Coins that a lying watcher invents are not on the chain, so the credits for them are found.

import { type Check, type Difference, NodeAway, type Place, stepRows } from './check.ts';

/** A node needs about a millisecond per row. */
const COINS_SHARE = 10;
const START: Place = ['', '0', ''];

export const COINS: Check = {
  name: 'coins',
  pauses: true,
  async walk(context, from = START) {
    const { coins: source, connection, engine } = context;
    const nothing = { frame: undefined, rows: 0, differences: [], next: undefined };
    if (source === undefined) return nothing;
    const limit = stepRows(context, COINS_SHARE, 0);
    const page = (await connection.query(PAGE, [...from, limit])).rows;
    if (page.length === 0) return nothing;
    const { hash, network } = page[0];
    const rows = page.filter((row) => row.network === network);
    const coins = rows.map((row) => ({ asset: Number(row.asset_id), address: row.address }));
    const found = await source.unitsAt(network, hash, coins).catch((fault: unknown) => {
      if (fault instanceof NodeAway) return 'later' as const;
      throw fault;
    });
    if (found === 'later') return 'later';
    const differences = rows.flatMap((row, at): Difference[] => {
      const units = found[at];
      if (units === undefined || units === BigInt(row.units)) return [];
      const asset = Number(row.asset_id);
      const place = `${network} address 0x${row.address.toString('hex')}`;
      return [
        {
          object: `coins on ${place} of asset ${asset}`,
          asset: engine.assetOf(asset).symbol,
          expected: `${units} units on the chain`,
          found: `${row.units} units`,
        },
      ];
    });
    const last = rows.at(-1);
    const next = [network, `${last.asset_id}`, last.address.toString('hex')];
    return { frame: undefined, rows: rows.length, differences, next };
  },
};

/** With the block for which the rows are right. */
const PAGE = `
  select c.network, c.asset_id, c.address, c.units, n.hash
  from custody_coins c join custody_networks n on n.network = c.network
  where (c.network, c.asset_id, c.address) > ($1, $2::bigint, decode($3, 'hex'))
  order by c.network, c.asset_id, c.address limit $4`;
