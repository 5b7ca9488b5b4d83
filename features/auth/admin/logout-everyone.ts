// Logs everyone out but the person who does it: all sessions that have begun are over, however many
// they are. API keys are not touched. It needs one person and cannot be undone.

import {
  type ActContext,
  ActRefused,
  type Assessment,
  defineActInTwoSteps,
} from '../../approvals/index.ts';
import { endSessionsOfEveryone } from '../../kill-switches/index.ts';

export type LogoutPayload = { readonly reason: string };

const POWER = 'switch.stop';

export const logoutEveryoneAct = defineActInTwoSteps({
  name: 'session.logout-everyone',
  votePower: 'approve.access',
  async assess({ operator }: ActContext, { reason }: LogoutPayload): Promise<Assessment> {
    if (!operator.powers.has(POWER)) throw new ActRefused('power_missing', { power: POWER });
    return {
      object: 'sessions of everyone',
      objectVersion: '',
      approvals: 0,
      beneficiaries: [],
      shown: [{ label: 'Reason', value: reason }],
    };
  },
  async execute({ connection, operator }: ActContext, { reason }: LogoutPayload) {
    const { session: keptSession } = operator;
    const endedAt = await endSessionsOfEveryone(connection, { keptSession });
    const result = { ended_at: endedAt.toISOString() };
    return { result, after: { ...result, reason }, effects: { switches: true } };
  },
});
