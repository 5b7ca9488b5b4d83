// Settles outbox rows like the dispatcher does, without a dispatcher. Only tests import it.

import { reopenCredited } from '../../features/accounts/index.ts';
import { settleRequests } from '../../features/payments/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';
import { type Settled, settleOutbox } from '../../platform/outbox/index.ts';

export function settleRows(connection: Connection, settled: readonly Settled[]): Promise<void> {
  return settleOutbox(connection, settled, { requests: settleRequests, accounts: reopenCredited });
}
