// Facts for operators: plain names, times as ISO text, ages in milliseconds.

import { type AlarmEpisode, type HealthFacts, runbookOf } from '../../features/health/index.ts';
import { type HealthReport, timeText } from '../../protocol/index.ts';

export interface ReportOptions {
  readonly facts: HealthFacts;
  /** Open alarms, pages first. */
  readonly alarms: readonly AlarmEpisode[];
  /** Instance that creates the report. */
  readonly monitor: string;
  readonly tablesReadMs: number | undefined;
}

export function healthReport(options: ReportOptions): HealthReport {
  const { alarms, facts, monitor, tablesReadMs } = options;
  const { nowMs } = facts;
  return {
    status: alarms[0]?.severity ?? 'well',
    alarms: alarms.map(({ detail, name, object, openedMs, severity }) => ({
      name,
      object,
      severity,
      detail,
      opened_at: timeText(openedMs),
      age_ms: Math.max(0, Math.round(nowMs - openedMs)),
      runbook: runbookOf(name),
    })),
    made_at: timeText(nowMs),
    monitor,
    bus_up: facts.isBusUp,
    database_up: facts.isDatabaseUp,
    tables_read_at: tablesReadMs === undefined ? null : timeText(tablesReadMs),
    leaders: facts.leaders.map((leader) => ({
      instance: leader.instance,
      epoch: leader.epoch,
      frame: leader.sequence,
      unacknowledged_ms: Math.round(leader.unacknowledgedMs),
      acknowledged_ms: Math.round(leader.acknowledgedMs),
    })),
    followers: facts.followers.map(({ behindMs, frame, instance, lagFrames, service }) => ({
      service,
      instance,
      frame,
      lag_frames: lagFrames,
      behind_ms: Math.round(behindMs),
    })),
    streams: facts.streams.map(({ hasLeader, lastSequence, missing, name, replicas }) => ({
      name,
      last: lastSequence,
      missing,
      has_leader: hasLeader,
      replicas: replicas.map((one) => ({ name: one.name, current: one.isCurrent })),
    })),
    processes: facts.processes.map((one) => processOf(one, nowMs)),
    queues: facts.queues.map(({ name, oldestMs, waiting }) => ({
      name,
      waiting,
      oldest_ms: oldestMs,
    })),
    ages: agesOf(facts),
    ledger: facts.ledger.map(({ asset, sumAtoms }) => ({ currency: asset, sum_atoms: sumAtoms })),
    differences: [...facts.differences],
    frozen_markets: [...facts.frozenMarkets],
    certificates: facts.certificates.map(({ endsMs, fault, place }) => ({
      place,
      ends_at: endsMs === undefined ? null : timeText(endsMs),
      left_ms: endsMs === undefined ? null : Math.round(endsMs - nowMs),
      fault: fault ?? null,
    })),
    disks: facts.disks.map(({ freeBytes, host, path, totalBytes }) => ({
      host,
      path,
      free_bytes: freeBytes,
      total_bytes: totalBytes,
    })),
    switches_version: facts.switchesVersion ?? null,
  };
}

function processOf(
  one: HealthFacts['processes'][number],
  nowMs: number,
): HealthReport['processes'][number] {
  const { checks, commit, figures, heardMs, host, instance, pid, service, state, version } = one;
  return {
    service,
    instance,
    state,
    ready: state === 'running' && Object.values(checks).every((check) => check === true),
    checks,
    host,
    pid,
    version,
    commit,
    started_at: timeText(one.startedMs),
    heard_at: timeText(heardMs),
    heard_age_ms: Math.max(0, Math.round(nowMs - heardMs)),
    figures,
    switches_version: one.switchesVersion ?? null,
  };
}

function agesOf({ ages }: HealthFacts): HealthReport['ages'] {
  const age = (name: (typeof ages)[number]['name']) => {
    const ageMs = ages.find((one) => one.name === name)?.ageMs;
    return ageMs === undefined ? null : Math.round(ageMs);
  };
  return {
    snapshot_ms: age('snapshot'),
    archive_ms: age('archive'),
    backup_ms: age('backup'),
    restore_drill_ms: age('restore_drill'),
    reconciliation_ms: age('reconciliation'),
  };
}
