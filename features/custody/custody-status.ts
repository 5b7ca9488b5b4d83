// State of custody for operators: each network's cursor and queues. Changes nothing.

import type { Statements } from '../../infra/postgres/index.ts';

export interface NetworkStatus {
  readonly network: string;
  readonly height: number;
  readonly tipHeight: number;
  readonly haltedReason: string | undefined;
  /** Deposits by state, without those that were credited. */
  readonly queues: Readonly<Record<string, number>>;
}

export async function readCustodyStatus(statements: Statements): Promise<NetworkStatus[]> {
  const { rows } = await statements.query(
    `select n.*, coalesce((
       select jsonb_object_agg(q.state, q.count) from (
         select state, count(*) from custody_deposits
         where network = n.network and state in
           ('pending', 'held', 'small', 'in_review', 'unattributed') group by state
       ) q), '{}') as queues
     from custody_networks n order by network`,
  );
  return rows.map((row) => ({
    network: row.network,
    height: Number(row.height),
    tipHeight: Number(row.tip_height),
    haltedReason: row.halted_reason ?? undefined,
    queues: row.queues,
  }));
}
