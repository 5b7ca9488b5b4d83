// Performs an act of a person, who proves a second factor in the transaction of the act. An act may
// need this for a step that no API key and no stolen session may take.

import { inTransaction, withConnection } from '../../infra/postgres/index.ts';
import type { JsonObject, JsonValue } from '../audit/index.ts';
import { factorProof, type Act as IdentityAct, lockHolder, refuseFactor } from '../auth/index.ts';
import { type Act, ActRefused, type Operator } from './act.ts';
import { type ActPorts, contextOf, lockActs, type Performed, performIn } from './perform-act.ts';

/** The person and the code that was sent. */
export interface PersonProof {
  readonly person: IdentityAct;
  /** A one-time password; '' for a passkey that the session has just proven. */
  readonly otpCode: string;
}

export type PerformedInPerson<Result extends JsonValue> =
  | Performed<Result>
  /** The proof of the person was wrong; the failure counts. */
  | { readonly kind: 'refused'; readonly refusal: string };

/** Throws ActRefused: then nothing has happened, and the code can be sent again. */
export function performInPerson<Payload extends JsonObject, Result extends JsonValue>(
  ports: ActPorts,
  operator: Operator,
  { otpCode, person }: PersonProof,
  act: Act<Payload, Result>,
  payload: Payload,
): Promise<PerformedInPerson<Result>> {
  return withConnection(ports.registry, (connection) =>
    inTransaction(connection, async () => {
      await lockActs(connection);
      const holder = await lockHolder(connection, person);
      if (typeof holder === 'string') return { kind: 'refused', refusal: holder } as const;
      if (!holder.mayUseRole) throw new ActRefused('role_missing');
      const proof = { ...factorProof(person, otpCode), isUsedUp: true };
      const refusal = await refuseFactor(connection, ports.vault, proof);
      if (refusal !== undefined) return { kind: 'refused', refusal } as const;
      const context = { ...contextOf(ports, connection, operator), isProven: true };
      return performIn(context, act, payload);
    }),
  );
}
