// Real NATS servers: they start, keep acknowledged messages after a kill -9, and stop.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type NatsOptions, type NatsServers, startNats } from './nats.ts';
import { waitUntil } from './wait-until.ts';

async function startForTest(
  context: TestContext,
  options: Omit<NatsOptions, 'folder'>,
): Promise<NatsServers> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-nats-'));
  const servers = await startNats({ folder, ...options });
  context.after(async () => {
    await servers.stop();
    rmSync(folder, { recursive: true });
  });
  return servers;
}

async function reportedSettings(monitorUrl: string) {
  const response = await fetch(`${monitorUrl}/jsz`);
  const answer = (await response.json()) as { config: Record<string, unknown> };
  return answer.config;
}

test('one node syncs every write and keeps a message after a kill -9', async (context) => {
  const servers = await startForTest(context, { nodes: 1 });
  const [node] = servers.nodes;
  assert.deepEqual(servers.urls, [node.url]);
  assert.equal((await reportedSettings(node.monitorUrl)).sync_always, true);

  const before = await connect({ servers: servers.urls });
  const manager = await jetstreamManager(before);
  await manager.streams.add({ name: 'kept', subjects: ['kept'] });
  const acknowledged = await jetstream(before).publish('kept', 'still here');
  assert.equal(acknowledged.seq, 1);
  await before.close();

  const firstPid = node.pid;
  await node.kill('SIGKILL');
  assert.equal(node.pid, undefined);
  await node.start();
  await servers.waitUntilReady();
  assert.notEqual(node.pid, firstPid);

  const after = await connect({ servers: servers.urls });
  const message = await (await jetstreamManager(after)).streams.getMessage('kept', { seq: 1 });
  assert.equal(message?.string(), 'still here');
  await after.close();
});

test('three nodes agree on a leader, and a killed one rejoins', async (context) => {
  const servers = await startForTest(context, { nodes: 3 });
  assert.equal(new Set(servers.urls).size, 3);
  for (const { monitorUrl } of servers.nodes) {
    assert.equal((await reportedSettings(monitorUrl)).sync_always, true);
  }
  const setup = await connect({ servers: servers.urls });
  const setupManager = await jetstreamManager(setup);
  await setupManager.streams.add({ name: 'replicated', subjects: ['replicated'], num_replicas: 3 });
  await jetstream(setup).publish('replicated', 'first');
  const { cluster } = await setupManager.streams.info('replicated');
  await setup.close();

  // The client is connected to the stream's leader and a follower is killed, so no client
  // reconnects.
  const leader = servers.nodes.find(({ name }) => name === cluster?.leader);
  const follower = servers.nodes.find((node) => node !== leader);
  assert.ok(leader);
  assert.ok(follower);
  const connection = await connect({ servers: leader.url });
  context.after(() => connection.close());
  const manager = await jetstreamManager(connection);
  await follower.kill('SIGKILL');
  const acknowledged = await jetstream(connection).publish('replicated', 'second');
  assert.equal(acknowledged.seq, 2);
  await follower.start();
  await servers.waitUntilReady();
  await waitUntil({
    what: 'the killed node has caught up',
    timeoutMs: 30_000,
    question: async () => {
      const replicas = (await manager.streams.info('replicated')).cluster?.replicas ?? [];
      return replicas.some(({ name, current }) => name === follower.name && current);
    },
  });
});

test('a paused node does not respond until it continues, and can be stopped', async (context) => {
  const servers = await startForTest(context, { nodes: 1 });
  const [node] = servers.nodes;
  const healthz = (withinMs: number) =>
    fetch(`${node.monitorUrl}/healthz`, { signal: AbortSignal.timeout(withinMs) });
  await node.kill('SIGSTOP');
  await assert.rejects(healthz(500));
  await node.kill('SIGCONT');
  assert.equal((await healthz(30_000)).status, 200);
  await node.kill('SIGSTOP');
  await servers.stop();
  assert.equal(node.pid, undefined);
});

test('the wrong setting is possible and visible', async (context) => {
  const servers = await startForTest(context, { nodes: 1, syncAlways: false });
  const settings = await reportedSettings(servers.nodes[0].monitorUrl);
  assert.equal(settings.sync_always, undefined);
});

test('a server that cannot start fails with the end of its log', async (context) => {
  const servers = await startForTest(context, { nodes: 1 });
  const [node] = servers.nodes;
  await node.kill('SIGTERM');
  rmSync(node.storeFolder, { recursive: true });
  writeFileSync(node.storeFolder, 'not a folder');
  await assert.rejects(
    node.start(),
    /nats-server alone ended with code 1\n.*\.log ends with:\n.*\[INF\]/s,
  );
});

test('a cluster without a majority is not ready, and the error has the logs', async (context) => {
  const servers = await startForTest(context, { nodes: 3 });
  const [first, second, third] = servers.nodes;
  await Promise.all(servers.nodes.map((node) => node.kill('SIGKILL')));
  await assert.rejects(servers.waitUntilReady(), /no NATS server is running/);
  await first.start();
  const ready = assert.rejects(servers.waitUntilReady(), (fault: Error) => {
    assert.match(fault.message, /nats-server n1 ended before it was ready\n.*\.log ends with:/);
    return true;
  });
  await first.kill('SIGKILL');
  await ready;
  await Promise.all([first.start(), second.start(), third.start()]);
  await servers.waitUntilReady();
});

test('servers exit with the process that started them, even after a kill -9', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-nats-'));
  const nats = fileURLToPath(new URL('./nats.ts', import.meta.url));
  const script = `
    const { startNats } = await import(${JSON.stringify(nats)});
    const servers = await startNats({ folder: ${JSON.stringify(folder)}, nodes: 1 });
    console.log(servers.nodes[0].pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => {
    parent.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(String(line));
  assert.ok(isRunning(pid));
  parent.kill('SIGKILL');
  await waitUntil({
    what: 'the server is gone',
    timeoutMs: 30_000,
    question: () => !isRunning(pid),
  });
});

// An exited process remains in the process table until its parent reads its status.
function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}
