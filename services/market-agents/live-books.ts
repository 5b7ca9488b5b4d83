// Best prices of all pairs, from the public stream.

import type { AgentMarket, Top } from '../../agents/index.ts';
import { type Book, type Level, RialtoStream } from '../../client/index.ts';

const EMPTY: Top = { bidTicks: 0, bidLots: 0, askTicks: 0, askLots: 0 };

export class LiveBooks {
  readonly #stream: RialtoStream;
  readonly #tops = new Map<string, Top>();
  readonly #markets: readonly AgentMarket[];

  constructor(url: string, markets: readonly AgentMarket[], onFault: (fault: unknown) => void) {
    this.#markets = markets;
    this.#stream = new RialtoStream({ url });
    for (const market of markets) {
      this.#stream.book(market.symbol, {
        levels: 1,
        onBook: (book) => this.#tops.set(market.symbol, topOf(market, book)),
        onError: onFault,
      });
    }
  }

  /** True if every pair has sent its book and the connection is up. */
  get areLive(): boolean {
    return this.#stream.status === 'open' && this.#tops.size === this.#markets.length;
  }

  top({ symbol }: AgentMarket): Top {
    return this.#tops.get(symbol) ?? EMPTY;
  }

  close(): void {
    this.#stream.close();
  }
}

function topOf({ lot, tick }: AgentMarket, { asks, bids }: Book): Top {
  const [bidTicks, bidLots] = levelOf(bids[0], tick, lot);
  const [askTicks, askLots] = levelOf(asks[0], tick, lot);
  return { bidTicks, bidLots, askTicks, askLots };
}

function levelOf(level: Level | undefined, tick: number, lot: number): [number, number] {
  if (level === undefined) return [0, 0];
  return [Math.round(Number(level[0]) / tick), Math.round(Number(level[1]) / lot)];
}
