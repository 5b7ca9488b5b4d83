// The commands `audit verify`, `audit note`, `audit key` and `audit list`.

import { readFileSync } from 'node:fs';
import { decodeCommandFrame } from '../../core/messages/index.ts';
import {
  type AuditHead,
  type AuditReport,
  anchorOf,
  auditList,
  auditRowOf,
  findAuditSigner,
  newestCheckpoint,
  readProjectedAnchors,
  verifyAudit,
} from '../../features/audit/index.ts';
import { openArchive } from '../../infra/journal/index.ts';
import { type Pool, withConnection } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { ToolFault } from '../command-line.ts';
import { tableLines } from '../text-table.ts';

export interface VerifySources {
  readonly projectionSchema: string;
  /** Folder with the archived command log; its anchors are used instead of the projected ones. */
  readonly archive: string | undefined;
  /** File with a note that was stored elsewhere. */
  readonly note: string | undefined;
}

/** Throws a ToolFault with the findings, if there are any. */
export async function verifyLines(
  pool: Pool,
  vault: Vault,
  { archive, note, projectionSchema }: VerifySources,
): Promise<readonly string[]> {
  const anchors =
    archive === undefined
      ? await readProjectedAnchors(pool, projectionSchema)
      : await archivedAnchors(archive);
  const notes = note === undefined ? [] : [readNote(note)];
  const report = await withConnection(pool, (connection) =>
    verifyAudit(connection, vault, { anchors, notes }),
  );
  if (report.findingsCount > 0) throw new ToolFault(findingsText(report));
  const { checkpoints, to } = report;
  return [`${to} entries, ${checkpoints} checkpoints and ${anchors.length} anchors are valid`];
}

function readNote(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ToolFault(`Invalid --note '${path}': expected a file that can be read.`, { cause });
  }
}

function findingsText({ findings, findingsCount }: AuditReport): string {
  const lines = findings.map(({ fault, seq }) => `  entry ${seq}: ${fault.replaceAll('_', ' ')}`);
  return [`The audit is not valid: ${findingsCount} findings.`, ...lines].join('\n');
}

async function archivedAnchors(folder: string): Promise<AuditHead[]> {
  const anchors: AuditHead[] = [];
  const archive = await openArchive(folder, 'read');
  for await (const frame of archive.readFrames(1)) {
    for (const command of decodeCommandFrame(frame).commands) {
      if (command.kind === 'AnchorAudit') anchors.push(anchorOf(command));
    }
  }
  return anchors;
}

/** Returns the newest signed note, to be stored on another machine. */
export async function noteLines(pool: Pool): Promise<readonly string[]> {
  const note = await newestCheckpoint(pool);
  if (note === undefined) throw new ToolFault('No checkpoints yet.');
  return note.trimEnd().split('\n');
}

/** Returns the public key of the notes. */
export async function keyLines(pool: Pool, vault: Vault): Promise<readonly string[]> {
  const signer = await findAuditSigner(pool, vault);
  if (signer === undefined) throw new ToolFault('No key yet: the audit log has no entries.');
  return [signer.verifierKey()];
}

export async function auditLines(pool: Pool, limit: number): Promise<readonly string[]> {
  const { rows: statement, values } = auditList({});
  const { rows } = await pool.query(statement('order by a.seq desc'), [...values, limit, 0]);
  if (rows.length === 0) return ['There are no entries.'];
  const columns = [
    { title: 'id', isNumber: true },
    { title: 'time' },
    { title: 'operator' },
    { title: 'act' },
    { title: 'object' },
  ];
  return tableLines(
    columns,
    rows.map(auditRowOf).map(({ act, at, credential, object, operator, seq }) => {
      const who = operator === null ? credential : `user ${operator}, ${credential}`;
      return [`${seq}`, at.toISOString(), who, act, object];
    }),
  );
}
