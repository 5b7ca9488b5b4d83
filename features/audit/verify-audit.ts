// Verifies the audit log: every entry against its hash, its MAC and the previous entry, and the
// chain against its head, signed checkpoints, anchors in the command log and external notes.

import { type Connection, idOf } from '../../infra/postgres/index.ts';
import { SealFault, type Vault } from '../../platform/vault/index.ts';
import { type HashedEntry, hashOf } from './audit.ts';
import { type AuditSigner, findAuditSigner } from './audit-key.ts';
import { type AuditHead, CHECKPOINT_ENTRIES, openCheckpoint } from './checkpoints.ts';

export type AuditFault =
  /** The key was removed, or was not sealed by this vault. */
  | 'key_invalid'
  /** Entries before this one are missing. */
  | 'entries_missing'
  /** Does not follow the previous entry. */
  | 'order_broken'
  /** A column was changed. */
  | 'entry_changed'
  /** Not written by the exchange. */
  | 'entry_forged'
  /** The last entry is not the one named by the head: entries were added or removed. */
  | 'head_differs'
  | 'checkpoint_missing'
  | 'checkpoint_forged'
  /** The signed entry was a different one, or is missing. */
  | 'checkpoint_differs'
  /** The entry named in the command log was a different one, or is missing. */
  | 'anchor_differs'
  /** An external note is not signed by this key. */
  | 'note_forged'
  | 'note_differs';

export interface AuditFinding {
  readonly fault: AuditFault;
  /** Affected entry. */
  readonly seq: number;
}

export interface AuditReport {
  /** First and last verified entry; `to` is 0 if there are none. */
  readonly from: number;
  readonly to: number;
  readonly checkpoints: number;
  readonly anchors: number;
  /** The first ones only. */
  readonly findings: readonly AuditFinding[];
  readonly findingsCount: number;
}

export interface VerifyOptions {
  /** From the command log. */
  readonly anchors?: readonly AuditHead[];
  /** Notes stored elsewhere. */
  readonly notes?: readonly string[];
  /** Verifies only about this many of the newest entries, starting at a checkpoint. */
  readonly newest?: number;
}

const PAGE_ENTRIES = 1_000;
const FINDINGS_MAX = 100;

/** Reads one consistent state in a separate transaction; actions can continue at the same time. */
export async function verifyAudit(
  connection: Connection,
  vault: Vault,
  options: VerifyOptions = {},
): Promise<AuditReport> {
  await connection.query('begin transaction isolation level repeatable read read only');
  try {
    return await verify(connection, vault, options);
  } finally {
    await connection.query('rollback').catch(() => {});
  }
}

async function verify(
  connection: Connection,
  vault: Vault,
  { anchors = [], newest = Number.MAX_SAFE_INTEGER, notes = [] }: VerifyOptions,
): Promise<AuditReport> {
  const { rows } = await connection.query('select seq, hash from audit_head');
  const head: AuditHead = { seq: Number(rows[0].seq), hash: rows[0].hash };
  const signer = await readSigner(connection, vault);
  const findings = new Findings();
  if (signer === undefined && head.seq > 0) findings.add('key_invalid', head.seq);

  const skipped = Math.max(0, Math.floor((head.seq - newest) / CHECKPOINT_ENTRIES));
  const base = skipped * CHECKPOINT_ENTRIES;
  // Heads recorded elsewhere, by entry number. All are compared during the pass.
  const known = new KnownHeads();
  const checkpoints = await readCheckpoints(connection, { signer, base, findings, known });
  for (const anchor of anchors) known.add('anchor_differs', anchor);
  for (const note of notes) {
    const opened = signer === undefined ? undefined : openCheckpoint(signer, note);
    if (opened === undefined) findings.add('note_forged', 0);
    else known.add('note_differs', opened);
  }
  const last = await verifyEntries(connection, { base, findings, known, signer });
  if (last.seq !== head.seq || !last.hash.equals(head.hash)) findings.add('head_differs', last.seq);
  for (const [fault, { seq }] of known.after(last.seq)) findings.add(fault, seq);
  return {
    from: base + 1,
    to: last.seq,
    checkpoints,
    anchors: anchors.length,
    findings: findings.first,
    findingsCount: findings.count,
  };
}

async function readSigner(connection: Connection, vault: Vault): Promise<AuditSigner | undefined> {
  try {
    return await findAuditSigner(connection, vault);
  } catch (fault) {
    if (fault instanceof SealFault) return undefined;
    throw fault;
  }
}

/** Returns their number. Without a key none can be checked. */
async function readCheckpoints(
  connection: Connection,
  { base, findings, known, signer }: Verification,
): Promise<number> {
  const { rows } = await connection.query(
    'select seq, note from audit_checkpoints where seq >= $1 order by seq',
    [base],
  );
  for (const row of rows) {
    const seq = idOf<number>(row.seq);
    const opened = signer === undefined ? undefined : openCheckpoint(signer, row.note);
    if (opened?.seq === seq) known.add('checkpoint_differs', opened);
    else findings.add('checkpoint_forged', seq);
  }
  return rows.length;
}

interface Verification {
  readonly signer: AuditSigner | undefined;
  /** Entries up to this one are not verified; its checkpoint is. */
  readonly base: number;
  readonly findings: Findings;
  readonly known: KnownHeads;
}

/** Returns the last entry. */
async function verifyEntries(
  connection: Connection,
  { base, findings, known, signer }: Verification,
): Promise<AuditHead> {
  let last: AuditHead = await readHashAt(connection, base);
  if (base > 0) verifyHead(last, { findings, known });
  for (;;) {
    const { rows } = await connection.query(
      `select seq, at, isfinite(at) and at = date_trunc('milliseconds', at) as is_exact, actor_id,
         credential, address, act, object, subject_id, before, after, sealed, approval_id,
         commands, prev, hash, mac
       from audit_entries where seq > $1 order by seq limit ${PAGE_ENTRIES}`,
      [last.seq],
    );
    for (const row of rows) {
      const seq = idOf<number>(row.seq);
      if (seq !== last.seq + 1) findings.add('entries_missing', seq);
      else if (!last.hash.equals(row.prev)) findings.add('order_broken', seq);
      if (!isUnchanged(row)) findings.add('entry_changed', seq);
      if (signer !== undefined && !signer.mac(row.hash).equals(row.mac)) {
        findings.add('entry_forged', seq);
      }
      last = { seq, hash: row.hash };
      verifyHead(last, { findings, known });
    }
    if (rows.length < PAGE_ENTRIES) return last;
  }
}

/** Returns the hash that the first verified entry must follow. */
async function readHashAt(connection: Connection, seq: number): Promise<AuditHead> {
  if (seq === 0) return { seq, hash: Buffer.alloc(32) };
  const { rows } = await connection.query('select hash from audit_entries where seq = $1', [seq]);
  return { seq, hash: rows[0]?.hash ?? Buffer.alloc(0) };
}

function verifyHead(
  head: AuditHead,
  { findings, known }: Pick<Verification, 'findings' | 'known'>,
): void {
  for (const fault of known.conflicting(head)) findings.add(fault, head.seq);
  if (head.seq % CHECKPOINT_ENTRIES === 0 && !known.has('checkpoint_differs', head.seq)) {
    findings.add('checkpoint_missing', head.seq);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function isUnchanged(row: any): boolean {
  // A finer time would have the same text.
  if (!row.is_exact) return false;
  const entry: HashedEntry = {
    seq: Number(row.seq),
    at: row.at.toISOString(),
    actor: numberOrNull(row.actor_id),
    credential: row.credential,
    address: row.address,
    act: row.act,
    object: row.object,
    subject: numberOrNull(row.subject_id),
    before: row.before,
    after: row.after,
    sealed: row.sealed,
    approval: numberOrNull(row.approval_id),
    commands: row.commands ?? undefined,
    prev: row.prev,
  };
  try {
    return hashOf(entry).equals(row.hash);
  } catch (fault) {
    // A number that no entry can have.
    if (fault instanceof RangeError) return false;
    throw fault;
  }
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}

type HeadFault = 'checkpoint_differs' | 'anchor_differs' | 'note_differs';

/** Heads of the chain recorded outside the entries. */
class KnownHeads {
  readonly #heads = new Map<number, [HeadFault, AuditHead][]>();

  add(fault: HeadFault, head: AuditHead): void {
    const same = this.#heads.get(head.seq);
    if (same === undefined) this.#heads.set(head.seq, [[fault, head]]);
    else same.push([fault, head]);
  }

  has(fault: HeadFault, seq: number): boolean {
    return this.#heads.get(seq)?.some(([one]) => one === fault) ?? false;
  }

  conflicting({ hash, seq }: AuditHead): HeadFault[] {
    const same = this.#heads.get(seq) ?? [];
    return same.filter(([, head]) => !head.hash.equals(hash)).map(([fault]) => fault);
  }

  after(seq: number): [HeadFault, AuditHead][] {
    return [...this.#heads.values()].flat().filter(([, head]) => head.seq > seq);
  }
}

class Findings {
  readonly first: AuditFinding[] = [];
  count = 0;

  add(fault: AuditFault, seq: number): void {
    this.count += 1;
    if (this.first.length < FINDINGS_MAX) this.first.push({ fault, seq });
  }
}
