// Checkpoints: the head of the chain as a signed note. A note copied elsewhere permanently proves
// which entries existed.

import { idOf, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { type AuditSigner, findAuditSigner } from './audit-key.ts';

/** Maximum entries between checkpoints. */
export const CHECKPOINT_ENTRIES = 1_000;

const ORIGIN = 'rialto audit';

/** The last entry, now or at some time. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: Buffer;
}

/** Signs the head, unless it is signed. Returns the number of new checkpoints, 0 or 1. */
export async function checkpointAudit(
  statements: Statements,
  vault: Vault,
  nowMs: number,
): Promise<number> {
  const { rows } = await statements.query(
    `select seq, hash from audit_head h
     where seq > 0 and not exists (select from audit_checkpoints c where c.seq = h.seq)`,
  );
  if (rows.length === 0) return 0;
  const signer = await findAuditSigner(statements, vault);
  if (signer === undefined) throw new Error('the audit key is missing; run `audit verify`');
  const [{ hash, seq }] = rows;
  await insertCheckpoint(statements, signer, { seq: idOf<number>(seq), hash, atMs: nowMs });
  return 1;
}

export async function insertCheckpoint(
  statements: Statements,
  signer: AuditSigner,
  { atMs, hash, seq }: AuditHead & { readonly atMs: number },
): Promise<void> {
  const at = new Date(atMs).toISOString();
  const note = signer.sign(`${ORIGIN}\n${seq}\n${hash.toString('base64')}\n${at}\n`);
  await statements.query(
    'insert into audit_checkpoints (seq, note) values ($1, $2) on conflict (seq) do nothing',
    [seq, note],
  );
}

/** Returns the newest note, to be stored on another machine, or undefined before the first. */
export async function newestCheckpoint(statements: Statements): Promise<string | undefined> {
  const { rows } = await statements.query(
    'select note from audit_checkpoints order by seq desc limit 1',
  );
  return rows[0]?.note;
}

/** Returns the head that a note names, or undefined if the signer did not sign it. */
export function openCheckpoint(signer: AuditSigner, note: string): AuditHead | undefined {
  const text = signer.open(note);
  if (text === undefined) return undefined;
  const [origin, seq, hash] = text.split('\n');
  if (origin !== ORIGIN) return undefined;
  return { seq: Number(seq), hash: Buffer.from(hash, 'base64') };
}
