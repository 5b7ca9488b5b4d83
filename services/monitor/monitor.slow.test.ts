// A monitor on real NATS and PostgreSQL: the report about a running sequencer, a process that exits
// without a goodbye, its dismissal, recorded alarms, and a second monitor that takes over.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { healthSubject } from '../../features/health/index.ts';
import { NatsBus } from '../../infra/bus/index.ts';
import { createLogger } from '../../infra/process/index.ts';
import { encodeStatusBeat, type StatusBeat, statusSubject } from '../../infra/status/index.ts';
import type { HealthReport } from '../../protocol/index.ts';
import { EXCHANGE, startExchangeForTest } from '../../testing/outbox/exchange-for-test.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { startMonitor } from './app.ts';
import { monitorConfig } from './config.ts';

const log = createLogger({ service: 'monitor', instance: 'test', level: 'silent' });
const BEAT: StatusBeat = {
  service: 'projector',
  instance: 'projector-x',
  host: 'elsewhere',
  pid: 77,
  version: '0.0.1',
  commit: 'x',
  startedMs: 1,
  checks: {},
  figures: { frame: 1, event_loop_ms: 0 },
  disks: [],
  isLeaving: false,
};

async function stage(context: TestContext) {
  const exchange = await startExchangeForTest(context, { userCount: 1 });
  const bus = new NatsBus(exchange.nats);
  const reports: HealthReport[] = [];
  bus.subscribe(healthSubject(EXCHANGE), (message) => {
    reports.push(JSON.parse(Buffer.from(message).toString()));
  });
  const start = async (name: string) => {
    const environment = { ...exchange.environment, RIALTO_INSTANCE: name };
    const onFault = (reason: string) => assert.fail(reason);
    const app = await startMonitor({ config: monitorConfig(environment), log, onFault });
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= app.stop());
    context.after(stop);
    return { stop };
  };
  const until = (what: string, question: () => boolean | Promise<boolean>) =>
    waitUntil({ what, question: async () => question(), timeoutMs: 60_000 });
  const beat = (more: Partial<StatusBeat> = {}) =>
    bus.publish(statusSubject(EXCHANGE, 'sandbox'), encodeStatusBeat({ ...BEAT, ...more }));
  const last = () => reports.at(-1);
  return { beat, bus, exchange, last, reports, start, until };
}

function alarmOf(report: HealthReport | undefined, name: string, object: string) {
  return report?.alarms.find((one) => one.name === name && one.object === object);
}

test('the report has leader, log and tables; a lost process is kept until dismissed', async (t) => {
  const { beat, exchange, last, start, until } = await stage(t);
  await start('monitor-1');
  beat();
  const isRunning = (service: string) =>
    last()?.processes.some((one) => one.service === service && one.state === 'running') === true;
  // The parts are read one after another, so an early report has only some.
  await until('leader, streams and processes are reported', () => {
    const frame = last()?.leaders[0]?.frame ?? 0;
    return frame >= 2 && last()?.streams.length === 2 && isRunning('sequencer');
  });
  const report = last()!;
  assert.deepEqual([report.monitor, report.bus_up, report.database_up], ['monitor-1', true, true]);
  assert.deepEqual(
    report.streams.map(({ has_leader, missing, name }) => [name, has_leader, missing]),
    [
      ['RIALTO_COMMANDS', true, 0],
      ['RIALTO_EVENTS', true, 0],
    ],
  );
  assert.equal(report.leaders.length, 1);
  assert.equal(report.queues.length, 6);
  assert.equal(alarmOf(report, 'BackupOld', '')?.runbook, 'backup-old');
  await until(
    'the process is down',
    () => alarmOf(last(), 'ServiceDown', 'projector-x') !== undefined,
  );
  const { pool } = exchange;
  const recorded = async () => {
    const of = ['ServiceDown', 'projector-x'];
    const text = 'select closed_at from alarms where name = $1 and object = $2';
    return (await pool.query(text, of)).rows;
  };
  await until('the alarm is recorded', async () => (await recorded()).length === 1);
  const { rows } = await pool.query(`select state from processes where instance = 'projector-x'`);
  assert.deepEqual(rows, [{ state: 'down' }]);
  await pool.query(`delete from processes where instance = 'projector-x'`);
  await until(
    'the alarm is closed',
    () => alarmOf(last(), 'ServiceDown', 'projector-x') === undefined,
  );
  await until('the end is recorded', async () => (await recorded())[0].closed_at !== null);
  assert.ok(!last()!.processes.some(({ instance }) => instance === 'projector-x'));
});

test('one monitor reports, and the other takes over when the first one exits', async (t) => {
  const { exchange, last, reports, start, until } = await stage(t);
  const first = await start('monitor-1');
  await until('the first reports', () => last()?.monitor === 'monitor-1');
  await start('monitor-2');
  const ready = () =>
    last()!.processes.some(({ instance, ready: isReady }) => instance === 'monitor-2' && isReady);
  await until('the second has a heartbeat', ready);
  const from = reports.length;
  await until('three more reports', () => reports.length >= from + 3);
  assert.deepEqual([...new Set(reports.slice(from).map(({ monitor }) => monitor))], ['monitor-1']);
  await first.stop();
  await until('the second reports', () => last()?.monitor === 'monitor-2');
  const stopped = () =>
    last()!.processes.find(({ instance }) => instance === 'monitor-1')?.state === 'stopped';
  await until('the first is stopped, not down', stopped);
  assert.equal(alarmOf(last(), 'ServiceDown', 'monitor-1'), undefined);
  const open = async () =>
    (await exchange.pool.query('select name from alarms where closed_at is null')).rows.length;
  await until('alarms are recorded once', async () => (await open()) === last()!.alarms.length);
});
