// A real anvil: it mines on request, has final blocks, writes a log, and ends with its parent.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startAnvil } from './anvil.ts';
import { waitUntil } from './wait-until.ts';

type Block = { readonly number: string };

async function ask(url: string, method: string, params: readonly unknown[] = []) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result: unknown }).result;
}

test('anvil mines on request, and a final block is two epochs behind', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-anvil-'));
  const anvil = await startAnvil({ folder });
  context.after(async () => {
    await anvil.stop();
    rmSync(folder, { recursive: true });
  });
  assert.equal(await ask(anvil.url, 'eth_blockNumber'), '0x0');
  await ask(anvil.url, 'anvil_mine', ['0x14']);
  const final = (await ask(anvil.url, 'eth_getBlockByNumber', ['finalized', false])) as Block;
  assert.equal(final.number, '0xc');
  assert.ok(existsSync(anvil.logFile));
  await anvil.kill('SIGKILL');
  assert.equal(anvil.pid, undefined);
  await anvil.start();
  assert.equal(await ask(anvil.url, 'eth_blockNumber'), '0x0');
});

test('anvil ends with the process that started it', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-anvil-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const [module, where] = [join(import.meta.dirname, 'anvil.ts'), folder].map((text) =>
    JSON.stringify(text),
  );
  const code = `
    const { startAnvil } = await import(${module});
    console.log((await startAnvil({ folder: ${where} })).pid);
    setInterval(() => {}, 1_000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(output.toString());
  assert.ok(pid > 0);
  parent.kill('SIGKILL');
  await waitUntil({
    what: 'anvil has ended',
    timeoutMs: 15_000,
    question: () => !existsSync(`/proc/${pid}`),
  });
});
