// Performs an action of an operator who proves a second factor in the action's transaction. For
// steps that no API key and no stolen session can take.

import { inTransaction, withConnection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import type { JsonObject, JsonValue } from '../audit/index.ts';
import {
  type FactorRefusal,
  factorProof,
  type HolderRefusal,
  lockHolder,
  type PersonContext,
  refuseFactor,
} from '../auth/index.ts';
import type { Act, Operator } from './act.ts';
import {
  type ActPorts,
  contextOf,
  lockActs,
  type Performed,
  type PerformRefusal,
  performIn,
} from './perform-act.ts';

/** The operator and the code sent. */
export interface PersonProof {
  readonly person: PersonContext;
  /** One-time password; '' for a passkey that the session has just proven. */
  readonly otpCode: string;
}

/**
 * If the action is rejected, nothing has happened, and the code can be sent again. A rejected proof
 * is committed, because it counts as a try.
 */
export function performInPerson<
  Payload extends JsonObject,
  Result extends JsonValue,
  Key extends string,
>(
  ports: ActPorts,
  operator: Operator,
  { otpCode, person }: PersonProof,
  act: Act<Payload, Result, Key>,
  payload: Payload,
): Promise<Performed<Result> | Refused<Key | PerformRefusal | FactorRefusal | HolderRefusal>> {
  let isProven = false;
  return withConnection(ports.registry, (connection) =>
    inTransaction(
      connection,
      async () => {
        await lockActs(connection);
        const holder = await lockHolder(connection, person);
        if (holder instanceof Refused) return holder;
        if (!holder.mayUseRole) return new Refused('role_missing');
        const proof = { ...factorProof(person, otpCode), isUsedUp: true };
        const refusal = await refuseFactor(connection, ports.vault, proof);
        if (refusal !== undefined) return refusal;
        isProven = true;
        const context = { ...contextOf(ports, connection, operator), isProven };
        return performIn(context, act, payload);
      },
      { rollBackIf: (result) => isProven && result instanceof Refused },
    ),
  );
}
