// Scheduled audit jobs: anchor the head in the command log, and sign it.

import { withConnection } from '../../infra/postgres/index.ts';
import type { Job, JobContext } from '../../platform/jobs/index.ts';
import { anchorAudit } from './anchors.ts';
import { checkpointAudit } from './checkpoints.ts';

export const AUDIT_JOBS: readonly Job[] = [
  { name: 'anchor_audit', schedule: '3 * * * *', run: anchorAuditHead },
  { name: 'checkpoint_audit', schedule: '* * * * *', run: signAuditHead },
];

function anchorAuditHead({ pool }: JobContext): Promise<number> {
  return withConnection(pool, anchorAudit);
}

function signAuditHead({ nowMs, pool, vault }: JobContext): Promise<number> {
  return checkpointAudit(pool, vault, nowMs);
}
