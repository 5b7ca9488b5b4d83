// Proofs of an operator in a session, beyond the session itself. Refused proofs are committed: they
// count as tries.

import { type Connection, inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import { ApiRefusal, type Dependencies } from '../../../platform/http/index.ts';
import type { ErrorKey } from '../../../protocol/index.ts';
import { actOf, type PersonCall } from '../../auth/http/index.ts';
import {
  type Act,
  factorProof,
  type HolderRefusal,
  lockHolder,
  type Proofs,
  proveBoth,
  refuseFactorIfAny,
} from '../../auth/index.ts';

/**
 * The proof serves no other act. Sessions of operators without a factor exist only where
 * development permits them.
 */
export function requireFactor(
  call: PersonCall,
  dependencies: Dependencies,
  otpCode = '',
): Promise<void> {
  const { vault } = dependencies;
  return prove(call, dependencies, (connection, act) =>
    refuseFactorIfAny(connection, vault, { ...factorProof(act, otpCode), isUsedUp: true }),
  );
}

/** The factor, and the code from a mail to the operator. */
export function requireBoth(
  call: PersonCall,
  dependencies: Dependencies,
  proofs: Proofs,
): Promise<void> {
  const { vault } = dependencies;
  return prove(call, dependencies, (connection, act) => proveBoth(connection, vault, act, proofs));
}

async function prove(
  call: PersonCall,
  dependencies: Dependencies,
  refuse: (connection: Connection, act: Act) => Promise<ErrorKey | undefined>,
): Promise<void> {
  const act = actOf(call, dependencies);
  const refusal = await withConnection(dependencies.registry, (connection) =>
    inTransaction(connection, async (): Promise<ErrorKey | HolderRefusal | undefined> => {
      const holder = await lockHolder(connection, act);
      return typeof holder === 'string' ? holder : refuse(connection, act);
    }),
  );
  if (refusal !== undefined) throw new ApiRefusal(refusal);
}
