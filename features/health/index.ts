// Health: facts about all processes, the alarms that follow from them, and the records of both.

export { type AlarmEpisode, readOpenAlarms, writeAlarm } from './alarm-records.ts';
export {
  ALARM_SEVERITIES,
  alarmsOf,
  alarmsWithoutMonitor,
  type GatewayFacts,
  runbookOf,
} from './alarms.ts';
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
export { HealthMemory } from './health-memory.ts';
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
