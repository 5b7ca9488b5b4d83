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

function prove<Key extends ErrorKey>(
  call: PersonCall,
  dependencies: Dependencies,
  refuse: (connection: Connection, act: Act) => Promise<Refused<Key> | undefined>,
): Promise<Refused<Key | HolderRefusal> | undefined> {
  const act = actOf(call, dependencies);
  return withConnection(dependencies.registry, (connection) =>
    inTransaction(connection, async () => {
      const holder = await lockHolder(connection, act);
      return holder instanceof Refused ? holder : refuse(connection, act);
    }),
  );
}
