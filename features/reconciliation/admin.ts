// Operator action that declares the exchange's external holdings.

import { atomsFromDecimal } from '../../core/money/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../approvals/index.ts';
import type { Holding } from './holdings.ts';

/** Needs approval from another operator, because a false number hides missing money. */
export const DECLARE_HOLDING = defineAct({
  name: 'holding.declare',
  votePower: 'approve.money',
  async prepare({ connection, exchange, nowMs, operator }: ActContext, holding: Holding) {
    const { amount, asset, note } = holding;
    const { rows } = await connection.query(
      `select a.scale, trim_scale(d.amount) as amount from ${exchange.projectionSchema}.assets a
       left join declared_holdings d on d.asset = a.symbol where a.symbol = $1`,
      [asset],
    );
    if (rows.length === 0) return new Refused('currency_invalid', { currency: asset });
    if (!atomsFromDecimal(amount, Number(rows[0].scale)).ok) {
      return new Refused('holding_invalid', { currency: asset });
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

      async run() {
        await connection.query(
          `insert into declared_holdings (asset, amount, note, declared_by, declared_at)
           values ($1, $2, $3, $4, $5)
           on conflict (asset) do update set amount = excluded.amount, note = excluded.note,
             declared_by = excluded.declared_by, declared_at = excluded.declared_at`,
          [asset, amount, note, operator.user, new Date(nowMs)],
        );
        return { result: holding, after: { amount, asset } };
      },
    };
  },
});

export const RECONCILIATION_ACTS = [DECLARE_HOLDING] as const;
