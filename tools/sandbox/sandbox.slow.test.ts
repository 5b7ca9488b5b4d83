// A started sandbox is ready to trade, keeps its data across a restart, and leaves no process
// behind, however it ends.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { RialtoClient } from '../../client/index.ts';
import { DEFAULT_POLICY_SETTINGS, readPolicySettings } from '../../features/payments/index.ts';
import { createLogger } from '../../infra/process/index.ts';
import { startMarketAgents } from '../../services/market-agents/app.ts';
import { marketAgentsConfig } from '../../services/market-agents/config.ts';
import { isRunning, knownProcess } from '../services/running-processes.ts';
import { waitUntil } from '../services/wait-until.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

const ENDED_WITHIN_MS = 20_000;
const CRASHING_PROGRAM = join(import.meta.dirname, 'crashing/main.ts');

async function balancesOf({ admin, seeded }: Sandbox): Promise<string[]> {
  const users = Object.values(seeded.users).map(({ user }) => user);
  const { rows } = await admin.projections.query(
    `select owner, symbol, available_atoms, held_atoms
     from balances join assets on assets.id = asset_id where owner = any($1) order by 1, asset_id`,
    [users],
  );
  return rows.map((row) => Object.values(row).join(' '));
}

const FUNDED = [
  '2 btc 10000000000 0',
  '2 usdt 5000000000000 0',
  '2 eur 5000000000000 0',
  '3 btc 10000000000 0',
  '3 usdt 5000000000000 0',
  '3 eur 5000000000000 0',
];

/** This exchange is not a demo: invented trades would count in its volume. */
async function agentsAreRefused({ folder, nats, url }: Sandbox): Promise<void> {
  const keysFile = join(folder, 'agent-keys.json');
  writeFileSync(keysFile, '{}');
  const config = marketAgentsConfig({
    RIALTO_MODE: 'development',
    RIALTO_NATS_URLS: nats.urls.join(','),
    RIALTO_AGENTS_URL: url,
    RIALTO_AGENTS_KEYS_FILE: keysFile,
  });
  const log = createLogger({ service: 'market-agents', instance: 'test', level: 'silent' });
  await assert.rejects(startMarketAgents({ config, log }), /is not a demo exchange/);
}

test('a restarted sandbox has the same users, keys and money', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-sandbox-test-'));
  try {
    const first = await startSandbox({ folder });
    const { seeded } = first;
    assert.deepEqual(await balancesOf(first), FUNDED);
    assert.deepEqual([...seeded.markets.keys()], ['btc-usdt', 'btc-eur', 'usdt-eur']);
    const pids = first.services.map(({ pid }) => pid ?? 0).map(knownProcess);
    assert.equal(pids.length, 6);
    await first.stop();
    assert.deepEqual(pids.filter(isRunning), []);
    const second = await startSandbox({ folder, gateways: 2, withArchivist: true });
    assert.deepEqual(second.seeded, seeded);
    assert.deepEqual(await balancesOf(second), FUNDED);
    assert.equal(new Set(second.urls).size, 2);
    await second.stop();
    assert.ok(existsSync(join(folder, 'credentials.json')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('created traders have money and valid keys, and each process can be killed', async () => {
  const sandbox = await startSandbox({ budgets: 'usual' });
  try {
    const policy = await readPolicySettings(sandbox.admin.registry);
    assert.deepEqual(policy, DEFAULT_POLICY_SETTINGS, 'the usual budgets are those of production');
    const [one, ...others] = await sandbox.createTraders({ count: 50, funds: { usdt: '12.5' } });
    assert.equal(new Set(others.map(({ key }) => key)).size, 49);
    const { rows } = await sandbox.admin.projections.query(
      'select available_atoms from balances where owner = $1',
      [one.user],
    );
    assert.deepEqual(rows, [{ available_atoms: '12500000' }]);
    for (const { email, key, secret } of [one, sandbox.seeded.users.alice]) {
      const client = new RialtoClient({ url: sandbox.url, key, secret });
      assert.equal((await client.getUser()).email, email);
    }
    await agentsAreRefused(sandbox);
    for (const { name } of sandbox.services) {
      const service = sandbox.service(name);
      await service.kill();
      assert.equal(service.pid, undefined);
      await service.start();
      assert.ok(await service.isReady(), name);
    }
    assert.match(sandbox.logs('projector'), /── projector\n.*started/s);
    assert.throws(
      () => sandbox.service('unknown'),
      /has no service 'unknown' \(expected one of sequencer-1/,
    );
  } finally {
    await sandbox.stop();
  }
  assert.equal(existsSync(sandbox.folder), false);
});

test('the processes of a sandbox end with the process that started it', async () => {
  const child = spawn(process.execPath, [CRASHING_PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [line = ''] = (await once(lines, 'line')) as string[];
  const { folder, pids } = JSON.parse(line) as { folder: string; pids: number[] };
  const processes = pids.map(knownProcess);
  const running = processes.filter(isRunning).length;
  child.kill('SIGKILL');
  try {
    const question = () => processes.filter(isRunning).length === 0;
    await waitUntil({ what: 'all processes have ended', timeoutMs: ENDED_WITHIN_MS, question });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  assert.equal(running, 8);
});
