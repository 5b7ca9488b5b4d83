// Counts a look-up of an operator in the transaction that reads, or refuses the call.

import type { Connection } from '../../../infra/postgres/index.ts';
import { ApiRefusal, type Dependencies } from '../../../platform/http/index.ts';
import { type OperatorCall, operatorOf } from '../../approvals/http/index.ts';
import { countLookUp, type LookUp } from '../look-ups.ts';

export async function countOrRefuse(
  connection: Connection,
  call: OperatorCall,
  { clock }: Pick<Dependencies, 'clock'>,
  lookUp: Pick<LookUp, 'fields' | 'reason' | 'reveal' | 'subject'>,
): Promise<void> {
  const { role, user: operator } = operatorOf(call);
  const spent = await countLookUp(connection, { ...lookUp, operator, role, nowMs: clock.nowMs() });
  if (spent !== undefined) throw new ApiRefusal(spent.refusal, {}, spent.retryAfterS);
}
