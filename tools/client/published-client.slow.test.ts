// The published client: packed with `npm pack`, installed from its tarball, and run against an
// exchange on each supported Node release and in a browser.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { runProgram } from '../services/run-program.ts';
import { runPage } from './browser-page.ts';
import { packClient } from './pack-client.ts';
import { installChromium, installNode } from './test-runtimes.ts';

const root = join(import.meta.dirname, '../..');
const PAGE_TIMEOUT_MS = 40_000;

const nodes: Readonly<Record<string, () => Promise<string>>> = {
  22: () => installNode('22'),
  24: async () => process.execPath,
  26: () => installNode('26'),
};

const CONSUMER = `import type { Book } from '@rialto/client';
import { RialtoClient, RialtoError, RialtoStream } from '@rialto/client';
const client = new RialtoClient({ url: 'http://localhost', decimals: 'number' });
const last: number = (await client.getTicker({ symbol: 'btc-usdt' })).last;
const stream = new RialtoStream({ url: 'http://localhost' });
for await (const { bids } of stream.book('btc-usdt')) {
  const [price]: Book['bids'][number] = bids[0];
  if (price === String(last)) throw new RialtoError({ message: price });
}
`;

/** Reads with REST, places an order, waits for it in the example's book, and cancels it. */
const PAGE = `<!doctype html><title>test</title>
<script type="importmap">{ "imports": { "@rialto/client": "/package/index.js" } }</script>
<iframe src="/package/examples/browser-book/index.html?symbol=btc-eur&url=STREAM"></iframe>
<script type="module">
import { RialtoClient, RialtoError, RialtoStream } from '@rialto/client';
const report = (result) => fetch('/result', { method: 'POST', body: JSON.stringify(result) });
try {
  const client = new RialtoClient({ url: 'REST', key: 'KEY', secret: 'SECRET' });
  const { pairs } = await client.getConstants();
  const order = { symbol: 'btc-eur', side: 'buy', type: 'limit', size: '0.125', price: '50000.5' };
  const { id } = await client.createOrder(order);
  const stream = new RialtoStream({ url: 'STREAM', key: 'KEY', secret: 'SECRET' });
  let best;
  for await (const { bids } of stream.book('btc-eur')) {
    [best] = bids;
    if (best) break;
  }
  const frame = document.querySelector('iframe');
  const text = () => frame.contentDocument.getElementById('book')?.textContent;
  while (!text()?.includes('0.125 at 50000.5')) await new Promise((r) => setTimeout(r, 20));
  const { status } = await client.cancelOrder({ order_id: id });
  const again = await client.cancelOrder({ order_id: id }).catch((error) => error);
  const { messages } = (await stream.account()[Symbol.asyncIterator]().next()).value;
  await report({
    tick: pairs['btc-eur'].increment_price,
    best,
    status,
    error: [again instanceof RialtoError, again.code],
    topics: messages.map(({ topic }) => topic).sort(),
  });
} catch (error) {
  await report(String(error?.stack ?? error));
}
</script>`;

describe('the published client', () => {
  let sandbox: Sandbox;
  let folder: string;
  let home: string;
  const children: ChildProcess[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rialto-client-test-'));
    const starting = startSandbox({ streams: 1 });
    const tarball = packClient(join(folder, 'packed'));
    home = join(folder, 'consumer/node_modules/@rialto/client');
    mkdirSync(join(folder, 'consumer'));
    writeFileSync(join(folder, 'consumer/package.json'), '{ "private": true, "type": "module" }');
    sandbox = await starting;
    const args = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball];
    const installed = await runProgram('npm', args, { folder: join(folder, 'consumer') });
    assert.ok(installed.succeeded, installed.output);
  });

  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await sandbox?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('contains JavaScript that imports only itself, declarations, examples and licenses', () => {
    const files = globSync('**/*', { cwd: home });
    for (const name of ['index.js', 'index.d.ts', 'README.md', 'LICENSE', 'NOTICE']) {
      assert.ok(files.includes(name), name);
    }
    assert.deepEqual(
      files.filter((file) => /(?<!\.d)\.ts$|tsconfig/.test(file)),
      [],
    );
    const modules = files.filter((file) => /^[^/]*\.js$/.test(file));
    assert.ok(modules.length > 15);
    const imported = modules.flatMap((file) => {
      const text = readFileSync(join(home, file), 'utf8');
      const imports = text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g);
      return [...imports].map(([, name]) => name);
    });
    assert.ok(imported.length > 25);
    for (const name of imported) assert.match(name, /^\.\/[\w.-]+\.js$/);
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    assert.deepEqual(
      [manifest.private, manifest.dependencies, manifest.license],
      [undefined, undefined, 'Apache-2.0'],
    );
  });

  test('has declarations that compile with browser types alone', async () => {
    const consumer = join(folder, 'consumer');
    writeFileSync(join(consumer, 'consumer.ts'), CONSUMER);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
    const types = ['--lib', 'es2024,dom,esnext.disposable', '--types', '', 'consumer.ts'];
    const tsc = join(root, 'node_modules/.bin/tsc');
    const { output, succeeded } = await runProgram(tsc, [...options, ...types], {
      folder: consumer,
    });
    assert.ok(succeeded, output);
  });

  /** Starts an installed example; `lines` grows as it prints. */
  function startExample(node: string, name: string, args: readonly string[], url: string) {
    const { key, secret } = sandbox.seeded.users.alice;
    const env = { RIALTO_URL: url, RIALTO_KEY: key, RIALTO_SECRET: secret };
    const path = join('node_modules/@rialto/client/examples', name, 'main.js');
    const child = spawn(node, [path, ...args], {
      cwd: join(folder, 'consumer'),
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return { child, output: createInterface({ input: child.stdout }) };
  }

  async function linesOf(
    node: string,
    name: string,
    args: readonly string[],
    url: string,
  ): Promise<string[]> {
    const { child, output } = startExample(node, name, args, url);
    const exit = once(child, 'exit');
    const lines: string[] = [];
    for await (const line of output) lines.push(line);
    assert.deepEqual(await exit, [0, null]);
    return lines;
  }

  for (const [major, install] of Object.entries(nodes)) {
    test(`runs its examples on Node ${major}`, async () => {
      const node = await install();
      const [stream] = sandbox.streamUrls;
      const { output } = await runProgram(node, ['--version']);
      assert.ok(output.startsWith(`v${major}.`), output);
      assert.deepEqual(await linesOf(node, 'place-and-cancel', [], sandbox.url), [
        'new: buy 0.0001 at 50000',
        'canceled: 0 was filled',
      ]);
      assert.deepEqual(await linesOf(node, 'follow-a-book', ['btc-usdt', '1'], stream), [
        '0 at - | 0 at -',
      ]);
      const { child, output: printed } = startExample(node, 'track-an-account', [], stream);
      const [line] = await once(printed, 'line');
      const { btc, orders } = JSON.parse(line);
      assert.deepEqual([typeof btc, orders], ['string', []]);
      child.kill();
    });
  }

  test('reads, trades and streams in a browser', async () => {
    const { key, secret } = sandbox.seeded.users.alice;
    const values = { REST: sandbox.url, STREAM: sandbox.streamUrls[0], KEY: key, SECRET: secret };
    const result = await runPage({
      chromium: await installChromium(),
      packageFolder: home,
      page: PAGE.replaceAll(
        /REST|STREAM|KEY|SECRET/g,
        (name) => values[name as keyof typeof values],
      ),
      timeoutMs: PAGE_TIMEOUT_MS,
    });
    assert.deepEqual(JSON.parse(result), {
      tick: '0.01',
      best: ['50000.5', '0.125'],
      status: 'canceled',
      error: [true, 10],
      topics: ['order', 'usertrade', 'wallet'],
    });
  });
});
