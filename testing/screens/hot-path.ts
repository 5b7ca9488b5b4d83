// The trade screen under a stream of 20 book changes and 20 trades per second: thread time per
// message, long tasks, frames and the heap. Thread time decides, because it does not depend on
// machine load. Frames are reported with the load average.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { percentile } from '../../tools/percentile.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { PersonOverHttp } from '../identity/person-over-http.ts';
import type { Check, Extent } from './check.ts';
import { loadAverage } from './load.ts';
import { SYMBOL } from './moving-market.ts';
import { type Stage, visit } from './stage.ts';

const EVERY_MS = 50;
const MEASURED_MS: Readonly<Record<Extent, number>> = { smoke: 0, quick: 4_000, full: 60_000 };
const HEAP_MS = 600_000;
const WARM_UP_MS = 2_000;
const THREAD_MS_MAX = 6;
const LONG_TASK_MS = 100;
const HEAP_GROWTH_MAX = 2_000_000;
const BYTES_PER_MB = 1_000_000;

const hotPath: Check = {
  name: 'hot path: thread time per book and trade message',
  from: 'quick',
  lane: 'alone',
  needsQuietMarket: true,
  async run(stage, { extent }) {
    return withTraffic(stage, async ({ devtools, page }) => {
      await page.evaluate(WATCH);
      const messages = countMessages(devtools);
      const before = await taskSeconds(devtools);
      const beganMs = performance.now();
      await delay(MEASURED_MS[extent]);
      const seconds = (performance.now() - beganMs) / 1_000;
      const threadMs = ((await taskSeconds(devtools)) - before) * 1_000;
      const seen = await page.evaluate<{ frames: number[]; longTasks: number }>(SEEN);
      const count = messages.books + messages.trades;
      const figures = {
        threadMsPerMessage: round(threadMs / count),
        booksPerSecond: round(messages.books / seconds),
        tradesPerSecond: round(messages.trades / seconds),
        longTasks: seen.longTasks,
        frameP99Ms: round(percentile(seen.frames, 99)),
        hotPathLoadAverage: loadAverage(),
      };
      assert.ok(count > 0, 'no message has arrived');
      assert.ok(
        figures.threadMsPerMessage <= THREAD_MS_MAX,
        `expected at most ${THREAD_MS_MAX} ms per message: ${JSON.stringify(figures)}`,
      );
      return figures;
    });
  },
};

const heap: Check = {
  name: 'hot path: the heap stays flat for ten minutes',
  from: 'full',
  lane: 'alone',
  needsQuietMarket: true,
  async run(stage) {
    return withTraffic(stage, async ({ devtools }) => {
      const before = await heapBytes(devtools);
      await delay(HEAP_MS);
      const grown = (await heapBytes(devtools)) - before;
      const figures = {
        heapMb: round((before + grown) / BYTES_PER_MB),
        heapGrowthMb: round(grown / BYTES_PER_MB),
      };
      assert.ok(grown < HEAP_GROWTH_MAX, `${figures.heapGrowthMb} MB more after ten minutes`);
      return figures;
    });
  },
};

export const hotPaths: readonly Check[] = [hotPath, heap];

/** Opens the trade screen while bob changes the book and alice takes from it. */
async function withTraffic<Result>(
  stage: Stage,
  measure: (view: { page: Page; devtools: CDPSession }) => Promise<Result>,
): Promise<Result> {
  const { user } = await PersonOverHttp.make(stage.sandbox);
  const page = await stage.openPage({ user });
  await visit(page, stage.url, `/trade/${SYMBOL}`);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Network.enable');
  const traffic = new Traffic(stage);
  try {
    await traffic.start();
    await delay(WARM_UP_MS);
    return await measure({ page, devtools });
  } finally {
    await traffic.stop();
    await page.context().close();
  }
}

/** 20 book changes and 20 trades per second, or as fast as the machine allows. */
class Traffic {
  readonly #bob: RestClient;
  readonly #alice: RestClient;
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;
  readonly #waiting = new Set<Promise<unknown>>();
  readonly #placed: string[] = [];

  constructor({ sandbox }: Stage) {
    const client = (name: 'alice' | 'bob') =>
      new RestClient({ url: sandbox.urls.at(-1)!, ...sandbox.seeded.users[name] });
    this.#bob = client('bob');
    this.#alice = client('alice');
  }

  /** Places deep offers on both sides first, enough for ten minutes of takers. */
  async start(): Promise<void> {
    await this.#bob.delete('/order/all', { symbol: SYMBOL });
    const deep = { symbol: SYMBOL, type: 'limit', size: 2 };
    await this.#bob.post('/order', { ...deep, side: 'buy', price: 59_990 });
    await this.#bob.post('/order', { ...deep, side: 'sell', price: 60_010 });
    this.#timer = setInterval(() => {
      this.#turn += 1;
      this.#send(this.#turn % 2 === 0 ? this.#place() : this.#cancel());
      this.#send(this.#take());
    }, EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#waiting);
  }

  #send(call: Promise<unknown>): void {
    const sent: Promise<unknown> = call
      // A slow machine responds late. The actual rate is reported.
      .catch(() => {})
      .finally(() => this.#waiting.delete(sent));
    this.#waiting.add(sent);
  }

  async #place(): Promise<void> {
    const price = 59_900 + (this.#turn % 9) * 10;
    const order = { symbol: SYMBOL, side: 'buy', type: 'limit', size: 0.01, price };
    const { body } = await this.#bob.post('/order', order);
    if (body?.id !== undefined) this.#placed.push(body.id);
  }

  async #cancel(): Promise<void> {
    const id = this.#placed.shift();
    if (id !== undefined) await this.#bob.delete('/order', { order_id: id });
  }

  /** Alternates between buying and selling, so neither side runs out. */
  async #take(): Promise<void> {
    const side = this.#turn % 2 === 0 ? 'buy' : 'sell';
    // Without an ID, equal requests would need distinct expiry times, further and further ahead.
    const client_order_id = `hot-path-${this.#turn}`;
    const order = { symbol: SYMBOL, side, type: 'market', size: 0.0001, client_order_id };
    await this.#alice.post('/order', order);
  }
}

function countMessages(devtools: CDPSession): { books: number; trades: number } {
  const counted = { books: 0, trades: 0 };
  devtools.on('Network.webSocketFrameReceived', ({ response }) => {
    if (/"topic":"orderbook/.test(response.payloadData)) counted.books += 1;
    if (/"topic":"trade"/.test(response.payloadData)) counted.trades += 1;
  });
  return counted;
}

/** Main thread time in seconds, excluding time in which other processes had the core. */
async function taskSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')!.value;
}

async function heapBytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.enable');
  // Twice, because finalizers of the first collection release objects for the second.
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize;
}

const WATCH = `(() => {
  globalThis.watched = { frames: [], longTasks: 0 };
  let last = performance.now();
  const onFrame = (now) => {
    globalThis.watched.frames.push(now - last);
    last = now;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  new PerformanceObserver((list) => {
    globalThis.watched.longTasks +=
      list.getEntries().filter(({ duration }) => duration > ${LONG_TASK_MS}).length;
  }).observe({ entryTypes: ['longtask'] });
})()`;
const SEEN = 'globalThis.watched';

function round(value: number): number {
  return Number(value.toFixed(2));
}
