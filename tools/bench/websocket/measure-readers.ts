// Measures the effect of slow and stopped readers on the others: large books at a steady pace,
// first without them, then with them.

import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../../percentile.ts';
import { type BookSource, numberOf, SYMBOL } from './book-source.ts';
import { monotonicMs } from './loader/orders.ts';
import type { Loaders, Target } from './loaders.ts';

const QUICK = 50;
const SLOW = 100;
const STOPPED = 100;
const EVERY_MS = 50;
const BOOK_BYTES = 50_000;
const WARM_UP_MS = 500;
const SETTLED_AFTER_MS = 500;
const MEBIBYTE = 1_048_576;

type Heard = Awaited<ReturnType<typeof sayBooks>>;

const PHASES = ['alone', 'filling', 'full'] as const;

interface Round {
  /** Without slow or stopped readers. */
  readonly alone: Heard;
  /** Slow and stopped readers have just connected, and their buffers on the machine fill up. */
  readonly filling: Heard;
  /** The buffers are full: they are sent nothing, or an occasional snapshot. */
  readonly full: Heard;
  /** Messages dropped for slow and stopped readers, which proves that their buffers were full. */
  readonly leftOut: number;
  readonly residentBefore: number;
  readonly residentAfter: number;
}

export interface ReadersOptions {
  readonly source: BookSource;
  readonly gateway: Target;
  /** URL of the gateway's metrics. */
  readonly metricsUrl: string;
  readonly forMs: number;
  readonly rounds: number;
}

/**
 * Takes the p99 over all rounds together: one phase has about 80 books, so its p99 would be its
 * slowest book and measure the machine rather than the readers.
 */
export async function measureReaders(
  loaders: Loaders,
  options: ReadersOptions,
): Promise<Record<string, unknown>> {
  const rounds: Round[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    rounds.push(await measureRound(loaders, options));
    const withoutTimes = (name: string, value: unknown) => (name === 'tookMs' ? undefined : value);
    console.log(`readers, round ${round}: ${JSON.stringify(rounds.at(-1), withoutTimes)}`);
  }
  const [alone, filling, full] = PHASES.map((phase) =>
    percentile(
      rounds.flatMap((round) => round[phase].tookMs),
      99,
    ),
  );
  const median = (of: (round: Round) => number) => percentile(rounds.map(of), 50);
  return {
    readersP99AloneMs: alone,
    readersP99FillingMs: filling,
    readersP99FullMs: full,
    readersP99ChangeFilling: filling / alone - 1,
    readersP99ChangeFull: full / alone - 1,
    leftOutWhileFull: median(({ leftOut }) => leftOut),
    // Memory of the gateway. It can also shrink, if the garbage collector runs in between.
    mebibytesBeforeSlow: median(({ residentBefore }) => residentBefore / MEBIBYTE),
    mebibytesBesideSlow: median(({ residentAfter }) => residentAfter / MEBIBYTE),
  };
}

async function measureRound(loaders: Loaders, options: ReadersOptions): Promise<Round> {
  const { gateway } = options;
  const message = `{"op":"subscribe","args":["orderbook:${SYMBOL}"]}`;
  await loaders.open({ ...gateway, count: QUICK, message, reading: 'quick' });
  await sayBooks(loaders, { ...options, forMs: WARM_UP_MS });
  const alone = await sayBooks(loaders, options);
  const residentBefore = residentBytes(gateway.pid);
  await loaders.open({ ...gateway, count: SLOW, message, reading: 'slow' });
  await loaders.open({ ...gateway, count: STOPPED, message, reading: 'stopped' });
  const filling = await sayBooks(loaders, options);
  const leftOutBefore = await leftOutCount(options);
  const full = await sayBooks(loaders, options);
  const leftOut = (await leftOutCount(options)) - leftOutBefore;
  const residentAfter = residentBytes(gateway.pid);
  await loaders.close();
  return { alone, filling, full, leftOut, residentBefore, residentAfter };
}

async function sayBooks(
  loaders: Loaders,
  { forMs, source }: { readonly source: BookSource; readonly forMs: number },
) {
  loaders.note();
  const saidMs: number[] = [];
  const beganMs = performance.now();
  while (performance.now() - beganMs < forMs) {
    saidMs.push(monotonicMs());
    source.say(saidMs.length - 1, BOOK_BYTES);
    await delay(EVERY_MS);
  }
  await delay(SETTLED_AFTER_MS);
  const { bySocket, closed } = await loaders.finish();
  const tookMs: number[] = [];
  for (const notes of bySocket.values()) {
    for (const [size, atMs] of notes) {
      const sent = saidMs[numberOf(size)];
      if (sent !== undefined && atMs >= sent) tookMs.push(atMs - sent);
    }
  }
  return {
    tookMs,
    heard: tookMs.length,
    wanted: saidMs.length * QUICK,
    closed,
    p50Ms: percentile(tookMs, 50),
    p99Ms: percentile(tookMs, 99),
  };
}

async function leftOutCount({ metricsUrl }: ReadersOptions): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^rialto_stream_conflated_total (\d+)/m.exec(text)?.[1]);
}

function residentBytes(pid: number): number {
  const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1_024;
}
