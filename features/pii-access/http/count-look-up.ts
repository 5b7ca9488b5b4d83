// Counts a look-up of an operator in the transaction that reads, or refuses the call.

import type { Connection } from '../../../infra/postgres/index.ts';
import type { Dependencies } from '../../../platform/http/index.ts';
import type { Refused } from '../../../protocol/wire/index.ts';
import { type OperatorCall, operatorOf } from '../../approvals/http/index.ts';
import { countLookUp, type LookUp } from '../look-ups.ts';

export function countOrRefuse(
  connection: Connection,
  call: OperatorCall,
  { clock }: Pick<Dependencies, 'clock'>,
  lookUp: Pick<LookUp, 'fields' | 'reason' | 'reveal' | 'subject'>,
): Promise<Refused<'lookup_budget_spent'> | undefined> {
  const { role, user: operator } = operatorOf(call);
  return countLookUp(connection, { ...lookUp, operator, role, nowMs: clock.nowMs() });
}
