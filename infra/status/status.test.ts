// Status beats: complete, once a second, with a goodbye, and without harm to the service.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBus } from '../bus/bus-for-test.ts';
import { FakeClock } from '../process/clock-for-test.ts';
import { createLogger, createMetrics, readBuildInfo } from '../process/index.ts';
import { openStatus, type StatusOptions } from './status.ts';
import { decodeStatusBeat, type StatusBeat } from './status-beat.ts';

const config = {
  exchange: 'rialto',
  instance: 'projector-1',
  commit: 'abc123',
  healthHost: '127.0.0.1',
  healthPort: 0,
};

function open(options: Partial<StatusOptions> = {}) {
  const bus = new MemoryBus();
  const clock = new FakeClock(5_000);
  const metrics = createMetrics();
  const lines: string[] = [];
  const to = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ service: 'projector', instance: 'one', level: 'info', to });
  const base = { service: 'projector', config, bus, log, metrics, clock, ready: () => ({}) };
  const status = openStatus({ ...base, ...options });
  const beats = () =>
    bus.take('rialto.status.projector').map((message) => decodeStatusBeat(message) as StatusBeat);
  return { beats, clock, lines, metrics, status };
}

test('a beat has the process, its checks, metrics, disks and switches', async () => {
  const { beats, clock, status } = open({
    ready: () => ({ journal: true, database: 'connection refused' }),
    figures: () => ({ frame: 12, lag_ms: Number.POSITIVE_INFINITY, sockets: undefined }),
    folders: ['/'],
    switchesVersion: () => 7,
  });
  await status.start();
  const [first] = beats();
  assert.equal(first.service, 'projector');
  assert.equal(first.instance, 'projector-1');
  assert.equal(first.pid, process.pid);
  assert.equal(first.commit, 'abc123');
  assert.equal(first.startedMs, 5_000);
  assert.deepEqual(first.checks, { journal: true, database: 'connection refused' });
  assert.equal(first.figures.frame, 12);
  assert.ok(!('lag_ms' in first.figures), 'metrics that are not numbers are omitted');
  assert.ok(first.figures.memory_bytes > 1_000_000);
  assert.equal(first.switchesVersion, 7);
  while (first.disks.length === 0) {
    await clock.pass(1_000);
    const [next] = beats();
    if (next.disks.length === 0) continue;
    assert.equal(next.disks[0].path, '/');
    assert.ok(next.disks[0].totalBytes >= next.disks[0].freeBytes);
    break;
  }
  await status.stop();
});

test('beats are sent every second, and the last one is a goodbye', async () => {
  const { beats, clock, status } = open();
  await status.start();
  clock.advance(3_500);
  await status.stop();
  clock.advance(10_000);
  assert.deepEqual(
    beats().map(({ isLeaving }) => isLeaving),
    [false, false, false, false, true],
  );
});

test('a check that throws is logged once, and beats resume when it no longer throws', async () => {
  let isBroken = true;
  const { beats, clock, lines, status } = open({
    ready() {
      if (isBroken) throw new Error('a bug');
      return {};
    },
  });
  await status.start();
  clock.advance(3_000);
  assert.deepEqual(beats(), []);
  assert.equal(lines.filter((line) => line.includes('status beat failed')).length, 1);
  isBroken = false;
  clock.advance(1_000);
  assert.equal(beats().length, 1);
  await status.stop();
});

test('health and metrics name the version and the commit', async () => {
  const { metrics, status } = open();
  const port = await status.start();
  const answer = await fetch(`http://127.0.0.1:${port}/health`);
  const { version } = readBuildInfo();
  assert.deepEqual(await answer.json(), { status: 'ok', version, commit: 'abc123' });
  const line = `rialto_build_info{service="projector",version="${version}",commit="abc123"} 1`;
  assert.ok((await metrics.text()).includes(line));
  await status.stop();
});

test('messages that are not beats are ignored', () => {
  const text = (value: unknown) => Buffer.from(JSON.stringify(value));
  const beat = {
    service: 'projector',
    instance: 'projector-1',
    host: 'a',
    pid: 1,
    version: '1',
    commit: 'c',
    startedMs: 1,
    checks: {},
    figures: {},
    disks: [],
    isLeaving: false,
  };
  assert.deepEqual(decodeStatusBeat(text(beat)), beat);
  const wrong = [
    null,
    [],
    { ...beat, service: '' },
    { ...beat, pid: '1' },
    { ...beat, checks: { journal: 1 } },
    { ...beat, figures: { frame: null } },
    { ...beat, disks: [{ path: '/' }] },
    { ...beat, isLeaving: undefined },
    { ...beat, host: 'x'.repeat(70_000) },
  ];
  for (const one of wrong) assert.equal(decodeStatusBeat(text(one)), undefined);
  assert.equal(decodeStatusBeat(Buffer.from('{')), undefined);
});
