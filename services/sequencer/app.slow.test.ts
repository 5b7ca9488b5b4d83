// A complete sequencer process on a real server: health, readiness and metrics, the server it
// refuses to start on, and the handover between two sequencers.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { connectNats, NatsBus } from '../../infra/bus/index.ts';
import {
  decodeLeaderHeartbeat,
  type LeaderHeartbeat,
  linkSubjects,
} from '../../infra/command-link/index.ts';
import { drawKey } from '../../infra/identities/index.ts';
import { StreamFault } from '../../infra/journal/index.ts';
import { createLogger } from '../../infra/process/index.ts';
import { startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import { createLogAt } from '../../tools/create-log/create-log.ts';
import { freePorts } from '../../tools/services/free-ports.ts';
import { until } from '../../tools/services/wait-until.ts';
import { type SequencerApp, startSequencer } from './app.ts';
import { sequencerConfig } from './config.ts';
import type { SequencerEnd } from './sequencer-options.ts';

const log = createLogger({ service: 'sequencer', instance: 'test', level: 'silent' });

function start(urls: readonly string[], settings: Record<string, string>): Promise<SequencerApp> {
  const environment = { RIALTO_NATS_URLS: urls.join(','), ...settings };
  const onEnd = (end: SequencerEnd) => assert.fail(JSON.stringify(end));
  return startSequencer({ config: sequencerConfig(environment), log, onEnd });
}

const ALONE = { RIALTO_MODE: 'development', RIALTO_REPLICAS: '1' };

async function startServers(context: TestContext) {
  const started = await startNatsForTest(context, { nodes: 1 });
  await createLogAt(started.servers.urls);
  return started;
}

async function ask(app: SequencerApp, path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${app.healthPort}${path}`);
  return { status: answer.status, text: await answer.text() };
}

test('health, readiness and metrics report the role, and a leader hands over', async (context) => {
  const { servers } = await startServers(context);
  const first = await start(servers.urls, { ...ALONE, RIALTO_INSTANCE: 'a' });
  assert.equal((await ask(first, '/health')).status, 200);
  await until('a leads', () => first.sequencer.leader?.isServing === true);
  assert.deepEqual(await ask(first, '/ready').then(({ status }) => status), 200);
  assert.match((await ask(first, '/metrics')).text, /^rialto_sequencer_leads 1$/m);

  const second = await start(servers.urls, { ...ALONE, RIALTO_INSTANCE: 'b' });
  await until('b follows', () => second.sequencer.replica?.sequence === 2);
  assert.match((await ask(second, '/metrics')).text, /^rialto_sequencer_leads 0$/m);
  assert.equal((await ask(second, '/ready')).status, 200);

  // The leader needs a heartbeat from the standby.
  await until('a has a heartbeat from b', () => first.sequencer.hasStandby);
  await first.stop();
  await until('b leads', () => second.sequencer.leader?.isServing === true);
  assert.equal(second.sequencer.leader?.epoch, 2);
  await second.stop();
});

/** Blocks like a slow frame, except that the test controls when it ends. */
function blockEventLoop(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}

test('heartbeats continue while a leader is blocked, for a limited time', async (context) => {
  const { servers } = await startServers(context);
  const settings = { ...ALONE, RIALTO_FRAME_MS_MAX: '2000', RIALTO_HEARTBEAT_MS: '50' };
  const app = await start(servers.urls, settings);
  await until('it leads', () => app.sequencer.leader?.isServing === true);
  const nats = await connectNats({ urls: servers.urls, name: 'test' });
  const heartbeats: LeaderHeartbeat[] = [];
  new NatsBus(nats).subscribe(linkSubjects('rialto').leader, (message) => {
    const heartbeat = decodeLeaderHeartbeat(message);
    if (heartbeat !== undefined) heartbeats.push(heartbeat);
  });
  await until('heartbeats arrive', () => heartbeats.length > 3);
  heartbeats.splice(0);
  blockEventLoop(6_000);
  await until('its heartbeats resume', () => heartbeats.at(-1)?.state === 'leading');
  const repeated = heartbeats.filter(({ state }) => state === 'waiting').length;
  assert.ok(repeated >= 15, `${repeated} during the block`);
  assert.ok(repeated <= 45, `${repeated}, but a hung leader must not seem alive`);
  await nats.close();
  await app.stop();
});

test('a sequencer in production refuses to start on a single server', async (context) => {
  const { servers } = await startServers(context);
  const folder = mkdtempSync(join(tmpdir(), 'rialto-keys-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sequencer');
  writeFileSync(file, drawKey().seed);
  const [healthPort, linkPort] = await freePorts(2);
  const production = {
    RIALTO_MODE: 'production',
    RIALTO_HEALTH_PORT: String(healthPort),
    RIALTO_LINK_PORT: String(linkPort),
    RIALTO_LOG_MARK_FILE: join(folder, 'log-mark'),
  };
  await assert.rejects(start(servers.urls, production), /RIALTO_IDENTITY_KEY_FILE is not set/);
  const identity = { ...production, RIALTO_IDENTITY_KEY_FILE: file };
  await assert.rejects(start(servers.urls, identity), StreamFault);
});
