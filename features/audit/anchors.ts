// Anchors: the head of the chain in the command log, which is replicated, archived and on other
// machines than the tables. The projected copy is for quick checks; the log decides.

import {
  assertPlainName,
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../infra/postgres/index.ts';
import { enqueue } from '../../platform/outbox/index.ts';
import type { AuditHead } from './checkpoints.ts';

/** Queues an anchor, unless the head has one. Returns the number of new anchors, 0 or 1. */
export function anchorAudit(connection: Connection): Promise<number> {
  return inTransaction(connection, async () => {
    const { rows } = await connection.query(
      'select seq, hash from audit_head where seq > anchored_seq for update',
    );
    if (rows.length === 0) return 0;
    const auditSequence = idOf<number>(rows[0].seq);
    const hash = rows[0].hash.toString('hex');
    await enqueue(connection, { kind: 'AnchorAudit', auditSequence, hash });
    await connection.query('update audit_head set anchored_seq = $1', [auditSequence]);
    return 1;
  });
}

/** Returns the projected anchors in log order. */
export async function readProjectedAnchors(
  statements: Statements,
  projectionSchema: string,
): Promise<AuditHead[]> {
  assertPlainName(projectionSchema);
  const { rows } = await statements.query(
    `select audit_seq, hash from ${projectionSchema}.audit_anchors order by frame, event_index`,
  );
  return rows.map((row) => anchorOf({ auditSequence: Number(row.audit_seq), hash: row.hash }));
}

/** Returns the head that an anchor names. */
export function anchorOf(anchor: {
  readonly auditSequence: number;
  readonly hash: string;
}): AuditHead {
  return { seq: anchor.auditSequence, hash: Buffer.from(anchor.hash, 'hex') };
}
