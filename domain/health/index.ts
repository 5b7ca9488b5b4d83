// Health of the exchange: facts, the alarms that follow from them, and what is on record of both.

import { REPORT_BACKUP } from './backups.ts';
import { DISMISS_PROCESS } from './process-records.ts';

export { type AlarmEpisode, readOpenAlarms, writeAlarm } from './alarm-records.ts';
export {
  ALARM_SEVERITIES,
  alarmsOf,
  alarmsWithoutMonitor,
  type GatewayFacts,
  runbookOf,
} from './alarms.ts';
export { type BackupReport, REPORT_BACKUP } from './backups.ts';
export type {
  AgeFact,
  Alarm,
  CertificateFact,
  DiskFact,
  FollowerFact,
  HealthFacts,
  LeaderFact,
  LedgerFact,
  ProcessFact,
  ProcessState,
  QueueFact,
  Severity,
  StreamFact,
} from './health-facts.ts';
export { healthSubject } from './health-subjects.ts';
export {
  DISMISS_PROCESS,
  type Dismissal,
  type ProcessRecord,
  readProcesses,
  removeProcesses,
  writeProcesses,
} from './process-records.ts';
export { readLedgerSums, readTableFacts, type TableFacts } from './table-facts.ts';

export const HEALTH_ACTS = [DISMISS_PROCESS, REPORT_BACKUP] as const;
