// How a health report is read, and when it is too old to be used.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ExchangeHealth, HealthAlarm } from '../../../client/index.ts';
import {
  durationOf,
  failedChecks,
  figureOf,
  freePercent,
  freshnessOf,
  leaderOf,
  ledgerOf,
  overallOf,
  sortedAlarms,
  sortedProcesses,
  sortedQueues,
  versionsOf,
} from './health-view.ts';

const NOW = 1_800_000_000_000;

const LEADER = {
  instance: 'sequencer-1',
  epoch: 4,
  frame: 900,
  unacknowledged_ms: 0,
  acknowledged_ms: 3,
};

const WELL: ExchangeHealth = {
  status: 'well',
  alarms: [],
  made_at: null,
  monitor: 'monitor-1',
  bus_up: true,
  database_up: true,
  tables_read_at: null,
  leaders: [LEADER],
  followers: [],
  streams: [],
  processes: [],
  queues: [],
  ages: {
    snapshot_ms: 0,
    archive_ms: 0,
    backup_ms: null,
    restore_drill_ms: null,
    reconciliation_ms: 0,
  },
  ledger: [],
  differences: [],
  frozen_markets: [],
  certificates: [],
  disks: [],
  switches_version: 1,
  age_ms: 300,
};

function alarm(name: string, severity: HealthAlarm['severity'], ageMs = 0): HealthAlarm {
  const runbook = name.toLowerCase();
  return { name, object: '', severity, detail: '', opened_at: '', age_ms: ageMs, runbook };
}

function process(
  instance: string,
  change: Partial<ExchangeHealth['processes'][number]> = {},
): ExchangeHealth['processes'][number] {
  return {
    service: instance.replace(/-\d+$/, ''),
    instance,
    state: 'running',
    ready: true,
    checks: {},
    host: 'm1',
    pid: 1,
    version: '0.1.0',
    commit: 'abc',
    started_at: '',
    heard_at: '',
    heard_age_ms: 100,
    figures: {},
    switches_version: null,
    ...change,
  };
}

describe('freshness', () => {
  const table: [kind: string, ageMs: number | null | undefined, answeredAgoMs: number][] = [
    ['waiting', undefined, 0],
    ['fresh', 300, 0],
    ['fresh', 1_000, 5_000],
    ['silent', 2_000, 5_000],
    ['silent', 60_000, 0],
    ['silent', null, 0],
    ['lost', 300, 6_001],
    ['lost', 60_000, 60_000],
    ['lost', 300, -60_000],
  ];
  for (const [kind, ageMs, answeredAgoMs] of table) {
    test(`a report of ${ageMs} ms that arrived ${answeredAgoMs} ms ago is ${kind}`, () => {
      const health = ageMs === undefined ? undefined : { ...WELL, age_ms: ageMs };
      const heard = { health, heardAtMs: NOW - answeredAgoMs, nowMs: NOW };
      assert.equal(freshnessOf(heard).kind, kind);
      const isWell = overallOf(heard) === 'well';
      assert.equal(isWell, kind === 'fresh', 'only a fresh report says that all is well');
      assert.equal(leaderOf(heard).kind, kind === 'fresh' ? 'one' : 'unknown');
    });
  }

  test("freshness has the time of the monitor's last report", () => {
    const heard = { health: { ...WELL, age_ms: 60_000 }, heardAtMs: NOW, nowMs: NOW };
    assert.deepEqual(freshnessOf(heard), { kind: 'silent', sinceMs: NOW - 60_000 });
  });
});

test('alarms decide the status, even if the report itself says well', () => {
  const overall = (alarms: HealthAlarm[], status: ExchangeHealth['status'], ageMs = 0) =>
    overallOf({ health: { ...WELL, alarms, status, age_ms: ageMs }, heardAtMs: NOW, nowMs: NOW });
  assert.equal(overall([], 'well'), 'well');
  assert.equal(overall([alarm('A', 'ticket')], 'well'), 'ticket');
  assert.equal(overall([alarm('A', 'ticket'), alarm('B', 'page')], 'ticket'), 'page');
  assert.equal(overall([], 'page'), 'page');
  assert.equal(overall([alarm('MonitorSilent', 'page')], 'page', 60_000), 'page');
  assert.equal(overall([alarm('Old', 'ticket')], 'ticket', 60_000), 'unknown');
});

test('alarms are sorted by severity, then newest first, and none is dropped', () => {
  const alarms = [alarm('a', 'ticket', 5), alarm('b', 'page', 90), alarm('c', 'page', 3)];
  assert.deepEqual(
    sortedAlarms([...alarms, alarm('d', 'ticket', 1)]).map(({ name }) => name),
    ['c', 'b', 'd', 'a'],
  );
});

test('zero, one and several leaders are distinguished', () => {
  const kind = (count: number) => {
    const leaders = Array.from({ length: count }, () => LEADER);
    return leaderOf({ health: { ...WELL, leaders }, heardAtMs: NOW, nowMs: NOW }).kind;
  };
  assert.deepEqual([kind(0), kind(1), kind(2)], ['none', 'one', 'several']);
});

test('a ledger is balanced only if every total is zero', () => {
  const sums = (...list: string[]) =>
    ledgerOf({ ledger: list.map((sum, at) => ({ currency: `c${at}`, sum_atoms: sum })) });
  assert.deepEqual(sums('0', '-0', '000'), { count: 3, unbalanced: [] });
  assert.deepEqual(sums('0', '1', '-1'), { count: 3, unbalanced: ['c1', 'c2'] });
  assert.deepEqual(sums(), { count: 0, unbalanced: [] });
});

test('queues with the oldest entries and failing processes are listed first', () => {
  const queues = [
    { name: 'mails', waiting: 0, oldest_ms: 0 },
    { name: 'outbox', waiting: 2, oldest_ms: 10 },
    { name: 'approvals', waiting: 1, oldest_ms: 900 },
    { name: 'commands', waiting: 0, oldest_ms: 0 },
  ];
  assert.deepEqual(
    sortedQueues(queues).map(({ name }) => name),
    ['approvals', 'outbox', 'commands', 'mails'],
  );
  const processes = [
    process('a-1'),
    process('b-1', { state: 'stopped' }),
    process('c-1', { ready: false }),
    process('d-1', { state: 'down' }),
  ];
  assert.deepEqual(
    sortedProcesses(processes).map(({ instance }) => instance),
    ['d-1', 'c-1', 'a-1', 'b-1'],
  );
});

test('metrics, builds and failed checks are collected from the processes', () => {
  const processes = [
    process('gateway-websocket-1', { figures: { sockets: '7' } }),
    process('gateway-websocket-2', { figures: { sockets: '5' }, commit: 'def' }),
    process('gateway-websocket-3', { figures: { sockets: '9' }, state: 'down', commit: 'old' }),
    process('monitor', { figures: { sockets: '1' } }),
  ];
  assert.equal(figureOf(processes, 'gateway-websocket', 'sockets'), 12);
  assert.deepEqual(versionsOf(processes), ['0.1.0 abc', '0.1.0 def']);
  assert.deepEqual(failedChecks({ bus: true, tables: false, leader: 'is waiting' }), [
    'tables',
    'leader: is waiting',
  ]);
});

test('durations use one unit, and free disk space is in percent', () => {
  const table: [number, number, string][] = [
    [0, 0, 'ms'],
    [999, 999, 'ms'],
    [1_000, 1, 's'],
    [1_999, 1, 's'],
    [2_000, 2, 's'],
    [119_999, 119, 's'],
    [120_000, 2, 'min'],
    [7_200_000, 2, 'h'],
    [172_800_000, 2, 'd'],
    [-5, 0, 'ms'],
  ];
  for (const [ms, count, unit] of table) assert.deepEqual(durationOf(ms), { unit, count });
  const disk = (free: number, total: number) =>
    freePercent({ host: '', path: '', free_bytes: free, total_bytes: total });
  assert.deepEqual([disk(1, 3), disk(0, 3), disk(0, 0)], [33, 0, 0]);
});
