// Tests that the gateway serves the last report and its age, and raises its own alarm if the
// monitor is not responding.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBus } from '../../infra/bus/bus-for-test.ts';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { HealthMemory } from './health-memory.ts';

function open() {
  const bus = new MemoryBus();
  const clock = new FakeClock(10_000);
  const nats = { isConnected: true };
  const catalogue = { isCurrent: true };
  const memory = new HealthMemory({ bus, clock, exchange: 'rialto', nats, catalogue });
  const publish = (report: object) =>
    bus.deliver('rialto.health', Buffer.from(JSON.stringify(report)));
  const names = () => memory.now.alarms.map(({ name }) => name);
  return { bus, catalogue, clock, memory, names, nats, publish };
}

const ALARM = { name: 'BackupOld', object: '', severity: 'ticket' };

test("the monitor's report is served with its age", () => {
  const { clock, memory, publish } = open();
  publish({ status: 'ticket', monitor: 'monitor-a', alarms: [ALARM], bus_up: true });
  clock.advance(1_200);
  const { age_ms, alarms, monitor, status } = memory.now;
  assert.deepEqual([age_ms, alarms.length, monitor, status], [1_200, 1, 'monitor-a', 'ticket']);
});

test('a silent monitor is an alarm, in addition to the alarms it last reported', () => {
  const { clock, memory, names, publish } = open();
  publish({ status: 'ticket', alarms: [ALARM] });
  clock.advance(3_900);
  assert.deepEqual(names(), ['BackupOld']);
  clock.advance(200);
  assert.deepEqual(names(), ['MonitorSilent', 'BackupOld']);
  const { alarms, status } = memory.now;
  assert.equal(status, 'page');
  assert.deepEqual(
    [alarms[0].opened_at, alarms[0].age_ms, alarms[0].runbook],
    ['1970-01-01T00:00:10.000Z', 4_100, 'monitor-silent'],
  );
  publish({ status: 'ticket', alarms: [ALARM] });
  assert.deepEqual(names(), ['BackupOld']);
});

test('without a monitor, the gateway reports the state of the bus and the database', () => {
  const { catalogue, clock, memory, names, nats } = open();
  assert.equal(memory.now.age_ms, null);
  nats.isConnected = false;
  catalogue.isCurrent = false;
  clock.advance(5_000);
  assert.deepEqual(names(), ['MonitorSilent', 'LogUnreachable', 'DatabaseAway']);
  assert.deepEqual([memory.now.bus_up, memory.now.database_up], [false, false]);
});

test('messages that are not reports are ignored', () => {
  const { bus, memory, publish } = open();
  bus.deliver('rialto.health', Buffer.from('{'));
  publish({ status: 'well' });
  assert.equal(memory.now.age_ms, null);
});
