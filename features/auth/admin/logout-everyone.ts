// Logs out all users except the operator who does it, by invalidating all existing sessions. Does
// not touch API keys. Needs no approval and cannot be undone.

import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import { endSessionsOfEveryone } from '../../kill-switches/index.ts';

export type LogoutPayload = { readonly reason: string };

const POWER = 'switch.stop';

export const logoutEveryoneAct = defineAct({
  name: 'session.logout-everyone',
  votePower: 'approve.access',
  async prepare({ connection, operator }: ActContext, { reason }: LogoutPayload) {
    if (!operator.powers.has(POWER)) return new Refused('power_missing', { power: POWER });
    return {
      object: 'sessions of everyone',
      objectVersion: '',
      approvals: 0,
      beneficiaries: [],
      shown: [{ label: 'Reason', value: reason }],
      async run() {
        const { session: keptSession } = operator;
        const endedAt = await endSessionsOfEveryone(connection, { keptSession });
        const result = { ended_at: endedAt.toISOString() };
        return { result, after: { ...result, reason }, effects: { switches: true } };
      },
    };
  },
});
