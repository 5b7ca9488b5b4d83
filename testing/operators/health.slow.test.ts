// Health over HTTP on a full exchange: the report, the stream, a killed process and its dismissal,
// a backup, and responses while PostgreSQL or NATS is unreachable.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ExchangeHealth } from '../../protocol/index.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { StreamProbe, signedUrl } from '../stream/stream-probe.ts';

let sandbox: Sandbox;
let operator: RestClient;

before(async () => {
  sandbox = await startSandbox({ withMonitor: true, streams: 1, checkAnswers: true });
  operator = new RestClient({ url: sandbox.url, ...sandbox.seeded.users.admin });
});

after(() => sandbox?.stop());

async function health(): Promise<ExchangeHealth> {
  const { body, status, text } = await operator.get('/admin/health');
  assert.equal(status, 200, text);
  return body;
}

function until(what: string, question: (now: ExchangeHealth) => boolean): Promise<void> {
  return waitUntil({ what, timeoutMs: 60_000, question: async () => question(await health()) });
}

function hasAlarm({ alarms }: ExchangeHealth, name: string, object = ''): boolean {
  return alarms.some((one) => one.name === name && one.object === object);
}

test('the report lists every process, the leader, the log, queues and totals', async () => {
  await until('all processes have sent a heartbeat', ({ processes }) => processes.length >= 7);
  await until('the ledger has totals', ({ ledger }) => ledger.length > 0);
  const now = await health();
  const names = now.processes.map(({ instance }) => instance);
  for (const { name } of sandbox.services) assert.ok(names.includes(name), name);
  assert.equal(new Set(now.processes.map(({ commit }) => commit)).size, 1);
  assert.equal(now.leaders.length, 1);
  assert.ok(now.ledger.every(({ sum_atoms }) => sum_atoms === '0'));
  assert.deepEqual(now.followers.map(({ service }) => service).sort(), [
    'projector',
    'publisher',
    'sequencer',
  ]);
  assert.ok(now.disks.some(({ path }) => path === sandbox.folder));
  assert.ok(hasAlarm(now, 'BackupOld'), 'no backup was reported');
  assert.ok((now.age_ms ?? 0) < 3_000);
});

test('operators get the report on the stream, but users do not', async () => {
  const { admin, alice } = sandbox.seeded.users;
  const [known, user] = [
    await StreamProbe.open(signedUrl(sandbox.streamUrls[0], admin)),
    await StreamProbe.open(signedUrl(sandbox.streamUrls[0], alice)),
  ];
  // The greeting and the authentication result.
  for (const probe of [known, user]) {
    await probe.next();
    await probe.next();
  }
  user.subscribe('admin');
  const refused = { error: 'User is not authorized to access this endpoint' };
  assert.deepEqual(await user.next(), refused);
  known.subscribe('admin');
  const { action, data, topic } = await known.nextOf('health');
  assert.deepEqual([topic, action], ['health', 'update']);
  assert.equal(data.monitor, 'monitor');
  known.close();
  user.close();
});

test('a reported backup closes its alarm, and a backup in the future is rejected', async () => {
  const report = { kind: 'database', verified: true, bytes: 5, place: 'here' };
  const put = (ended_at: string) =>
    operator.send({ method: 'PUT', target: '/v2/admin/backup', body: { ...report, ended_at } });
  assert.equal((await put(new Date(Date.now() + 3_600_000).toISOString())).status, 400);
  assert.equal((await put(new Date().toISOString())).status, 200);
  await until('the alarms close', (now) => {
    return !hasAlarm(now, 'BackupOld') && !hasAlarm(now, 'RestoreDrillOld');
  });
});

test('a killed process is shown as down within seconds, until it is dismissed', async (t) => {
  const dismiss = (instance: string) =>
    operator.send({ method: 'DELETE', target: `/v2/admin/process?instance=${instance}` });
  assert.equal((await dismiss('publisher')).status, 400, 'it runs');
  assert.equal((await dismiss('nobody')).status, 404);
  const killedMs = performance.now();
  await sandbox.service('publisher').kill('SIGKILL');
  await until('it is down', (now) => hasAlarm(now, 'ServiceDown', 'publisher'));
  const tookMs = performance.now() - killedMs;
  t.diagnostic(`shown after ${Math.round(tookMs)} ms`);
  await waitUntil({
    what: 'the row shows the process as down',
    timeoutMs: 30_000,
    question: async () => (await dismiss('publisher')).status === 200,
  });
  await until('it is removed', ({ processes }) => {
    return !processes.some(({ instance }) => instance === 'publisher');
  });
  await sandbox.service('publisher').start();
  await until('it is back', ({ processes }) => {
    return processes.some(({ instance, state }) => `${instance} ${state}` === 'publisher running');
  });
});

test('health responds while PostgreSQL is unreachable, and reports the outage', async () => {
  await health();
  await sandbox.postgres.kill('SIGKILL');
  await until(
    'the database is unreachable',
    (now) => hasAlarm(now, 'DatabaseAway') && !now.database_up,
  );
  await sandbox.postgres.start();
  await until('the database is back', (now) => !hasAlarm(now, 'DatabaseAway') && now.database_up);
});

test('the gateway itself reports health while NATS is unreachable', async () => {
  await health();
  await sandbox.nats.nodes[0].kill('SIGKILL');
  await until('the monitor is not responding', (now) => hasAlarm(now, 'MonitorSilent'));
  const now = await health();
  assert.ok(hasAlarm(now, 'LogUnreachable'));
  assert.deepEqual([now.status, now.bus_up], ['page', false]);
  await sandbox.nats.nodes[0].start();
  await until('the monitor is responding', (later) => !hasAlarm(later, 'MonitorSilent'));
});
