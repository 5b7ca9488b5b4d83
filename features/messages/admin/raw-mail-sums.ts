// Number of approvals for an operator's own text: by its recipients plus those of such emails by
// all operators within 24 hours. Recipients that enough operators approved are not counted again.

import type { ActContext } from '../../approvals/index.ts';

const ONE_APPROVAL_ABOVE = 10;
const TWO_APPROVALS_ABOVE = 1_000;

export async function approvalsForReceivers(
  { connection, nowMs }: Pick<ActContext, 'connection' | 'nowMs'>,
  { act, receivers }: { readonly act: string; readonly receivers: number },
): Promise<0 | 1 | 2> {
  const { rows } = await connection.query(
    `with sent as (
       select (e.after ->> 'receivers')::bigint as receivers, coalesce(a.needed, 0) as approvals
       from audit_entries e left join approval_requests a on a.id = e.approval_id
       where e.act = $1 and e.at > to_timestamp($2 / 1000.0) - interval '24 hours'
     )
     select coalesce(sum(receivers) filter (where approvals < 1), 0) as unapproved,
       coalesce(sum(receivers) filter (where approvals < 2), 0) as not_twice
     from sent`,
    [act, nowMs],
  );
  const [{ not_twice, unapproved }] = rows;
  if (Number(not_twice) + receivers > TWO_APPROVALS_ABOVE) return 2;
  return Number(unapproved) + receivers > ONE_APPROVAL_ABOVE ? 1 : 0;
}
