// Clients that place orders at all gateways of a sandbox, and the check of their outcomes: every
// answered order is listed once, an order with an unknown outcome once or not at all.

import { RialtoClient } from '../../../client/index.ts';
import { percentile } from '../../../tools/percentile.ts';
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts';
import type { Trader } from '../../../tools/sandbox/traders.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { Placer } from './placer.ts';

const MOVES_WITHIN_MS = 120_000;

export class OrderLoad {
  readonly #sandbox: Sandbox;
  readonly #clients: { readonly trader: Trader; readonly placer: Placer }[] = [];
  readonly #placing: Promise<void>[] = [];

  readonly #pauseMs: number;

  /** Without `pauseMs`, each client places its next order when the last one is answered. */
  constructor(sandbox: Sandbox, { pauseMs = 0 }: { readonly pauseMs?: number } = {}) {
    this.#sandbox = sandbox;
    this.#pauseMs = pauseMs;
  }

  start(traders: readonly Trader[]): void {
    const { urls } = this.#sandbox;
    for (const trader of traders) {
      const at = this.#clients.length;
      const placer = new Placer(trader, {
        url: urls[at % urls.length],
        at,
        pauseMs: this.#pauseMs,
      });
      this.#clients.push({ trader, placer });
      this.#placing.push(placer.placeUntilStopped());
    }
  }

  get answered(): number {
    return this.#clients.reduce((sum, { placer }) => sum + placer.placed.length, 0);
  }

  /** Returns a function that computes the orders per second since now. */
  rate(): () => number {
    const [beganMs, before] = [performance.now(), this.answered];
    return () => Math.round(((this.answered - before) * 1_000) / (performance.now() - beganMs));
  }

  /** Resolves when every client uses this gateway. */
  async moveTo(url: string): Promise<void> {
    const before = this.#clients.map(({ placer }) => placer.placed.length);
    for (const { placer } of this.#clients) placer.moveTo(url);
    await waitUntil({
      what: `all clients use ${url}`,
      timeoutMs: MOVES_WITHIN_MS,
      question: () =>
        this.#clients.every(({ placer }, index) => placer.placed.length > before[index] + 1),
    });
  }

  /** Resolves when every order is answered. */
  async stop(): Promise<void> {
    for (const { placer } of this.#clients) placer.stop();
    await Promise.all(this.#placing);
  }

  /** Fails the drill if an order is lost, duplicated or wrong. */
  async check() {
    const tally = { lost: 0, doubled: 0, wrong: 0 };
    for (const { placer, trader } of this.#clients) {
      const { key, secret } = trader;
      const client = new RialtoClient({ url: this.#sandbox.url, key, secret });
      const { data } = await client.getOrders({ format: 'all' });
      compare(tally, placer, data);
    }
    if (tally.lost + tally.doubled + tally.wrong > 0) process.exitCode = 1;
    const placers = this.#clients.map(({ placer }) => placer);
    const all = placers.flatMap(({ placed }) => placed);
    const tookMs = all.map(({ answeredMs, sentMs }) => answeredMs - sentMs);
    const errors = placers.reduce((sum, placer) => sum + placer.errors, 0);
    const requests = placers.reduce((sum, placer) => sum + placer.requests, 0);
    return {
      acknowledged: all.length,
      ...tally,
      requests,
      errors,
      errorRate: Number((errors / requests).toFixed(6)),
      longestGapMs: Math.round(longestGap(all.map(({ answeredMs }) => answeredMs))),
      p50Ms: percentile(tookMs, 50),
      p99Ms: percentile(tookMs, 99),
    };
  }
}

function compare(
  tally: { lost: number; doubled: number; wrong: number },
  { placed, sentIds }: Placer,
  listed: readonly { readonly id: string; readonly client_order_id?: string }[],
): void {
  const ids = new Map<string, string>();
  for (const { client_order_id = '', id } of listed) {
    if (ids.has(client_order_id)) tally.doubled += 1;
    if (!sentIds.has(client_order_id)) tally.wrong += 1;
    ids.set(client_order_id, id);
  }
  for (const { clientOrderId, id } of placed) {
    const found = ids.get(clientOrderId);
    if (found === undefined) tally.lost += 1;
    else if (found !== id) tally.wrong += 1;
  }
}

function longestGap(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted.reduce((gap, time, at) => (at === 0 ? 0 : Math.max(gap, time - sorted[at - 1])), 0);
}
