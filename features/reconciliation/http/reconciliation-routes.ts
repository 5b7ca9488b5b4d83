// Handlers for reconciliation. The reconciler writes the data that these calls read.

import type { HandlersOf } from '../../../platform/http/index.ts';
import { decimal, type ReconciliationState, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct, decimalText } from '../../approvals/http/index.ts';
import { DECLARE_HOLDING } from '../admin.ts';
import { readChecks, readOpenDifferences } from '../differences.ts';
import { type DeclaredHolding, readHoldings } from '../holdings.ts';

export const reconciliationRoutes: HandlersOf<'reconciliation'> = {
  async getReconciliation(_call, { registry }): Promise<ReconciliationState> {
    const checks = await readChecks(registry);
    const differences = await readOpenDifferences(registry);
    return {
      checks: checks.map(({ checkedAt, frame, name, passedAt, rowsCompared }) => ({
        name,
        frame: frame ?? null,
        rows_compared: rowsCompared,
        checked_at: timeText(checkedAt.getTime()),
        passed_at: passedAt === undefined ? null : timeText(passedAt.getTime()),
      })),
      differences: differences.map((one) => ({
        id: one.id,
        check: one.check,
        object: one.object,
        currency: one.asset ?? null,
        expected: one.expected,
        found: one.found,
        frame: one.frame ?? null,
        first_found_at: timeText(one.firstFoundAt.getTime()),
        found_at: timeText(one.foundAt.getTime()),
      })),
      holdings: (await readHoldings(registry)).map(holdingOf),
    };
  },

  declareHolding(call, dependencies) {
    const { amount, currency, note } = call.body;
    const payload = { asset: currency.toLowerCase(), amount: decimalText(amount), note };
    return answerAct(call, dependencies, DECLARE_HOLDING, payload, async ({ asset }) => {
      const holdings = await readHoldings(dependencies.registry);
      const written = holdings.find((one) => one.asset === asset);
      return written === undefined ? new Refused('outcome_unknown') : holdingOf(written);
    });
  },
};

function holdingOf({ amount, asset, declaredAt, declaredBy, note }: DeclaredHolding) {
  return {
    currency: asset,
    amount: decimal(amount),
    note,
    declared_by: declaredBy,
    declared_at: timeText(declaredAt.getTime()),
  };
}
