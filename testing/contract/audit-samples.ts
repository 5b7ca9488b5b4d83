// Valid requests for the audit routes. A file needs a row.

import { appendAudit } from '../../features/audit/index.ts';
import { inTransaction, type Pool, withConnection } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';

interface AuditWorld {
  readonly registry: Pool;
  readonly vault: Vault;
}

export const auditSamples = {
  getAudits: withEntry,
  getAuditsFile: withEntry,
  verifyAudits: withEntry,
} as const;

async function withEntry({ registry, vault }: AuditWorld): Promise<Record<never, never>> {
  const actor = { user: undefined, credential: 'tool', address: '' };
  const entry = { actor, act: 'test', object: 'x', after: { y: '1' }, nowMs: Date.now() };
  await withConnection(registry, (connection) =>
    inTransaction(connection, () => appendAudit(connection, vault, entry)),
  );
  return {};
}
