// Proofs of an operator in a session, beyond the session itself. Rejected proofs are committed,
// because they count as tries.

import { type Connection, inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import type { Dependencies } from '../../../platform/http/index.ts';
import type { ErrorKey } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type PersonCall, personContext } from '../../auth/http/index.ts';
import {
  factorProof,
  type HolderRefusal,
  lockHolder,
  type PersonContext,
  type Proofs,
  proveBoth,
  refuseFactorIfAny,
} from '../../auth/index.ts';

/**
 * The proof is not valid for another action. Operator sessions without a factor exist only where
 * development permits them.
 */
export function refuseOperatorFactor(
  call: PersonCall,
  dependencies: Dependencies,
  otpCode = '',
): Promise<Refused<ErrorKey> | undefined> {
  const { vault } = dependencies;
  return prove(call, dependencies, (connection, person) =>
    refuseFactorIfAny(connection, vault, { ...factorProof(person, otpCode), isUsedUp: true }),
  );
}

/** Checks the factor, and the code emailed to the operator. */
export function refuseOperatorProofs(
  call: PersonCall,
  dependencies: Dependencies,
  proofs: Proofs,
): Promise<Refused<ErrorKey> | undefined> {
  const { vault } = dependencies;
  return prove(call, dependencies, (connection, person) =>
    proveBoth(connection, vault, person, proofs),
  );
}

function prove<Key extends ErrorKey>(
  call: PersonCall,
  dependencies: Dependencies,
  refuse: (connection: Connection, person: PersonContext) => Promise<Refused<Key> | undefined>,
): Promise<Refused<Key | HolderRefusal> | undefined> {
  const person = personContext(call, dependencies);
  return withConnection(dependencies.registry, (connection) =>
    inTransaction(connection, async () => {
      const holder = await lockHolder(connection, person);
      return holder instanceof Refused ? holder : refuse(connection, person);
    }),
  );
}
