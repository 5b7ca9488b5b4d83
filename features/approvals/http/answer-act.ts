// Responds to an operator's call with an action: done immediately, or pending approval. A session
// gets 202 for a pending action; a key gets 409, because its clients take every 2xx for success.
// Effects beyond the tables follow the commit.

import type { UserId } from '../../../core/money/index.ts';
import { type Dependencies, JsonAnswer } from '../../../platform/http/index.ts';
import type { ErrorKey, PendingApproval } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { JsonObject, JsonValue } from '../../audit/index.ts';
import { type PersonCall, personContext } from '../../auth/http/index.ts';
import type { Act, ActEffects } from '../act.ts';
import { type ActPorts, type Performed, performAct } from '../perform-act.ts';
import { performInPerson } from '../perform-in-person.ts';
import { type OperatorCall, operatorOf } from './operator-call.ts';

const WAITING_STATUS = 202;

/** `answerOf` runs after the commit: it can wait for the engine and read the row. */
export async function answerAct<
  Payload extends JsonObject,
  Result extends JsonValue,
  Key extends ErrorKey,
  Body,
>(
  call: OperatorCall,
  dependencies: Dependencies,
  act: Act<Payload, Result, Key>,
  payload: Payload,
  answerOf: (result: Result) => Body | Promise<Body>,
): Promise<Body | JsonAnswer<never> | Refused<ErrorKey>> {
  const ports = actPorts(dependencies);
  const performed = await performAct(ports, operatorOf(call), act, payload);
  return answerPerformed(call, dependencies, performed, answerOf);
}

/**
 * Like `answerAct`, for an operator who sends a second-factor code, which an action can require.
 */
export async function answerActInPerson<
  Payload extends JsonObject,
  Result extends JsonValue,
  Key extends ErrorKey,
  Body,
>(
  call: OperatorCall & PersonCall,
  dependencies: Dependencies,
  { act, otpCode, payload }: ActInPerson<Payload, Result, Key>,
  answerOf: (result: Result) => Body | Promise<Body>,
): Promise<Body | JsonAnswer<never> | Refused<ErrorKey>> {
  const ports = actPorts(dependencies);
  const proof = { person: personContext(call, dependencies), otpCode };
  const performed = await performInPerson(ports, operatorOf(call), proof, act, payload);
  return answerPerformed(call, dependencies, performed, answerOf);
}

export interface ActInPerson<
  Payload extends JsonObject,
  Result extends JsonValue,
  Key extends ErrorKey,
> {
  readonly act: Act<Payload, Result, Key>;
  readonly payload: Payload;
  readonly otpCode: string;
}

function answerPerformed<Result extends JsonValue, Body>(
  call: OperatorCall,
  dependencies: Dependencies,
  performed: Performed<Result> | Refused<ErrorKey>,
  answerOf: (result: Result) => Body | Promise<Body>,
): Body | Promise<Body> | JsonAnswer<never> | Refused<ErrorKey> {
  if (performed instanceof Refused) return performed;
  if (performed.kind === 'waiting') return waitingAnswer(call, performed.approval);
  const { effects, result } = performed.executed;
  applyEffects(dependencies, effects);
  return answerOf(result);
}

/** Replaces the usual body. */
export function waitingAnswer(
  { caller }: OperatorCall,
  approval: number,
): JsonAnswer<never> | Refused<'approval_pending'> {
  if (caller.kind !== 'session') return new Refused('approval_pending', { approval_id: approval });
  const body: PendingApproval = {
    message: 'Pending approval',
    approval_id: approval,
    status: false,
    waiting: true,
  };
  return new JsonAnswer(body as never, { status: WAITING_STATUS });
}

export function actPorts({ clock, exchange, registry, vault }: Dependencies): ActPorts {
  const { name, projectionSchema } = exchange;
  return { registry, vault, clock, exchange: { name, projectionSchema } };
}

/** Call it after the commit. */
export function applyEffects(
  { changes, outcomes, switches }: Pick<Dependencies, 'changes' | 'outcomes' | 'switches'>,
  effects: ActEffects = {},
): void {
  for (const user of effects.accessOf ?? []) {
    changes.announce({ user, key: 0, session: 0, isRevoked: true });
  }
  if (effects.roles) changes.announce({ user: 0 as UserId, key: 0, session: 0, isRevoked: false });
  if (effects.dispatcher) outcomes.wakeDispatcher();
  if (effects.switches) switches.announce();
}
