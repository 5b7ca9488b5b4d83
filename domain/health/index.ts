// Health of the exchange: facts, the alarms that follow from them, and what is on record of both.

import { REPORT_BACKUP } from '../../features/health/admin.ts';
import { DISMISS_PROCESS } from '../../features/health/index.ts';

export { type BackupReport, REPORT_BACKUP } from '../../features/health/admin.ts';
export {
  type AgeFact,
  ALARM_SEVERITIES,
  type Alarm,
  type AlarmEpisode,
  alarmsOf,
  alarmsWithoutMonitor,
  type CertificateFact,
  DISMISS_PROCESS,
  type DiskFact,
  type Dismissal,
  type FollowerFact,
  type GatewayFacts,
  type HealthFacts,
  healthSubject,
  type LeaderFact,
  type LedgerFact,
  type ProcessFact,
  type ProcessRecord,
  type ProcessState,
  type QueueFact,
  readLedgerSums,
  readOpenAlarms,
  readProcesses,
  readTableFacts,
  removeProcesses,
  runbookOf,
  type Severity,
  type StreamFact,
  type TableFacts,
  writeAlarm,
  writeProcesses,
} from '../../features/health/index.ts';

export const HEALTH_ACTS = [DISMISS_PROCESS, REPORT_BACKUP] as const;
