// Health of the exchange in one answer, and what operators report to it.

import { Type } from 'typebox';
import {
  defineRoute,
  MomentIn,
  NO_QUERY,
  oneOf,
  textIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { Backup, ExchangeHealth } from './exchange-health.ts';

export const healthRoutes = {
  getExchangeHealth: defineRoute({
    method: 'GET',
    path: '/v2/admin/health',
    summary: 'Open alarms, and the state of every process, queue, copy and certificate',
    description: 'Each alarm links to the page that says what to do.',
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
    summary: 'Expect a process no longer that ended and will not return',
    description: 'Its alarms close; it returns by itself if it starts again.',
    tag: 'operator',
    permission: { who: 'operator', scope: 'any', sessions: true },
    roles: ['supervisor', 'manager'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: Type.Object({
      instance: textIn({ minLength: 1, maxLength: 200, description: 'As health names it.' }),
    }),
    status: 200,
    response: Type.Object({ message: Type.String(), instance: Type.String() }),
    mayWait: true,
    isRialtoOnly: true,
  }),
  reportBackup: defineRoute({
    method: 'PUT',
    path: '/v2/admin/backup',
    summary: 'Report a backup that has ended; the script that makes it calls this',
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
        verified: Type.Boolean({ description: 'The copy was restored and compared.' }),
        bytes: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        place: textIn({ minLength: 1, maxLength: 500, description: 'Where the copy is.' }),
      },
      { title: 'BackupIn' },
    ),
    status: 200,
    response: Backup,
    mayWait: true,
    isRialtoOnly: true,
  }),
};
