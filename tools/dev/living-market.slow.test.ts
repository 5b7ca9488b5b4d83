// `npm run dev` on new data: a book with trades and a month of candles, a first order with ccxt as
// printed, an archive that verifies, and agents that keep trading while each process is killed.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import type { ExchangeHealth } from '../../protocol/index.ts';
import { RestClient } from '../sandbox/rest-client.ts';
import { freePorts } from '../services/free-ports.ts';
import { waitUntil } from '../services/wait-until.ts';
import { interrupt, runPrinted, startDev } from './dev-for-test.ts';

const DAY_S = 86_400;
/** Under a minute on an idle machine. The time is printed, and only a stall fails the test. */
const STARTED_WITHIN_MS = 480_000;
const BACK_WITHIN_MS = 120_000;
const SYMBOL = 'btc-usdt';
/** The exchange, the gateways, gateway-identity, and the market agents. */
const PROCESSES = 4;

test('one command starts a live market that survives killed processes', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-living-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const [port, streamPort, inboxPort] = (await freePorts(3)).map(String);
  const ports = ['--port', port, '--stream-port', streamPort, '--inbox-port', inboxPort];
  const dev = await startDev(context, ['--folder', folder, ...ports], STARTED_WITHIN_MS);
  const exchange = new Observer(port, dev.text);

  await exchange.checkMarket();
  context.diagnostic(`book, trades and candles after ${seconds(dev.startedInMs)} s`);
  const orderBeganMs = performance.now();
  const order = runPrinted(dev.text, 'in this folder:', 'Press Ctrl-C') as Record<string, unknown>;
  assert.equal(order.status, 'open');
  const orderMs = dev.startedInMs + performance.now() - orderBeganMs;
  context.diagnostic(`first ccxt order after ${seconds(orderMs)} s`);

  const before = await exchange.processes();
  assert.ok(before.length >= 12, before.map(({ instance }) => instance).join());
  const pids = new Set(before.map(({ pid }) => pid));
  assert.equal(
    pids.size,
    PROCESSES,
    before.map(({ instance, pid }) => `${instance} ${pid}`).join(),
  );
  for (const pid of pids) {
    const instances = before.filter((one) => one.pid === pid).map(({ instance }) => instance);
    const beganMs = performance.now();
    process.kill(pid, 'SIGKILL');
    for (const instance of instances) await exchange.waitUntilBack(instance, pid);
    const tookMs = performance.now() - beganMs;
    context.diagnostic(`${instances.join(', ')}: back after ${seconds(tookMs)} s`);
  }
  await exchange.waitForTrades();
  const shown = statusShown(folder, port);
  for (const { instance } of before) assert.match(shown, new RegExp(`${instance} +ready`));
  await interrupt(dev.child);
  const archive = join(folder, 'archive');
  const program = join(import.meta.dirname, '../replay/main.ts');
  const verified = execFileSync(process.execPath, [program, 'verify', '--archive', archive]);
  context.diagnostic(String(verified).trim().split('\n').at(-1) ?? '');
});

/** Reads the exchange from outside: public routes, and the operator status. */
class Observer {
  readonly #anyone: RestClient;
  readonly #operator: RestClient;

  constructor(port: string, text: string) {
    const url = `http://127.0.0.1:${port}`;
    // The administrator is printed first.
    const key = /key +(\w+)/.exec(text)![1];
    const secret = /secret +(\w+)/.exec(text)![1];
    this.#anyone = new RestClient({ url });
    this.#operator = new RestClient({ url, key, secret });
  }

  async checkMarket(): Promise<void> {
    // A maker replaces its orders, so a side can be empty for a moment.
    await waitUntil({
      what: 'the book has both sides',
      timeoutMs: BACK_WITHIN_MS,
      question: async () => {
        const { body } = await this.#anyone.get('/orderbook', { symbol: SYMBOL });
        return body[SYMBOL].bids.length > 0 && body[SYMBOL].asks.length > 0;
      },
    });
    const now = Math.floor(Date.now() / 1_000);
    const span = { symbol: SYMBOL, resolution: '1D', from: now - 31 * DAY_S, to: now };
    const candles = await this.#anyone.get('/chart', span);
    assert.ok(candles.body.length >= 30, candles.text);
    const constants = await this.#anyone.get('/constants');
    assert.equal(constants.body.demo, true);
    assert.equal(Object.keys(constants.body.pairs).length, 6);
    await this.waitForTrades();
  }

  /** Resolves when there is a trade newer than the call. */
  async waitForTrades(): Promise<void> {
    const last = await this.#lastTrade();
    await waitUntil({
      what: 'agents trade',
      timeoutMs: BACK_WITHIN_MS,
      question: async () => (await this.#lastTrade()) > last,
    });
  }

  async processes(): Promise<ExchangeHealth['processes']> {
    const { body, status } = await this.#operator.get('/admin/health');
    return status === 200 ? (body as ExchangeHealth).processes : [];
  }

  async waitUntilBack(instance: string, pid: number): Promise<void> {
    await waitUntil({
      what: `${instance} is back`,
      timeoutMs: BACK_WITHIN_MS,
      question: async () => {
        const all = await this.processes().catch(() => []);
        const found = all.find((one) => one.instance === instance);
        return found?.state === 'running' && found.ready && found.pid !== pid;
      },
    });
  }

  async #lastTrade(): Promise<number> {
    const { body, status } = await this.#anyone.get('/trades');
    if (status !== 200) return 0;
    const lists = Object.values(body as Record<string, { id: number }[]>);
    return Math.max(0, ...lists.map(([newest]) => newest?.id ?? 0));
  }
}

/**
 * Returns the output of `rialto status`. Exit code 1 means an open alarm, for example after kills.
 */
function statusShown(folder: string, port: string): string {
  const { admin } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'));
  const [keyFile, profile] = ['admin-key.json', 'profile.json'].map((name) => join(folder, name));
  writeFileSync(keyFile, JSON.stringify(admin));
  writeFileSync(profile, JSON.stringify({ url: `http://127.0.0.1:${port}`, keyFile }));
  const program = join(import.meta.dirname, '../cli/main.ts');
  const env = { ...process.env, RIALTO_PROFILE: profile, NO_COLOR: '1' };
  const { stderr, stdout } = spawnSync(process.execPath, [program, 'status'], { env });
  return `${stdout}${stderr}`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
