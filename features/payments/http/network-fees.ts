// Fees of completed withdrawals: by coin, or all rows as a list or a file, streamed.

import { DAY_MS } from '../../../core/market-data/index.ts';
import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import {
  answerList,
  type Call,
  type Dependencies,
  type ListAnswer,
  momentFilter,
  type Row,
} from '../../../platform/http/index.ts';
import {
  decimal,
  type NetworkFee,
  type NetworkFees,
  type Routes,
  timeText,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';

const EXCHANGE_ID = 1;
const DAYS = 30;
/** Files and lists of all rows have no such limit. */
const ROWS_MAX = 10_000;

// An index has exactly these rows in this order.
const FEES = `
  from withdrawal_requests r
  where r.kind = 'withdrawal' and r.state = 'completed' and r.fee_atoms > 0
    and r.updated_at >= $1 and r.updated_at < $2`;

export async function getNetworkFees(
  call: Call<Routes['getNetworkFees']>,
  { clock, exchange, registry }: Dependencies,
): Promise<NetworkFees | ListAnswer | Refused<'too_many_rows'>> {
  const { format, ...dates } = call.query;
  const to = momentFilter(dates.end_date) ?? new Date(clock.nowMs() + DAY_MS);
  const from = momentFilter(dates.start_date) ?? new Date(to.getTime() - (DAYS + 1) * DAY_MS);
  const rows = (order: string) => `select r.* ${FEES} ${order} limit $3 offset $4`;
  if (format !== undefined) {
    return answerList(
      { ...call, query: { format, limit: 50, page: 1 } },
      {
        pool: registry,
        clock,
        rows,
        count: `select count(*) from (select ${FEES} limit $3) counted`,
        values: [from, to],
        sortColumns: {},
        defaultSort: ['r.updated_at', 'r.id'],
        write: (row) => JSON.stringify(feeOf(row)),
        fileName: `${exchange.name}-fees`,
      },
    );
  }
  const order = 'order by r.updated_at desc, r.id desc';
  const found = await registry.query(rows(order), [from, to, ROWS_MAX + 1, 0]);
  if (found.rows.length > ROWS_MAX) return new Refused('too_many_rows');
  const fees: Record<string, NetworkFee[]> = {};
  for (const row of found.rows) {
    fees[row.fee_currency] ??= [];
    fees[row.fee_currency].push(feeOf(row));
  }
  return fees;
}

function feeOf(row: Row): NetworkFee {
  return {
    id: Number(row.id),
    transaction_id: row.transaction_id,
    currency: row.fee_currency,
    network_fee: decimal(decimalFromAtoms(BigInt(row.fee_atoms) as Atoms, Number(row.fee_scale))),
    timestamp: timeText(row.updated_at.getTime()),
    exchange_id: EXCHANGE_ID,
  };
}
