// Declared holdings: operators state how much of an asset the exchange's wallets and banks hold,
// without deposit addresses under custody, whose coins are added. The exchange must never owe its
// users more.

import { atomsFromDecimal } from '../../core/money/index.ts';
import type { Connection, Statements } from '../../infra/postgres/index.ts';
import { amountText, type Check, type CoinSource, type Difference } from './check.ts';

export type Holding = {
  readonly asset: string;
  /** A decimal. */
  readonly amount: string;
  readonly note: string;
};

export interface DeclaredHolding extends Holding {
  readonly declaredBy: number;
  readonly declaredAt: Date;
}

export async function readHoldings(statements: Statements): Promise<DeclaredHolding[]> {
  const { rows } = await statements.query(
    'select *, trim_scale(amount) as amount from declared_holdings order by asset',
  );
  return rows.map((row) => ({
    asset: row.asset,
    amount: row.amount,
    note: row.note,
    declaredBy: Number(row.declared_by),
    declaredAt: row.declared_at,
  }));
}

export const HOLDINGS: Check = {
  name: 'holdings',
  pauses: true,
  async walk({ coins, connection, engine }) {
    const holdings = await readHoldings(connection);
    const inCustody: ReadonlyMap<number, bigint> =
      coins === undefined ? new Map() : await custodyAtoms(connection, coins);
    const owed = new Map<number, bigint>();
    for (const { asset, availableAtoms, heldAtoms, owner } of engine.accounts()) {
      if (owner > 0) owed.set(asset, (owed.get(asset) ?? 0n) + availableAtoms + heldAtoms);
    }
    const differences: Difference[] = [];
    for (const [asset, atoms] of owed) {
      const { scale, symbol } = engine.assetOf(asset);
      const declared = holdings.find((one) => one.asset === symbol);
      if (declared === undefined) continue;
      const held = atomsFromDecimal(declared.amount, scale);
      const onChain = inCustody.get(asset) ?? 0n;
      if (held.ok && held.value + onChain >= atoms) continue;
      const expected = `at least ${amountText(engine, asset, atoms)}`;
      const added = onChain > 0n ? ` and ${amountText(engine, asset, onChain)} in custody` : '';
      const found = `${declared.amount} ${symbol}${added}`;
      differences.push({ object: `holding ${symbol}`, asset: symbol, expected, found });
    }
    return { frame: engine.frame, rows: holdings.length, differences, next: undefined };
  },
};

/** Returns the coins on deposit addresses by asset, rounded down. */
async function custodyAtoms(
  connection: Connection,
  coins: CoinSource,
): Promise<ReadonlyMap<number, bigint>> {
  const { rows } = await connection.query(
    'select network, asset_id, sum(units) as units from custody_coins group by network, asset_id',
  );
  const sums = new Map<number, bigint>();
  for (const row of rows) {
    const asset = Number(row.asset_id);
    const atoms = coins.atomsOf(row.network, asset, BigInt(row.units));
    sums.set(asset, (sums.get(asset) ?? 0n) + atoms);
  }
  return sums;
}
