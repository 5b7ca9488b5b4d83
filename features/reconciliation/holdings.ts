// Declared holdings: operators state how much of an asset the exchange's wallets and banks hold.
// The exchange must never owe its users more. Custody will declare them automatically.

import { atomsFromDecimal } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { amountText, type Check, type Difference } from './check.ts';

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
  async walk({ connection, engine }) {
    const holdings = await readHoldings(connection);
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
      if (held.ok && held.value >= atoms) continue;
      const expected = `at least ${amountText(engine, asset, atoms)}`;
      const found = `${declared.amount} ${symbol}`;
      differences.push({ object: `holding ${symbol}`, asset: symbol, expected, found });
    }
    return { frame: engine.frame, rows: holdings.length, differences, next: undefined };
  },
};
