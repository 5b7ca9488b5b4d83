// The call of an account holder as an act of the domain: who acts, in which session, and what the
// mails about it show.

import type { Caller } from '../../../domain/credentials/index.ts';
import { type Act, circumstancesOf, type MailsRefused } from '../../../domain/identity/index.ts';
import { ApiRefusal, type ClientContext, type Dependencies } from '../../../platform/http/index.ts';

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

export function mailsRefused({ refusal, retryAfterS }: MailsRefused): ApiRefusal {
  return new ApiRefusal(refusal, {}, retryAfterS);
}
