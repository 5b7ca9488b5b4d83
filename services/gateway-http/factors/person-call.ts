// A call of an account holder, and the actor that the identity rules know.

import type { Caller } from '../../../domain/credentials/index.ts';
import { circumstancesOf, type FactorActor } from '../../../domain/identity/index.ts';
import type { ClientContext } from '../client-context.ts';
import type { Dependencies } from '../dependencies.ts';

export interface PersonCall {
  readonly caller: Caller;
  readonly client: ClientContext;
}

export function actorOf({ caller, client }: PersonCall, dependencies: Dependencies): FactorActor {
  const { session, user } = caller;
  return {
    user,
    session,
    nowMs: dependencies.clock.nowMs(),
    circumstances: circumstancesOf(dependencies, client, user),
  };
}
