// Actions of operators about health: a backup is reported, a process is gone for good.

import { type Act, ActRefused, defineActInTwoSteps } from '../approvals/index.ts';
import { removeProcesses } from './process-records.ts';

export type BackupReport = {
  readonly kind: 'database' | 'log';
  /** ISO text. */
  readonly endedAt: string;
  /** It was restored and compared. */
  readonly verified: boolean;
  readonly bytes: number;
  /** Where the copy is. */
  readonly place: string;
};

/** A clock may be a little ahead, not more. */
const AHEAD_MS_MAX = 60_000;

export const REPORT_BACKUP: Act<BackupReport, BackupReport> = defineActInTwoSteps({
  name: 'backup.report',
  votePower: 'approve.access',
  async assess({ nowMs }, { bytes, endedAt, kind, place, verified }) {
    if (Date.parse(endedAt) > nowMs + AHEAD_MS_MAX) throw new ActRefused('backup_in_future');
    return {
      object: `backup of the ${kind}`,
      objectVersion: '',
      approvals: 0,
      beneficiaries: [],
      shown: [
        { label: 'Ended', value: endedAt },
        { label: 'Restored and compared', value: verified ? 'yes' : 'no' },
        { label: 'Size', value: `${bytes} bytes` },
        { label: 'Place', value: place },
      ],
    };
  },
  async execute({ connection, nowMs, operator }, report) {
    const { bytes, endedAt, kind, place, verified } = report;
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
});

export type Dismissal = { readonly instance: string };

/** The monitor no longer expects the process. If it returns, it is expected again. */
export const DISMISS_PROCESS: Act<Dismissal, Dismissal> = defineActInTwoSteps({
  name: 'process.dismiss',
  votePower: 'approve.access',
  async assess({ connection }, { instance }) {
    const text = 'select state from processes where instance = $1 for update';
    const { rows } = await connection.query(text, [instance]);
    if (rows.length === 0) throw new ActRefused('process_unknown', { instance });
    const { state } = rows[0];
    if (state === 'running') throw new ActRefused('process_running', { instance });
    return {
      object: `process ${instance}`,
      objectVersion: state,
      approvals: 0,
      beneficiaries: [],
      shown: [{ label: 'State', value: state }],
    };
  },
  async execute({ connection }, dismissal) {
    await removeProcesses(connection, [dismissal.instance]);
    return { result: dismissal, after: { ...dismissal } };
  },
});

export const HEALTH_ACTS = [DISMISS_PROCESS, REPORT_BACKUP] as const;
