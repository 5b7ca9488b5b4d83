// `npm run dev` starts an exchange that accepts the printed commands, stops on a signal, and
// continues with its data on the next start.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { RestClient } from '../sandbox/rest-client.ts';
import { freePorts } from '../services/free-ports.ts';
import { waitUntil } from '../services/wait-until.ts';
import { DEV_PROGRAM, interrupt, runPrinted, startDev } from './dev-for-test.ts';

const SEEN_WITHIN_MS = 30_000;

test('the printed commands work, and the data survives a restart', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-dev-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const ports = (await freePorts(8)).map(String);
  const [port, streamPort, inboxPort, consolePort, ...others] = ports;
  const portArgs = ['--port', port, '--stream-port', streamPort, '--inbox-port', inboxPort];
  const consoleArgs = ['--console-port', consolePort];
  const args = ['--empty', '--folder', folder, ...portArgs, ...consoleArgs];
  const first = await startDev(context, args);
  assert.match(first.text, new RegExp(`REST +http://127.0.0.1:${port}/v2\n`));
  const terminal = `http://localhost:${port}/`;
  assert.ok(first.text.includes(`  Terminal       ${terminal}\n`), first.text);
  const page = await fetch(terminal, { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /<title>Rialto<\/title>/);
  assert.match(page.headers.get('content-security-policy') ?? '', /trusted-types 'none'/);
  const consoleUrl = `http://localhost:${consolePort}/`;
  assert.ok(first.text.includes(`  Console        ${consoleUrl}\n`), first.text);
  const ofOperators = await fetch(consoleUrl, { headers: { accept: 'text/html' } });
  assert.match(await ofOperators.text(), /<title>Rialto console<\/title>/);
  assert.match(ofOperators.headers.get('content-security-policy') ?? '', /trusted-types 'none'/);
  assert.match(
    first.text,
    / {2}admin@example\.com \(admin\)\n {4}password +\S+\n {4}authenticator secret/,
  );
  assert.match(first.text, / {2}alice@example\.com \(.*\)\n {4}password {2}rialto-demo-trader\n/);
  const order = runPrinted(first.text, 'Place an order as alice:', 'Or with ccxt') as Record<
    string,
    unknown
  >;
  const { price, side, size, status, symbol } = order;
  assert.deepEqual(
    { price, side, size, status, symbol },
    { price: 50000, side: 'buy', size: 0.01, status: 'new', symbol: 'btc-usdt' },
  );
  assert.match(first.text, new RegExp(`WebSocket +ws://127.0.0.1:${streamPort}/stream\n`));
  assert.match(first.text, new RegExp(`Email inbox +http://127.0.0.1:${inboxPort}\n`));
  const inbox = await fetch(`http://127.0.0.1:${inboxPort}/messages.json`);
  // Only emails about the seed deposits, as far as they have arrived.
  const mails = (await inbox.json()) as { readonly kind: string }[];
  assert.deepEqual(
    mails.filter(({ kind }) => kind !== 'deposit_completed'),
    [],
  );
  assert.match(first.text, /A local Ethereum chain .* credits deposits/);
  assert.match(first.text, / {2}Control mode {3}solo: administrators need no approval\n/);
  const alone = await mintAboveThreshold(first.text, port);
  assert.equal(alone.status, 201, alone.text);
  const otherPorts = ['--port', others[0], '--stream-port', others[1], '--inbox-port', others[2]];
  const otherConsole = ['--console-port', others[3]];
  const otherArgs = ['--folder', folder, ...otherPorts, ...otherConsole];
  const second = spawnSync(process.execPath, [DEV_PROGRAM, ...otherArgs]);
  assert.match(String(second.stderr), /^An exchange is already running in .* \(process \d+\)\. /);
  assert.equal(second.status, 1);
  await interrupt(first.child);
  const again = await startDev(context, args);
  assert.match(again.text, /A local Ethereum chain /, 'the chain survives a restart too');
  assert.equal(again.text.match(/secret .*/g)?.join(), first.text.match(/secret .*/g)?.join());
  await waitUntil({
    what: 'the order is in the book',
    timeoutMs: SEEN_WITHIN_MS,
    question: () => {
      const books = runPrinted(again.text, 'Read the order book:', 'Place') as {
        'btc-usdt': { bids: number[][] };
      };
      return JSON.stringify(books['btc-usdt'].bids) === '[[50000,0.01]]';
    },
  });
  await interrupt(again.child);
});

test("--team starts with two administrators who approve each other's actions", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-dev-team-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const [port, streamPort, inboxPort, consolePort] = (await freePorts(4)).map(String);
  const ports = ['--port', port, '--stream-port', streamPort, '--inbox-port', inboxPort];
  const args = ['--empty', '--team', '--folder', folder, ...ports, '--console-port', consolePort];
  const { child, text } = await startDev(context, args);
  assert.match(text, / {2}Control mode {3}team: actions above the thresholds need approval\n/);
  for (const email of ['admin', 'admin2']) {
    const login = new RegExp(
      ` {2}${email}@example\\.com \\(admin\\)\n {4}password +\\S+\n {4}authenticator secret`,
    );
    assert.match(text, login);
  }
  const pending = await mintAboveThreshold(text, port);
  assert.equal(pending.status, 409, pending.text);
  assert.ok(pending.body.approval_id > 0, pending.text);
  await interrupt(child);
});

/** Uses the administrator's key, which is printed first. */
function mintAboveThreshold(text: string, port: string) {
  const [key, secret] = [/key +(\w+)/, /secret +(\w+)/].map((one) => one.exec(text)?.[1] ?? '');
  const client = new RestClient({ url: `http://127.0.0.1:${port}`, key, secret });
  const alice = Number(/alice@example\.com \(user (\d+)/.exec(text)?.[1]);
  const transaction_id = 'ab'.repeat(32);
  const body = { user_id: alice, currency: 'usdt', network: 'trx', amount: 5_000, transaction_id };
  return client.post('/admin/mint', body);
}

test('wrong options exit with 2 and the usage line', async () => {
  for (const args of [
    ['--port', '0'],
    ['--gateways', '3'],
    ['--what'],
    ['--nats', '2'],
    ['--mode', 'mad'],
  ]) {
    const child = spawn(process.execPath, [DEV_PROGRAM, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    const [code] = await once(child, 'close');
    assert.equal(code, 2, args.join(' '));
    assert.match(text, /Usage: npm run dev/);
  }
});
