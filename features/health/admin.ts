// Backups as `rialto backup` or the operator's script reports them: how old the last one is, and
// when one was last restored and compared.

import { type Act, ActRefused, defineAct } from '../approvals/index.ts';

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

export const REPORT_BACKUP: Act<BackupReport, BackupReport> = defineAct({
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
