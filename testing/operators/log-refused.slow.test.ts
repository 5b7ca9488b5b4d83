// The log of an exchange is lost, restored from an earlier copy, or replaced by another exchange's.
// Every service that uses the log rejects it with one sentence and exits with 78. Then the
// documented restore procedure reopens the exchange.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createLogAt } from '../../tools/create-log/create-log.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { until } from '../../tools/services/wait-until.ts';

const SERVICES = [
  'sequencer-1',
  'archivist',
  'projector',
  'publisher',
  'reconciler',
  'outbox-dispatcher',
  'gateway-http-1',
  'gateway-websocket-1',
];

/** Where each service remembers the log, as a pattern. */
const MEMORY: Readonly<Record<string, string>> = {
  'sequencer-1': '\\S+sequencer-1\\.log-mark',
  publisher: '\\S+publisher\\.log-mark',
  archivist: 'the archive',
};

let sandbox: Sandbox;
let earlier: string;
let whole: string;

before(async () => {
  sandbox = await startSandbox({
    streams: 1,
    withArchivist: true,
    withReconciler: true,
    archivistSettings: { RIALTO_SEGMENT_EVERY_MS: '500' },
  });
  const [node] = sandbox.nats.nodes;
  [earlier, whole] = ['earlier', 'whole'].map((name) => join(sandbox.folder, name));
  await node.kill('SIGTERM');
  cpSync(node.storeFolder, earlier, { recursive: true });
  await node.start();
  await sandbox.createTraders({ count: 20 });
  const { frame } = await archived();
  await sandbox.admin.waitUntilProjected(frame);
  // The marks follow within a second, the archive within two.
  await new Promise((done) => setTimeout(done, 4_000));
  for (const service of sandbox.services) await service.stop();
  await node.kill('SIGTERM');
  cpSync(node.storeFolder, whole, { recursive: true });
});

after(() => sandbox?.stop());

/** Returns the end of the log from the leader's metrics. */
async function archived(): Promise<{ frame: number }> {
  let frame = 0;
  await until('the log stops growing', async () => {
    const before = frame;
    const answer = await fetch(`${sandbox.service('sequencer-1').healthUrl}/metrics`);
    frame = Number(/^rialto_sequencer_sequence (\d+)$/m.exec(await answer.text())?.[1]);
    return frame === before;
  });
  return { frame };
}

/** Starts the server with the files of the folder, or with none. */
async function startWith(folder?: string): Promise<void> {
  const [node] = sandbox.nats.nodes;
  if (node.pid !== undefined) await node.kill('SIGTERM');
  rmSync(node.storeFolder, { recursive: true, force: true });
  mkdirSync(node.storeFolder, { recursive: true });
  if (folder !== undefined) cpSync(folder, node.storeFolder, { recursive: true });
  await node.start();
  await sandbox.nats.waitUntilReady();
}

const CASES: Record<string, { prepare(): Promise<void>; sentence(memory: string): string }> = {
  empty: {
    prepare: () => startWith(),
    sentence: () => 'RIALTO_COMMANDS does not exist on \\S+: ',
  },
  older: {
    prepare: () => startWith(earlier),
    sentence: (memory) => `ends (?:at frame \\d+, but ${memory} has|before) frame \\d+`,
  },
  foreign: {
    async prepare() {
      await startWith();
      await createLogAt(sandbox.nats.urls);
    },
    sentence: (memory) => `The log belongs to exchange [0-9a-f]+, but ${memory} to [0-9a-f]+\\.`,
  },
};

for (const [name, { prepare, sentence }] of Object.entries(CASES)) {
  test(`every service rejects a log that is ${name} with one sentence`, async () => {
    await prepare();
    for (const service of SERVICES) {
      const one = sandbox.service(service);
      await assert.rejects(one.start(), service);
      assert.equal(one.ending, 'ended with code 78', `${service}\n${one.log()}`);
      const memory = MEMORY[service] ?? (service === 'projector' ? '.*' : 'the tables');
      const expected = new RegExp(`${sentence(memory)}.*See docs/operating/log-lost\\.md`);
      assert.match(one.log(), expected, service);
    }
  });
}

test('the documented restore procedure reopens the exchange', async () => {
  await startWith();
  const tool = join(import.meta.dirname, '../../tools/cli/main.ts');
  const archive = join(sandbox.folder, 'archive');
  await promisify(execFile)(process.execPath, [tool, 'restore', 'log', '--archive', archive], {
    env: {
      PATH: process.env.PATH,
      RIALTO_MODE: 'development',
      RIALTO_REPLICAS: '1',
      RIALTO_NATS_URLS: sandbox.nats.urls.join(),
    },
  });
  for (const service of SERVICES) await sandbox.service(service).start();
  assert.equal((await fetch(`${sandbox.url}/v2/health`)).status, 200);
});
