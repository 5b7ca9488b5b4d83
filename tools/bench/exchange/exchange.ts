// Measures the entire exchange on this machine under market agents: the sustained orders per
// second, the acknowledgment latency at 50% and 90% of that, and the processor time by process. The
// agents run in this process and trade through HTTP and websockets, so they share the machine with
// the exchange, and their own time is reported too.

import { accountsFor, DEMO_MARKETS } from '../../../agents/index.ts';
import { readAgentKeys } from '../../../services/market-agents/keys-file.ts';
import { LiveMarket, type LiveMarketWatcher } from '../../../services/market-agents/live-market.ts';
import { percentile } from '../../percentile.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { agentKeysFile } from '../../sandbox/sandbox-settings.ts';
import { type ProcessIds, ProcessorTime, withChildren } from '../http/processor-time.ts';

interface Sizes {
  readonly warmUpMs: number;
  readonly forMs: number;
}

interface Measured {
  readonly ordersPerSecond: number;
  readonly cancelsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Share of orders that the exchange refused, such as a post-only order that would trade. */
  readonly refusedShare: number;
  readonly unknown: number;
  readonly busyShare: number;
  readonly usPerOrder: Readonly<Record<string, number>>;
}

const FULL: Sizes = { warmUpMs: 10_000, forMs: 30_000 };
const QUICK: Sizes = { warmUpMs: 3_000, forMs: 6_000 };
/** This many pending requests saturate the exchange. */
const UNDER_WAY_MAX = 64;
/** More than an exchange on one machine can handle. */
const UNLIMITED = 10_000;
const SHARES = { at50: 0.5, at90: 0.9 } as const;
const SEED = 1;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const sizes = quick ? QUICK : FULL;
  const sandbox = await startSandbox({
    isDemo: true,
    historyDays: 1,
    streams: 1,
    withArchivist: true,
    checkAnswers: false,
  });
  const load = new AgentLoad(sandbox);
  try {
    await load.start();
    const saturated = await load.measure(UNLIMITED, sizes);
    print('saturated', saturated);
    const figures: Record<string, Measured> = {};
    for (const [name, share] of Object.entries(SHARES)) {
      figures[name] = await load.measure(saturated.ordersPerSecond * share, sizes);
      print(name, figures[name]);
    }
    const { p50Ms, p99Ms } = figures.at50;
    return { ordersPerSecond: saturated.ordersPerSecond, p50Ms, p99Ms, saturated, ...figures };
  } finally {
    await load.stop();
    await sandbox.stop();
  }
}

/** Agents that send at most this many orders per second, and their response times. */
class AgentLoad {
  readonly #market: LiveMarket;
  readonly #processes: ProcessIds;
  #limit = 1;
  #isMeasuring = false;
  #tookMs: number[] = [];
  #refused = 0;
  #unknown = 0;
  #cancels = 0;

  constructor(sandbox: Sandbox) {
    this.#processes = processesOf(sandbox);
    this.#market = new LiveMarket({
      url: sandbox.url,
      seed: SEED,
      keys: readAgentKeys(agentKeysFile(sandbox.folder)),
      markets: DEMO_MARKETS,
      accounts: accountsFor(),
      dial: () => ({ ordersPerSecond: UNLIMITED, mode: 'normal' }),
      watcher: this.#watcher(),
      underWayMax: UNDER_WAY_MAX,
      ordersPerSecondMax: () => this.#limit,
    });
  }

  start(): Promise<void> {
    return this.#market.start();
  }

  stop(): Promise<void> {
    return this.#market.stop();
  }

  async measure(ordersPerSecond: number, { forMs, warmUpMs }: Sizes): Promise<Measured> {
    this.#limit = ordersPerSecond;
    await elapsed(warmUpMs);
    this.#tookMs = [];
    this.#refused = 0;
    this.#unknown = 0;
    this.#cancels = 0;
    const processor = new ProcessorTime(this.#processes);
    const beganMs = performance.now();
    this.#isMeasuring = true;
    await elapsed(forMs);
    this.#isMeasuring = false;
    const seconds = (performance.now() - beganMs) / 1_000;
    const orders = this.#tookMs.length;
    const { busyShare, usPerRequest: usPerOrder } = processor.use(orders);
    return {
      ordersPerSecond: Math.round(orders / seconds),
      cancelsPerSecond: Math.round(this.#cancels / seconds),
      p50Ms: percentile(this.#tookMs, 50),
      p99Ms: percentile(this.#tookMs, 99),
      refusedShare: Number((this.#refused / Math.max(orders, 1)).toFixed(4)),
      unknown: this.#unknown,
      busyShare,
      usPerOrder,
    };
  }

  #watcher(): LiveMarketWatcher {
    return {
      answered: (outcome, tookMs) => {
        if (!this.#isMeasuring) return;
        this.#tookMs.push(tookMs);
        if (outcome === 'refused') this.#refused += 1;
        if (outcome === 'unknown') this.#unknown += 1;
      },
      cancelled: () => {
        this.#cancels += 1;
      },
      began: () => {},
      fault: (fault) => console.error(String(fault)),
    };
  }
}

function processesOf(sandbox: Sandbox): ProcessIds {
  const services = sandbox.services.map(({ name, pid }) => [name, [pid ?? 0]] as const);
  return {
    ...Object.fromEntries(services),
    nats: withChildren(sandbox.nats.nodes[0].pid),
    postgres: withChildren(sandbox.postgres.pid),
    agents: [process.pid],
  };
}

function print(name: string, measured: Measured): void {
  console.log(`${name}: ${JSON.stringify(measured)}`);
}

function elapsed(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
