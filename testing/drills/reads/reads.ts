// A client sees its own writes on every gateway: orders are placed at one gateway, read at the
// other, canceled there and read at the first. A stale answer is a failure.

import { performance } from 'node:perf_hooks';
import { RialtoClient, RialtoError } from '../../../client/index.ts';
import { percentile } from '../../../tools/percentile.ts';
import { startSandbox } from '../../../tools/sandbox/sandbox.ts';
import type { Trader } from '../../../tools/sandbox/traders.ts';

const TRADERS = 16;
const CYCLES = { full: 10_000, quick: 400 };

interface Tally {
  cycles: number;
  stale: number;
  failed: number;
  readonly readMs: number[];
  readonly examples: string[];
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const sandbox = await startSandbox({ gateways: 2, checkAnswers: false });
  try {
    const traders = await sandbox.createTraders({ count: TRADERS });
    const tally: Tally = { cycles: 0, stale: 0, failed: 0, readMs: [], examples: [] };
    const wanted = quick ? CYCLES.quick : CYCLES.full;
    const startMs = performance.now();
    await Promise.all(traders.map((trader) => cycle(trader, sandbox.urls, tally, wanted)));
    const { cycles, examples, failed, readMs, stale } = tally;
    for (const example of examples) console.error(example);
    if (stale + failed > 0) process.exitCode = 1;
    return {
      cycles,
      stale,
      failed,
      reads: readMs.length,
      readP50Ms: percentile(readMs, 50),
      readP99Ms: percentile(readMs, 99),
      seconds: Math.round((performance.now() - startMs) / 1_000),
    };
  } finally {
    await sandbox.stop();
  }
}

async function cycle(
  { key, secret }: Trader,
  urls: readonly string[],
  tally: Tally,
  wanted: number,
): Promise<void> {
  const clients = urls.map((url) => new RialtoClient({ url, key, secret, retriesMax: 0 }));
  while (tally.cycles < wanted) {
    tally.cycles += 1;
    const [one, other] = tally.cycles % 2 === 0 ? clients : clients.toReversed();
    const order = one.createOrder({
      symbol: 'btc-usdt',
      side: 'buy',
      type: 'limit',
      size: 0.001,
      price: 50_000,
      client_order_id: `reads-${tally.cycles}`,
    });
    const order_id = (await done(tally, 'place', order))?.id;
    if (order_id === undefined) continue;
    await read(tally, other, order_id, 'new');
    if ((await done(tally, 'cancel', other.cancelOrder({ order_id }))) === undefined) continue;
    await read(tally, one, order_id, 'canceled');
  }
}

async function read(
  tally: Tally,
  client: RialtoClient,
  order_id: string,
  status: 'new' | 'canceled',
): Promise<void> {
  const startMs = performance.now();
  const reading = client.getOrder({ order_id }).then(({ status: found }) => found, notFound);
  const found = await done(tally, 'read', reading);
  tally.readMs.push(performance.now() - startMs);
  if (found === undefined || found === status) return;
  tally.stale += 1;
  tally.examples.push(`stale: expected ${status}, found ${found}`);
}

function notFound(fault: unknown): 'nothing' {
  if (fault instanceof RialtoError && fault.status === 404) return 'nothing';
  throw fault;
}

/** Returns undefined after a failure, which is counted. */
async function done<Answer>(
  tally: Tally,
  what: string,
  call: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (fault) {
    tally.failed += 1;
    tally.examples.push(`${what}: ${fault}`);
    return undefined;
  }
}
