// Health: facts about all processes, the alarms that follow from them, and the records of both.

export { type AlarmEpisode, healthSubject, readOpenAlarms, writeAlarm } from './alarm-records.ts';
export { alarmsOf, runbookOf } from './alarms.ts';
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
  StreamFact,
} from './health-facts.ts';
export { HealthMemory } from './health-memory.ts';
export {
  type ProcessRecord,
  readProcesses,
  removeProcesses,
  writeProcesses,
} from './process-records.ts';
export { readLedgerSums, readTableFacts, type TableFacts } from './table-facts.ts';
