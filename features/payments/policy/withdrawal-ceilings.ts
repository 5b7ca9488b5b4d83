// Withdrawal ceilings: the maximum amount of an asset that leaves the exchange per hour or day
// without reviews. The withdrawal policy enforces them, and the dispatcher runs it again.

import type { Statements } from '../../../infra/postgres/index.ts';

/** Decimals in units of the asset; null for no limit. */
export interface WithdrawalCeiling {
  readonly hourly: string | null;
  readonly daily: string | null;
}

const COLUMNS = 'currency, hourly::text as hourly, daily::text as daily';

export async function readCeiling(
  statements: Statements,
  currency: string,
): Promise<WithdrawalCeiling | undefined> {
  const text = `select ${COLUMNS} from withdrawal_ceilings where currency = $1`;
  const [row] = (await statements.query(text, [currency])).rows;
  return row && { hourly: row.hourly, daily: row.daily };
}

export async function listCeilings(
  statements: Statements,
): Promise<(WithdrawalCeiling & { readonly currency: string })[]> {
  return (await statements.query(`select ${COLUMNS} from withdrawal_ceilings order by currency`))
    .rows;
}

const DECIMAL = /^(?:0|[1-9]\d{0,29})(?:\.\d{1,18})?$/;

/**
 * Sets the ceiling, or removes it if it has no limit. Throws RangeError if a limit is not a
 * decimal.
 */
export async function describeCeiling(
  statements: Statements,
  currency: string,
  { daily, hourly }: WithdrawalCeiling,
): Promise<void> {
  for (const bound of [daily, hourly]) {
    if (bound !== null && !DECIMAL.test(bound)) throw new RangeError(`invalid ceiling: ${bound}`);
  }
  if (daily === null && hourly === null) {
    await statements.query('delete from withdrawal_ceilings where currency = $1', [currency]);
    return;
  }
  await statements.query(
    `insert into withdrawal_ceilings (currency, hourly, daily) values ($1, $2, $3)
     on conflict (currency) do update set hourly = excluded.hourly, daily = excluded.daily,
       updated_at = now()`,
    [currency, hourly, daily],
  );
}
