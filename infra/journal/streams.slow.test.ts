// Streams on real servers. In production the exchange starts only on a safe log.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import type { NatsServers } from '../../tools/services/nats.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { Nats } from '../bus/index.ts';
import { LogRefused } from './exchange-id.ts';
import { JetStreamLog } from './jetstream-log.ts';
import {
  checkStreams,
  createStreams,
  journalNames,
  nameLog,
  StreamFault,
  type StreamsOptions,
} from './streams.ts';

async function start(context: TestContext, options: { nodes: 1 | 3; syncAlways?: boolean }) {
  const { servers, connect } = await startNatsForTest(context, options);
  return { servers, nats: await connect() };
}

function inProduction(servers: NatsServers, exchange = 'rialto'): StreamsOptions {
  const monitorUrls = servers.nodes.map(({ monitorUrl }) => monitorUrl);
  return { exchange, mode: 'production', replicas: 3, monitorUrls };
}

/** Creates what is missing, as an operator does, and checks it, as every service does. */
async function ensureStreams(nats: Nats, options: StreamsOptions) {
  const inTool = { ...options, monitorUrls: [] };
  await createStreams(nats, inTool);
  const log = new JetStreamLog({ nats, ...journalNames(options.exchange).commands });
  // Rejected if the log has it; some unsafe streams never confirm it.
  await new Promise((done) => log.append(1, new Uint8Array(1), done));
  log.stop();
  await nameLog(nats, { ...inTool, exchangeId: 'a1' });
  return (await checkStreams(nats, options)).findings;
}

/** The findings of the fault: `server or stream: setting`. */
async function refusalOf(nats: Nats, options: StreamsOptions): Promise<string[]> {
  try {
    await ensureStreams(nats, options);
  } catch (fault) {
    assert.ok(fault instanceof StreamFault, String(fault));
    assert.equal(fault.isRetryable, false);
    for (const { at, setting } of fault.findings) {
      assert.ok(fault.message.includes(`${at}: ${setting}`), fault.message);
    }
    return fault.findings.map(({ at, setting }) => `${at}: ${setting}`);
  }
  return assert.fail('expected a StreamFault');
}

// A cluster on a slow machine may drop or delay a request. Repeating it is harmless: creating the
// same stream twice has no effect.
async function api<Answer>(nats: Nats, name: string, body: object = {}): Promise<Answer> {
  let answer: Answer | undefined;
  await waitUntil({
    what: `JetStream answers ${name}`,
    timeoutMs: 60_000,
    question: async () => {
      try {
        const subject = `$JS.API.${name}`;
        const options = { timeout: 10_000 };
        answer = (await nats.client.request(subject, JSON.stringify(body), options)).json();
      } catch (fault) {
        assert.ok(fault instanceof Error && fault.name === 'TimeoutError', String(fault));
      }
      return answer !== undefined;
    },
  });
  return answer as Answer;
}

const unsafe: [setting: string, difference: object][] = [
  ['num_replicas', { num_replicas: 1 }],
  ['storage', { storage: 'memory' }],
  ['deny_delete', { deny_delete: false }],
  ['discard', { discard: 'old' }],
  ['max_age', { max_age: 3_600_000_000_000 }],
  ['retention', { retention: 'workqueue' }],
  ['persist_mode', { persist_mode: 'async', num_replicas: 1 }],
  ['no_ack', { no_ack: true }],
  ['max_msgs_per_subject', { max_msgs_per_subject: 100 }],
];

test('incident 26: an unsafe stream is rejected and never changed', async (context) => {
  const { servers, nats } = await start(context, { nodes: 3 });
  for (const [at, [setting, difference]] of unsafe.entries()) {
    const exchange = `unsafe${at}`;
    const { stream, subject } = journalNames(exchange).commands;
    const made = {
      name: stream,
      subjects: [subject],
      num_replicas: 3,
      storage: 'file',
      discard: 'new',
      deny_delete: true,
      deny_purge: false,
      compression: 'none',
      duplicate_window: 100_000_000,
      ...difference,
    };
    const before = await api<{ config?: object }>(nats, `STREAM.CREATE.${stream}`, made);
    assert.ok(before.config !== undefined, JSON.stringify(before));
    const refusal = await refusalOf(nats, inProduction(servers, exchange));
    assert.ok(refusal.includes(`${stream}: ${setting}`), `${setting} in ${refusal}`);
    assert.equal(refusal.length, Object.keys(difference).length);
    const after = await api<{ config: object }>(nats, `STREAM.INFO.${stream}`);
    assert.deepEqual(after.config, before.config);
  }
});

test('incident 26: servers with periodic sync are rejected in production', async (context) => {
  const { servers, nats } = await start(context, { nodes: 3, syncAlways: false });
  const expected = ['n1: sync_interval', 'n2: sync_interval', 'n3: sync_interval'];
  assert.deepEqual((await refusalOf(nats, inProduction(servers))).toSorted(), expected);
  const findings = await ensureStreams(nats, { ...inProduction(servers), mode: 'development' });
  const found = findings.map(({ at, setting }) => `${at}: ${setting}`);
  assert.deepEqual(found.toSorted(), expected);
});

test('incident 26: a single server is rejected in production', async (context) => {
  const { servers, nats } = await start(context, { nodes: 1 });
  const options: StreamsOptions = { ...inProduction(servers), replicas: 1 };
  assert.deepEqual(await refusalOf(nats, options), ['RIALTO_COMMANDS: stream']);
  assert.deepEqual(await ensureStreams(nats, { ...options, mode: 'development' }), []);
  assert.deepEqual(await refusalOf(nats, options), [
    'RIALTO_COMMANDS: num_replicas',
    'RIALTO_EVENTS: num_replicas',
    'OBJ_RIALTO_SNAPSHOTS: num_replicas',
    'RIALTO_NAME: num_replicas',
  ]);
});

test('in production every online server must report its sync setting', async (context) => {
  const { servers, nats } = await start(context, { nodes: 3 });
  const options = inProduction(servers);
  assert.deepEqual(await ensureStreams(nats, options), []);
  assert.deepEqual(await ensureStreams(nats, options), []);
  const all = ['n1: sync_interval', 'n2: sync_interval', 'n3: sync_interval'];
  const withoutMonitors = await refusalOf(nats, { ...options, monitorUrls: [] });
  assert.deepEqual(withoutMonitors.toSorted(), all);
  const [first, second] = options.monitorUrls;
  const withoutThird = { ...options, monitorUrls: [first, second] };
  assert.deepEqual(await refusalOf(nats, withoutThird), ['n3: sync_interval']);
  // In development no monitoring URL is needed.
  const inDevelopment: StreamsOptions = { ...options, mode: 'development', monitorUrls: [] };
  assert.deepEqual(await ensureStreams(nats, inDevelopment), []);

  await servers.nodes[2].kill('SIGKILL');
  await waitUntil({
    what: 'the third server is offline, and the others still have a leader',
    timeoutMs: 30_000,
    question: async () => {
      try {
        const findings = await ensureStreams(nats, { ...options, timeoutMs: 1_000 });
        return findings.length > 0 && findings.every(({ isWarning }) => isWarning === true);
      } catch (fault) {
        assert.ok(fault instanceof StreamFault, String(fault));
        return false;
      }
    },
  });
});

test('servers that do not respond in time cause a retryable fault', async (context) => {
  const { servers, nats } = await start(context, { nodes: 1 });
  await servers.nodes[0].kill('SIGKILL');
  await waitUntil({
    what: 'the client disconnected',
    timeoutMs: 30_000,
    question: () => !nats.isConnected,
  });
  const options: StreamsOptions = { ...inProduction(servers), mode: 'development', replicas: 1 };
  await assert.rejects(ensureStreams(nats, { ...options, timeoutMs: 500 }), (fault) => {
    assert.ok(fault instanceof StreamFault && fault.isRetryable, String(fault));
    return true;
  });
  const ensured = ensureStreams(nats, options);
  await servers.nodes[0].start();
  assert.deepEqual(await ensured, []);
});

test('a service refuses servers without a complete log, and creates nothing', async (context) => {
  const { servers, nats } = await start(context, { nodes: 1 });
  const options: StreamsOptions = {
    ...inProduction(servers),
    mode: 'development',
    replicas: 1,
    missingMs: 0,
  };
  const refusal = async () => {
    try {
      await checkStreams(nats, options);
    } catch (fault) {
      assert.ok(fault instanceof LogRefused, String(fault));
      assert.match(fault.message, /See docs\/operating\/log-lost\.md\.$/);
      return fault.why;
    }
    return 'accepted';
  };
  assert.equal(await refusal(), 'missing');
  const { streams } = await api<{ streams: string[] | null }>(nats, 'STREAM.NAMES');
  assert.equal(streams, null);
  // An interrupted restore has streams and frames, but no name.
  await createStreams(nats, options);
  assert.equal(await refusal(), 'missing');
  await nameLog(nats, { ...options, exchangeId: 'a1' });
  assert.equal(await refusal(), 'empty');
  await ensureStreams(nats, options);
  assert.equal(await refusal(), 'accepted');
  await assert.rejects(nameLog(nats, { ...options, exchangeId: 'b2' }), LogRefused);
  const { found } = await checkStreams(nats, options);
  assert.deepEqual([found.exchangeId, found.lastFrame], ['a1', 1]);
});
