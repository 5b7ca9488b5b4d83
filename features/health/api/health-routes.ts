// Health of the exchange in one response, and operators' reports to it.

import {
  defineRoute,
  MomentIn,
  NO_QUERY,
  oneOf,
  Type,
  textIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { Backup, ExchangeHealth } from './exchange-health.ts';

export const healthRoutes = {
  getExchangeHealth: defineRoute({
    method: 'GET',
    path: '/v2/admin/health',
    summary: 'Open alarms, and the state of every process, queue, replica and certificate',
    description: 'Each alarm links to its runbook.',
    tag: 'operator',
    permission: { who: 'operator', scope: 'can_read', sessions: true },
    roles: ['supervisor', 'manager', 'support', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: ExchangeHealth,
    isRialtoOnly: true,
  }),
  dismissProcess: defineRoute({
    method: 'DELETE',
    path: '/v2/admin/process',
    summary: 'Dismiss a stopped process that will not return',
    description: 'Closes its alarms. A dismissed process is listed again if it restarts.',
    tag: 'operator',
    permission: { who: 'operator', scope: 'any', sessions: true },
    roles: ['supervisor', 'manager'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: Type.Object({
      instance: textIn({
        minLength: 1,
        maxLength: 200,
        description: 'The process name as shown by the health endpoint.',
      }),
    }),
    status: 200,
    response: Type.Object({ message: Type.String(), instance: Type.String() }),
    mayWait: true,
    isRialtoOnly: true,
  }),
  reportBackup: defineRoute({
    method: 'PUT',
    path: '/v2/admin/backup',
    summary: 'Report a finished backup; called by the backup script',
    description: 'An alarm opens if no backup is reported in time.',
    tag: 'operator',
    permission: { who: 'operator', scope: 'can_trade', sessions: true },
    roles: [],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        kind: oneOf(['database', 'log']),
        ended_at: MomentIn,
        verified: Type.Boolean({ description: 'Whether the backup was restored and compared.' }),
        bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        place: textIn({ minLength: 1, maxLength: 500, description: 'Location of the backup.' }),
      },
      { title: 'BackupIn' },
    ),
    status: 200,
    response: Backup,
    mayWait: true,
    isRialtoOnly: true,
  }),
};
