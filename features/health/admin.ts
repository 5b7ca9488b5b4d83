// Operator actions for health: report a backup, or dismiss a process that will not return.

import { Refused } from '../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../approvals/index.ts';
import { removeProcesses } from './process-records.ts';

export type BackupReport = {
  readonly kind: 'database' | 'log';
  /** ISO text. */
  readonly endedAt: string;
  /** Restored and compared. */
  readonly verified: boolean;
  readonly bytes: number;
  /** Location of the copy. */
  readonly place: string;
};

/** A clock can be slightly ahead, not more. */
const AHEAD_MS_MAX = 60_000;

export const REPORT_BACKUP = defineAct({
  name: 'backup.report',
  votePower: 'approve.access',
  async prepare({ connection, nowMs, operator }: ActContext, report: BackupReport) {
    const { bytes, endedAt, kind, place, verified } = report;
    if (Date.parse(endedAt) > nowMs + AHEAD_MS_MAX) return new Refused('backup_in_future');
    return {
      object: `backup of the ${kind}`,
      objectVersion: '',
      approvals: 0,
      beneficiaries: [],
      shown: [
        { label: 'Finished', value: endedAt },
        { label: 'Restore verified', value: verified ? 'yes' : 'no' },
        { label: 'Size', value: `${bytes} bytes` },
        { label: 'Location', value: place },
      ],
      async run() {
        await connection.query(
          `insert into backups (kind, ended_at, verified, bytes, place, reported_by, reported_at)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (kind, ended_at) do update set
             verified = backups.verified or excluded.verified, bytes = excluded.bytes,
             place = excluded.place, reported_by = excluded.reported_by,
             reported_at = excluded.reported_at`,
          [kind, endedAt, verified, bytes, place, operator.user, new Date(nowMs)],
        );
        return { result: report, after: { ...report } };
      },
    };
  },
});

export type Dismissal = { readonly instance: string };

/** The monitor no longer expects the process. If it restarts, it is expected again. */
export const DISMISS_PROCESS = defineAct({
  name: 'process.dismiss',
  votePower: 'approve.access',
  async prepare({ connection }: ActContext, dismissal: Dismissal) {
    const { instance } = dismissal;
    const text = 'select state from processes where instance = $1 for update';
    const { rows } = await connection.query(text, [instance]);
    if (rows.length === 0) return new Refused('process_unknown', { instance });
    const state: string = rows[0].state;
    if (state === 'running') return new Refused('process_running', { instance });
    return {
      object: `process ${instance}`,
      objectVersion: state,
      approvals: 0,
      beneficiaries: [],
      shown: [{ label: 'State', value: state }],
      async run() {
        await removeProcesses(connection, [instance]);
        return { result: dismissal, after: { ...dismissal } };
      },
    };
  },
});

export const HEALTH_ACTS = [DISMISS_PROCESS, REPORT_BACKUP] as const;
