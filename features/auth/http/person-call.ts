// The call of an account holder as an act of the domain: who acts, in which session, and what the
// mails about it show.

import type { ClientContext, Dependencies } from '../../../platform/http/index.ts';
import { circumstancesOf } from '../circumstances.ts';
import type { Caller } from '../credentials/caller.ts';
import type { Act } from '../person-context.ts';

export interface PersonCall {
  readonly caller: Caller;
  readonly client: ClientContext;
}

export function actOf({ caller, client }: PersonCall, dependencies: Dependencies): Act {
  const { session, user } = caller;
  return {
    user,
    flow: { network: client.network, session },
    circumstances: circumstancesOf(dependencies, client, user),
    nowMs: dependencies.clock.nowMs(),
  };
}
