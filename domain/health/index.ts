// Health of the exchange: facts, and the alarms that follow from them.

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
