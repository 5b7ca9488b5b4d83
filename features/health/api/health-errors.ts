// Errors for operator reports on processes and backups.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const healthErrors = {
  process_unknown: {
    status: 404,
    code: 2840,
    audience: 'operators',
    text: 'No process named {instance}',
  },
  process_running: {
    status: 400,
    code: 2841,
    audience: 'operators',
    text: '{instance} is running. Only a process that is down or stopped can be dismissed',
  },
  backup_in_future: {
    status: 400,
    code: 2842,
    audience: 'operators',
    text: 'ended_at is in the future',
  },
} as const satisfies ErrorTable;
