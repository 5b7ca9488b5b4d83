// Proofs of an operator in a session, beyond the session itself. Refused proofs are committed: they
// count as tries.

import { type Connection, inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import type { Dependencies } from '../../../platform/http/index.ts';
import type { ErrorKey } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
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
export function refuseOperatorFactor(
  call: PersonCall,
  dependencies: Dependencies,
  otpCode = '',
): Promise<Refused<ErrorKey> | undefined> {
  const { vault } = dependencies;
  return prove(call, dependencies, (connection, act) =>
    refuseFactorIfAny(connection, vault, { ...factorProof(act, otpCode), isUsedUp: true }),
  );
}

/** The factor, and the code from a mail to the operator. */
export function refuseOperatorProofs(
  call: PersonCall,
  dependencies: Dependencies,
  proofs: Proofs,
): Promise<Refused<ErrorKey> | undefined> {
  const { vault } = dependencies;
  return prove(call, dependencies, (connection, act) => proveBoth(connection, vault, act, proofs));
}

async function prove(
  call: PersonCall,
  dependencies: Dependencies,
  refuse: (connection: Connection, act: Act) => Promise<ErrorKey | undefined>,
): Promise<Refused<ErrorKey> | undefined> {
  const act = actOf(call, dependencies);
  const refusal = await withConnection(dependencies.registry, (connection) =>
    inTransaction(connection, async (): Promise<ErrorKey | HolderRefusal | undefined> => {
      const holder = await lockHolder(connection, act);
      return typeof holder === 'string' ? holder : refuse(connection, act);
    }),
  );
  return refusal === undefined ? undefined : new Refused(refusal);
}
