// The second factor of an operator before an act about roles. A key has none: other people approve
// what it asks for.

import { refuseFactorIfAny } from '../../../domain/identity/index.ts';
import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';
import { actOf, type PersonCall } from '../person-call.ts';

/** Throws if a person with a factor did not prove it. The proof is used up. */
export async function requireFactorOfPerson(
  call: PersonCall,
  dependencies: Dependencies,
  code = '',
): Promise<void> {
  if (call.caller.kind === 'key') return;
  const { circumstances, nowMs } = actOf(call, dependencies);
  const { session, user } = call.caller;
  const proof = { user, session, code, nowMs, circumstances, isUsedUp: true };
  const refusal = await withConnection(dependencies.registry, (connection) =>
    inTransaction(connection, () => refuseFactorIfAny(connection, dependencies.vault, proof)),
  );
  if (refusal !== undefined) throw new ApiRefusal(refusal);
}
