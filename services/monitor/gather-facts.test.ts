// Facts from beats and readings (leaders, follower lag, ages, switches), and their report.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StreamFact, TableFacts } from '../../features/health/index.ts';
import type { StatusBeat } from '../../infra/status/index.ts';
import { FactGatherer } from './gather-facts.ts';
import { healthReport } from './health-report.ts';
import { LogHistory } from './log-history.ts';
import { ProcessBook } from './process-book.ts';

const TABLES: TableFacts = {
  queues: [{ name: 'mails', waiting: 2, oldestMs: 700 }],
  differences: [],
  frozenMarkets: [],
  switchesVersion: 4,
  reconciledMs: 90_000,
  backupMs: undefined,
  restoreDrillMs: undefined,
};

class Stage {
  readonly book = new ProcessBook();
  readonly history = new LogHistory();
  readonly gatherer = new FactGatherer(0);
  streams: StreamFact[] = [];
  tables: TableFacts = TABLES;
  isDatabaseUp = true;

  beat(service: string, figures: Record<string, number>, nowMs: number, more = {}): void {
    const beat: StatusBeat = {
      service,
      instance: `${service}-a`,
      host: 'one',
      pid: 1,
      version: '1.0.0',
      commit: 'c',
      startedMs: 0,
      checks: { journal: true },
      figures,
      disks: [],
      isLeaving: false,
      ...more,
    };
    this.book.heard(beat, nowMs);
  }

  log(last: number): void {
    const one = { name: 'COMMANDS', lastSequence: last, missing: 0, replicas: [], hasLeader: true };
    this.streams = [one];
  }

  facts(nowMs: number) {
    const { book, history, isDatabaseUp, streams, tables } = this;
    const readings = {
      streams: () => streams,
      isDatabaseUp: () => isDatabaseUp,
      tables,
      ledger: [{ asset: 'btc', sumAtoms: '0' }],
      storage: [],
      certificates: [],
    };
    const sources = { book, readings, history, isBusUp: true, commands: 'COMMANDS' };
    return this.gatherer.gather(sources, nowMs);
  }
}

test('a leader is one that leads and has a recent heartbeat', () => {
  const stage = new Stage();
  const leads = { leads: 1, epoch: 3, frame: 9, unacknowledged_ms: 40, acknowledged_ms: 5 };
  stage.beat('sequencer', leads, 1_000);
  const [leader] = stage.facts(1_000).leaders;
  assert.deepEqual(leader, {
    instance: 'sequencer-a',
    epoch: 3,
    sequence: 9,
    unacknowledgedMs: 40,
    acknowledgedMs: 5,
  });
  assert.equal(stage.facts(2_500).leaders.length, 1);
  const later = stage.facts(4_200);
  assert.equal(later.leaders.length, 0);
  assert.equal(later.leadersForMs, 3_200, 'since its last heartbeat');
  assert.deepEqual(later.followers, [], 'a leader without a heartbeat is not a follower');
});

test("a follower's lag is how long the log has had a frame that it lacks", () => {
  const stage = new Stage();
  const behind = (nowMs: number) => {
    const [follower] = stage.facts(nowMs).followers;
    return [follower.lagFrames, follower.behindMs];
  };
  stage.log(100);
  stage.beat('projector', { frame: 100 }, 1_000);
  assert.deepEqual(behind(1_000), [0, 0]);
  stage.log(150);
  assert.deepEqual(behind(2_000), [50, 0], 'as new as the sample');
  stage.log(300);
  assert.deepEqual(behind(5_000), [200, 3_000]);
  stage.beat('projector', { frame: 200 }, 6_000);
  assert.deepEqual(behind(6_000), [100, 1_000], 'the log had frame 201 at 5 s');
  stage.beat('projector', { frame: 300 }, 7_000);
  assert.deepEqual(behind(7_000), [0, 0]);
});

test("snapshot and archive ages are the archivist's, and grow while it has no heartbeat", () => {
  const stage = new Stage();
  const age = (name: string, nowMs: number) =>
    stage.facts(nowMs).ages.find((one) => one.name === name)?.ageMs;
  assert.equal(age('snapshot', 1_000), undefined);
  stage.beat('archivist', { frame: 1, snapshot_age_ms: 500, archive_age_ms: 0 }, 1_000);
  assert.equal(age('snapshot', 2_000), 500);
  assert.equal(age('archive', 11_000), 10_000);
  assert.equal(age('reconciliation', 100_000), 10_000);
  assert.equal(age('backup', 100_000), undefined);
});

test('switches count from their version change, and are unknown without a database', () => {
  const stage = new Stage();
  assert.equal(stage.facts(1_000).switchesForMs, 0);
  assert.equal(stage.facts(3_000).switchesForMs, 2_000);
  stage.tables = { ...TABLES, switchesVersion: 5 };
  const changed = stage.facts(4_000);
  assert.deepEqual([changed.switchesVersion, changed.switchesForMs], [5, 0]);
  stage.isDatabaseUp = false;
  const away = stage.facts(5_000);
  assert.deepEqual([away.switchesVersion, away.switchesForMs], [undefined, undefined]);
  assert.equal(away.queues.length, 1, 'the last reading is kept');
});

test('the report has plain names, ISO times, ages in milliseconds and runbooks', () => {
  const stage = new Stage();
  const disks = [{ path: '/data', freeBytes: 5, totalBytes: 10 }];
  stage.beat('projector', { frame: 7 }, 1_000, { disks, checks: { journal: true, lag: 'late' } });
  stage.log(9);
  const facts = stage.facts(2_000);
  const detail = 'Two frames.';
  const alarm = { name: 'FollowerBehind', object: 'projector-a', severity: 'ticket' as const };
  const alarms = [{ ...alarm, detail, openedMs: 1_500, closedMs: undefined }];
  const report = healthReport({ facts, alarms, monitor: 'monitor-a', tablesReadMs: 1_900 });
  assert.equal(report.status, 'ticket');
  assert.deepEqual(report.alarms, [
    {
      name: 'FollowerBehind',
      object: 'projector-a',
      severity: 'ticket',
      detail: 'Two frames.',
      opened_at: '1970-01-01T00:00:01.500Z',
      age_ms: 500,
      runbook: 'follower-behind',
    },
  ]);
  const [one] = report.processes;
  assert.deepEqual(
    [one.ready, one.heard_age_ms, one.started_at, one.switches_version],
    [false, 1_000, '1970-01-01T00:00:00.000Z', null],
  );
  assert.deepEqual(report.disks, [{ host: 'one', path: '/data', free_bytes: 5, total_bytes: 10 }]);
  assert.equal(report.ages.backup_ms, null);
  assert.equal(report.tables_read_at, '1970-01-01T00:00:01.900Z');
  const well = healthReport({ facts, alarms: [], monitor: 'm', tablesReadMs: undefined });
  assert.equal(well.status, 'well');
});
