// State of custody for operators: each network's cursor and queues. Changes nothing.

import type { Statements } from '../../infra/postgres/index.ts';

export interface NetworkStatus {
  readonly network: string;
  readonly height: number;
  readonly tipHeight: number;
  readonly haltedReason: string | undefined;
  readonly haltedAt: Date | undefined;
  /** Deposits by state, without those that were credited. */
  readonly queues: Readonly<Record<string, number>>;
}

export async function readCustodyStatus(statements: Statements): Promise<NetworkStatus[]> {
  const { rows } = await statements.query(
    `select n.*, coalesce((
       select jsonb_object_agg(q.state, q.count) from (
         select state, count(*) from custody_deposits
         where network = n.network and state in ('pending', 'held', 'small', 'unattributed')
         group by state
         union all
         -- Ends with the review of its request; the dispatcher sends credits to review too.
         select 'in_review', count(*) from custody_deposits d
         join deposit_requests r on r.id = d.deposit_request
         where d.network = n.network and r.network = n.network and r.state = 'in_review'
           and d.state in ('in_review', 'credited')
         having count(*) > 0
       ) q), '{}') as queues
     from custody_networks n order by network`,
  );
  return rows.map((row) => ({
    network: row.network,
    height: Number(row.height),
    tipHeight: Number(row.tip_height),
    haltedReason: row.halted_reason ?? undefined,
    haltedAt: row.halted_at ?? undefined,
    queues: row.queues,
  }));
}
