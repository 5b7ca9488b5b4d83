// An account holder's request as the rules see it: the user, the session, and the details shown in
// emails about the change.

import type { ClientContext, Dependencies } from '../../../platform/http/index.ts';
import { circumstancesOf } from '../circumstances.ts';
import type { Caller } from '../credentials/caller.ts';
import type { PersonContext } from '../person-context.ts';

export interface PersonCall {
  readonly caller: Caller;
  readonly client: ClientContext;
}

export function personContext(
  { caller, client }: PersonCall,
  dependencies: Dependencies,
): PersonContext {
  const { session, user } = caller;
  return {
    user,
    flow: { network: client.network, session },
    circumstances: circumstancesOf(dependencies, client, user),
    nowMs: dependencies.clock.nowMs(),
  };
}
