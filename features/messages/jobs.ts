// Scheduled message jobs: delete sent emails and old support messages.

import { DAY_MS } from '../../core/market-data/index.ts';
import { deleting, type Job } from '../../platform/jobs/index.ts';

const MAIL_LOG_MS = 30 * DAY_MS;
/** Long enough for a dispute. */
const OLD_SUPPORT_MS = 396 * DAY_MS;

export const MESSAGES_JOBS: readonly Job[] = [
  {
    name: 'delete_old_mails',
    schedule: '22 * * * *',
    run: deleting('mail_outbox', 'settled_at < $1', MAIL_LOG_MS),
  },
  {
    name: 'delete_old_support_messages',
    schedule: '52 2 * * *',
    run: deleting('support_messages', 'created_at < $1', OLD_SUPPORT_MS),
  },
];
