// Health handlers for operators: the report from memory, and two actions.

import type { HandlersOf } from '../../../platform/http/index.ts';
import { timeText } from '../../../protocol/index.ts';
import { answerAct } from '../../approvals/http/index.ts';
import { DISMISS_PROCESS, REPORT_BACKUP } from '../admin.ts';

export const healthRoutes: HandlersOf<'health'> = {
  getExchangeHealth(_call, { health }) {
    return health.now;
  },

  dismissProcess(call, dependencies) {
    const { instance } = call.query;
    return answerAct(call, dependencies, DISMISS_PROCESS, { instance }, () => ({
      message: 'Success',
      instance,
    }));
  },

  reportBackup(call, dependencies) {
    const { bytes, ended_at, kind, place, verified } = call.body;
    const payload = { kind, endedAt: timeText(Date.parse(ended_at)), verified, bytes, place };
    return answerAct(call, dependencies, REPORT_BACKUP, payload, ({ endedAt }) => ({
      kind,
      ended_at: endedAt,
      verified,
      bytes,
      place,
    }));
  },
};
