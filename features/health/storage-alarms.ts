// Alarms for the database, snapshots, archive, backups, certificates and disks.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/market-data/index.ts';
import {
  type AlarmDefinition,
  type AlarmDetail,
  type Limits,
  severityOf,
  spanText,
} from './alarm-definition.ts';
import type { AgeFact, HealthFacts } from './health-facts.ts';

/** Due every 10 minutes. Without a new one, each start replays a longer log. */
const SNAPSHOT: Limits = { ticketMs: 30 * MINUTE_MS, pageMs: 6 * HOUR_MS };
/**
 * A segment is due every minute. If all replicas of the log are lost, frames missing from the
 * archive are lost too.
 */
const ARCHIVE: Limits = { ticketMs: 5 * MINUTE_MS, pageMs: 15 * MINUTE_MS };
/** Daily, and two hours to run; it pages when two were missed. */
const BACKUP: Limits = { ticketMs: 26 * HOUR_MS, pageMs: 50 * HOUR_MS };
/** Monthly, plus a few days. */
const RESTORE_DRILL: Limits = { ticketMs: 35 * DAY_MS, pageMs: Infinity };
/** Manual renewal takes days; in the last week it is urgent. */
const CERTIFICATE = { ticketMs: 21 * DAY_MS, pageMs: 7 * DAY_MS };
/** JetStream rejects appends on a full disk, and PostgreSQL stops. Growing a disk takes hours. */
const DISK_FREE = { ticket: 0.25, page: 0.15 };

export const STORAGE_ALARMS: readonly AlarmDefinition[] = [
  { name: 'DatabaseAway', severity: 'page', rule: databaseAway },
  { name: 'DiskLow', severity: 'ticket', rule: disksLow },
  { name: 'CertificateEnds', severity: 'ticket', rule: certificatesEnd },
  { name: 'CertificateUnreadable', severity: 'ticket', rule: certificatesUnreadable },
  { name: 'SnapshotOld', severity: 'ticket', rule: (facts) => old(facts, 'snapshot', SNAPSHOT) },
  { name: 'ArchiveOld', severity: 'ticket', rule: (facts) => old(facts, 'archive', ARCHIVE) },
  { name: 'BackupOld', severity: 'ticket', rule: (facts) => old(facts, 'backup', BACKUP) },
  {
    name: 'RestoreDrillOld',
    severity: 'ticket',
    rule: (facts) => old(facts, 'restore_drill', RESTORE_DRILL),
  },
];

/** One sentence for each thing that must stay recent. */
const OLD: Readonly<Record<AgeFact['name'], { none: string; old: (age: string) => string }>> = {
  snapshot: {
    none: 'No verified snapshot yet.',
    old: (age) => `The newest snapshot is ${age} behind.`,
  },
  archive: {
    none: 'The log is not archived yet.',
    old: (age) => `The archive is ${age} behind.`,
  },
  backup: {
    none: 'No backup yet.',
    old: (age) => `Last backup ${age} ago.`,
  },
  restore_drill: {
    none: 'No restore drill yet.',
    old: (age) => `Last restore drill ${age} ago.`,
  },
  reconciliation: {
    none: 'No full reconciliation pass yet.',
    old: (age) => `Last full reconciliation pass ${age} ago.`,
  },
};

/** A missing age is not healthy: the thing does not exist, or its age is unknown. */
export function old(
  facts: HealthFacts,
  name: AgeFact['name'],
  limits: Limits,
): readonly AlarmDetail[] {
  const ageMs = dueMs(facts, name);
  if (ageMs === undefined) return [{ object: '', detail: OLD[name].none }];
  const severity = severityOf(ageMs, limits);
  if (severity === undefined) return [];
  return [{ object: '', detail: OLD[name].old(spanText(ageMs)), severity }];
}

/**
 * A restored log or a demo log has frames that are older than the exchange, so snapshot and archive
 * are late only since an archivist could have made them.
 */
function dueMs(facts: HealthFacts, name: AgeFact['name']): number | undefined {
  const ageMs = facts.ages.find((age) => age.name === name)?.ageMs;
  if (ageMs === undefined || (name !== 'snapshot' && name !== 'archive')) return ageMs;
  const runsMs = facts.processes
    .filter(({ service, state }) => service === 'archivist' && state === 'running')
    .map(({ startedMs }) => facts.nowMs - startedMs);
  return runsMs.length === 0 ? ageMs : Math.min(ageMs, Math.max(...runsMs));
}

function databaseAway({ isDatabaseUp }: HealthFacts): readonly AlarmDetail[] {
  return isDatabaseUp ? [] : [{ object: '', detail: "The database can't be read." }];
}

function disksLow({ disks }: HealthFacts): readonly AlarmDetail[] {
  return disks.flatMap(({ freeBytes, host, path, totalBytes }): AlarmDetail[] => {
    const object = `${host} ${path}`;
    if (totalBytes <= 0) return [{ object, detail: `${object}: disk space cannot be read.` }];
    const free = freeBytes / totalBytes;
    if (free >= DISK_FREE.ticket) return [];
    const severity = free < DISK_FREE.page ? 'page' : 'ticket';
    const percent = Math.floor(free * 100);
    return [{ object, detail: `${object}: ${percent}% of disk space left.`, severity }];
  });
}

function certificatesEnd({ certificates, nowMs }: HealthFacts): readonly AlarmDetail[] {
  return certificates.flatMap(({ endsMs, place }): AlarmDetail[] => {
    if (endsMs === undefined) return [];
    const leftMs = endsMs - nowMs;
    if (leftMs >= CERTIFICATE.ticketMs) return [];
    const severity = leftMs < CERTIFICATE.pageMs ? 'page' : 'ticket';
    const detail =
      leftMs < 0
        ? `Certificate for ${place} expired ${spanText(-leftMs)} ago.`
        : `Certificate for ${place} expires in ${spanText(leftMs)}.`;
    return [{ object: place, detail, severity }];
  });
}

function certificatesUnreadable({ certificates }: HealthFacts): readonly AlarmDetail[] {
  return certificates
    .filter(({ endsMs }) => endsMs === undefined)
    .map(({ fault = 'unknown reason', place }) => ({
      object: place,
      detail: `Certificate for ${place} cannot be read: ${fault}.`,
    }));
}
