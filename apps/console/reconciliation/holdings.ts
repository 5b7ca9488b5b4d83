// Each asset in the ledger next to the amount counted externally.

import type {
  DeclaredHolding,
  LedgerTotalsOfCurrency,
  ReconciliationDifference,
} from '../../../client/index.ts';
import { add, isZero, subtract } from '../../decimals/index.ts';

export interface HoldingRow {
  readonly currency: string;
  /** Owed to users, plus collected fees. Undefined if the role cannot read the ledger. */
  readonly ledger: string | undefined;
  readonly outside: string | undefined;
  /** External minus ledger; negative if money is missing. */
  readonly difference: string | undefined;
  readonly declared: DeclaredHolding | undefined;
  readonly open: number;
}

export function holdingRows(
  totals: readonly LedgerTotalsOfCurrency[],
  holdings: readonly DeclaredHolding[],
  differences: readonly ReconciliationDifference[],
): HoldingRow[] {
  const currencies = new Set([
    ...totals.filter((one) => !isZero(owed(one))).map(({ currency }) => currency),
    ...holdings.map(({ currency }) => currency),
  ]);
  return [...currencies].toSorted().map((currency) => {
    const total = totals.find((one) => one.currency === currency);
    const declared = holdings.find((one) => one.currency === currency);
    const ledger = total && owed(total);
    const outside = declared?.amount;
    const isKnown = ledger !== undefined && outside !== undefined;
    return {
      currency,
      ledger,
      outside,
      difference: isKnown ? subtract(outside, ledger) : undefined,
      declared,
      open: differences.filter((one) => one.currency === currency).length,
    };
  });
}

function owed(one: LedgerTotalsOfCurrency): string {
  return add(add(one.users_available, one.users_held), one.fees);
}
