// Declared holdings: operators say how much of an asset the wallets and banks of the exchange hold.
// It must never owe its users more. Custody will declare them by itself.

import { atomsFromDecimal } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { type Act, ActRefused, defineAct } from '../approvals/index.ts';
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

/** Another person confirms the figure: with a false one, missing money is not found. */
export const DECLARE_HOLDING: Act<Holding, Holding> = defineAct({
  name: 'holding.declare',
  votePower: 'approve.money',
  async assess({ connection, exchange }, { amount, asset, note }) {
    const { rows } = await connection.query(
      `select a.scale, trim_scale(d.amount) as amount from ${exchange.projectionSchema}.assets a
       left join declared_holdings d on d.asset = a.symbol where a.symbol = $1`,
      [asset],
    );
    if (rows.length === 0) throw new ActRefused('currency_invalid', { currency: asset });
    if (!atomsFromDecimal(amount, Number(rows[0].scale)).ok) {
      throw new ActRefused('holding_invalid', { currency: asset });
    }
    const before = rows[0].amount === null ? 'none' : `${rows[0].amount} ${asset}`;
    return {
      object: `holding ${asset}`,
      objectVersion: before,
      approvals: 1,
      beneficiaries: [],
      shown: [
        { label: 'Declared before', value: before },
        { label: 'Declared now', value: `${amount} ${asset}` },
        { label: 'Note', value: note },
      ],
    };
  },
  async execute({ connection, nowMs, operator }, holding) {
    const { amount, asset, note } = holding;
    await connection.query(
      `insert into declared_holdings (asset, amount, note, declared_by, declared_at)
       values ($1, $2, $3, $4, $5)
       on conflict (asset) do update set amount = excluded.amount, note = excluded.note,
         declared_by = excluded.declared_by, declared_at = excluded.declared_at`,
      [asset, amount, note, operator.user, new Date(nowMs)],
    );
    return { result: holding, after: { amount, asset } };
  },
});

export const RECONCILIATION_ACTS = [DECLARE_HOLDING] as const;

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
