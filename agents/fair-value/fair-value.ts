// The fair value of every asset in USDT, a seeded process on a grid of one second: regimes, slow
// and fast volatility, the time of day, and news that arrives within seconds. It stands for the
// outside world; no order changes it. Prices of pairs follow from it, so they agree.

import { RandomStream } from '../random-stream.ts';
import { season } from './season.ts';

export type Regime = 'calm' | 'normal' | 'wild';

export interface FairValueOptions {
  readonly seed: number;
  /** The first second of the path. A later start from here continues the same path. */
  readonly fromMs: number;
  /** A regime that never changes. */
  readonly regime?: Regime | undefined;
  /** Drift of all coins, in their standard deviations of a second. */
  readonly drift?: number | undefined;
  /** Prices at its start, where they are not the usual ones. */
  readonly prices?: AssetPrices | undefined;
}

/** In USDT for one unit; `eur` in euro for one USDT. */
export type AssetPrices = Readonly<Record<string, number>>;

interface Asset {
  readonly symbol: string;
  /** Standard deviation of a second, before the multiplier. */
  readonly sigma: number;
  /** The share of the common shock; the rest is its own. */
  readonly common: number;
  readonly newsFactor: number;
  readonly random: RandomStream;
  /** Natural logarithm of its price, and its values of the last seconds. */
  log: number;
  readonly recent: Float64Array;
}

interface News {
  /** Undefined: for all coins. */
  readonly asset: Asset | undefined;
  readonly share: number;
  left: number;
}

const SECOND_MS = 1_000;
const DAY_SECONDS = 86_400;
const RECENT = 16;
const SCALE: Record<Regime, number> = { calm: 0.55, normal: 1, wild: 2.2 };
const STAY_SECONDS: Record<Regime, number> = { calm: 10_800, normal: 7_200, wild: 1_500 };
const NEXT: Record<Regime, readonly [Regime, Regime, probabilityOfFirst: number]> = {
  calm: ['normal', 'wild', 0.8],
  normal: ['calm', 'wild', 0.6],
  wild: ['calm', 'normal', 0.25],
};
const FAST = { tau: 1_200, sd: 0.3 };
const SLOW = { tau: 14_400, sd: 0.4 };
const BPS = 1e-4;
const NEWS_A_DAY = { all: 8, one: 4 };
const NEWS_LIFTS = 0.3;
const EUR_RETURNS_IN = 3 * DAY_SECONDS;

const COINS = [
  { symbol: 'btc', price: 60_000, sigmaOfDay: 0.022, common: 1, newsFactor: 1 },
  { symbol: 'eth', price: 3_000, sigmaOfDay: 0.03, common: 0.8, newsFactor: 1.2 },
  { symbol: 'rlt', price: 2.5, sigmaOfDay: 0.045, common: 0.5, newsFactor: 0.8 },
] as const;
const USDT_IN_EUR = { price: 0.92, sigmaOfDay: 0.004 };

export class FairValue {
  readonly #options: FairValueOptions;
  readonly #random: RandomStream;
  readonly #regimes: RandomStream;
  readonly #newsRandom: RandomStream;
  readonly #coins: readonly Asset[];
  readonly #euro: Asset;
  readonly #assets: ReadonlyMap<string, Asset>;
  readonly #news: News[] = [];
  #second: number;
  #regime: Regime;
  #regimeEnds: number;
  #fast = 0;
  #slow = 0;
  #multiplier = 1;

  constructor(options: FairValueOptions) {
    const { fromMs, prices = {}, regime, seed } = options;
    this.#options = options;
    this.#random = new RandomStream(seed, 'fair value', 'market');
    this.#regimes = new RandomStream(seed, 'fair value', 'regimes');
    this.#newsRandom = new RandomStream(seed, 'fair value', 'news');
    this.#coins = COINS.map((coin) =>
      asset(seed, { ...coin, price: prices[coin.symbol] ?? coin.price }),
    );
    const euro = { symbol: 'eur', common: 0, newsFactor: 0, ...USDT_IN_EUR };
    this.#euro = asset(seed, { ...euro, price: prices.eur ?? euro.price });
    const all = [...this.#coins, this.#euro];
    this.#assets = new Map(all.map((one) => [one.symbol, one]));
    this.#second = Math.floor(fromMs / SECOND_MS);
    this.#regime = regime ?? 'normal';
    this.#regimeEnds = this.#second + this.#regimes.exponential(STAY_SECONDS.normal);
  }

  /** Multiplies all volatilities; about 1 on average. */
  get multiplier(): number {
    return this.#multiplier;
  }

  get regime(): Regime {
    return this.#regime;
  }

  /** The price of one asset in another, `agoMs` before the last second of the path. */
  price(base: string, quote: string, agoMs = 0): number {
    return Math.exp(this.#logUsdt(base, agoMs) - this.#logUsdt(quote, agoMs));
  }

  /** The prices of now: another path may continue from them. */
  get prices(): AssetPrices {
    return Object.fromEntries(
      [...this.#assets.values()].map((one) => [one.symbol, Math.exp(one.log)]),
    );
  }

  advanceTo(timeMs: number): void {
    const until = Math.floor(timeMs / SECOND_MS);
    while (this.#second < until) this.#step();
  }

  #step(): void {
    this.#second += 1;
    const timeMs = this.#second * SECOND_MS;
    this.#changeRegime();
    this.#fast += returning(this.#fast, FAST, this.#random.normal());
    this.#slow += returning(this.#slow, SLOW, this.#random.normal());
    this.#multiplier =
      SCALE[this.#regime] * Math.exp(this.#fast + this.#slow - 0.12) * season(timeMs) ** 0.7;
    this.#makeNews();
    const m = this.#multiplier;
    const common = this.#random.normal();
    const drift = this.#options.drift ?? 0;
    for (const coin of this.#coins) {
      const own = Math.sqrt(1 - coin.common ** 2);
      const shock = coin.common * common + own * coin.random.normal();
      coin.log += coin.sigma * (m * shock + drift);
    }
    this.#arriveNews();
    const euro = this.#euro;
    const mean = Math.log(USDT_IN_EUR.price);
    euro.log +=
      euro.sigma * (0.6 + 0.4 * m) * euro.random.normal() - (euro.log - mean) / EUR_RETURNS_IN;
    const at = this.#second % RECENT;
    for (const one of this.#assets.values()) one.recent[at] = one.log;
  }

  #changeRegime(): void {
    if (this.#options.regime !== undefined || this.#second < this.#regimeEnds) return;
    const [first, second, probability] = NEXT[this.#regime];
    this.#regime = this.#regimes.chance(probability) ? first : second;
    this.#regimeEnds = this.#second + this.#regimes.exponential(STAY_SECONDS[this.#regime]);
  }

  /** News arrives gradually: in one step it would cause jumps, too slowly predictable returns. */
  #makeNews(): void {
    const random = this.#newsRandom;
    const assets = [undefined, ...this.#coins];
    for (const asset of assets) {
      const aDay = asset === undefined ? NEWS_A_DAY.all : NEWS_A_DAY.one;
      if (!random.chance((aDay * this.#multiplier) / DAY_SECONDS)) continue;
      const size = Math.min(6 + random.exponential(13), 60) * BPS;
      const tau = 3 + random.exponential(5);
      const left = random.chance(0.5) ? size : -size;
      this.#news.push({ asset, left, share: 1 - Math.exp(-1 / tau) });
      this.#fast += NEWS_LIFTS;
    }
  }

  #arriveNews(): void {
    for (let at = this.#news.length - 1; at >= 0; at -= 1) {
      const news = this.#news[at];
      const part = news.left * news.share;
      news.left -= part;
      if (news.asset === undefined) {
        for (const coin of this.#coins) coin.log += coin.newsFactor * part;
      } else {
        news.asset.log += part;
      }
      if (Math.abs(news.left) < BPS / 100) this.#news.splice(at, 1);
    }
  }

  #logUsdt(symbol: string, agoMs: number): number {
    if (symbol === 'usdt') return 0;
    const found = this.#assets.get(symbol);
    if (found === undefined) throw new Error(`no fair value for '${symbol}'`);
    const log = agoMs < SECOND_MS ? found.log : this.#logAgo(found, agoMs);
    // The euro's process is the price of one USDT in euro.
    return symbol === 'eur' ? -log : log;
  }

  #logAgo({ recent }: Asset, agoMs: number): number {
    const seconds = Math.min(Math.floor(agoMs / SECOND_MS), RECENT - 1);
    return recent[(this.#second - seconds + RECENT) % RECENT];
  }
}

function asset(
  seed: number,
  plan: Omit<Asset, 'log' | 'random' | 'recent' | 'sigma'> & { price: number; sigmaOfDay: number },
): Asset {
  const { common, newsFactor, price, sigmaOfDay, symbol } = plan;
  const log = Math.log(price);
  return {
    symbol,
    common,
    newsFactor,
    sigma: sigmaOfDay / Math.sqrt(DAY_SECONDS),
    random: new RandomStream(seed, 'fair value', symbol),
    log,
    recent: new Float64Array(RECENT).fill(log),
  };
}

/** One second of an Ornstein–Uhlenbeck process around 0. */
function returning(value: number, { sd, tau }: { sd: number; tau: number }, z: number): number {
  return -value / tau + sd * Math.sqrt(2 / tau) * z;
}
