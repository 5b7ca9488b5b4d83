// Auctions in a schedule. The operator starts them repeatedly, with or without an end time in the
// log, and ends them early or pauses them. Leaders crash in the middle of uncrossings. Steps are
// small, so an uncrossing takes many frames.

import type { MarketStatus } from '../../core/messages/index.ts';
import type { Random } from '../flows/index.ts';
import type { CommandWithoutId } from '../reference-models/index.ts';
import type { SequencerHost } from './sequencer-host.ts';
import { GENESIS, type World } from './world.ts';

const MARKET = 1;
const WATCH_MS = 3;
const COMMAND_MS_MAX = 2_000;

/** Sent before trading: limits the trades and closed orders per frame of an uncrossing. */
export function auctionLimits(fillsPerCommandMax: number): CommandWithoutId {
  return { kind: 'SetLimits', ...GENESIS, fillsPerCommandMax };
}

export class Auctioneer {
  readonly #world: World;
  readonly #random: Random;
  #isOver = false;
  #wasUncrossing = false;

  constructor(world: World) {
    this.#world = world;
    this.#random = world.random;
  }

  start(): void {
    this.#holdLater();
    this.#watch();
  }

  /** Returns the market to continuous trading, to match the remaining orders. */
  stop(): void {
    this.#isOver = true;
    this.#set('full');
  }

  #holdLater(): void {
    const { time } = this.#world;
    const random = this.#random;
    time.after(random.between(20, 200), () => {
      if (this.#isOver) return;
      const lastsMs = random.between(30, 300);
      this.#set('auction', random.chance(60) ? lastsMs : 0);
      time.after(lastsMs + random.between(0, 200), () => {
        if (this.#isOver) return;
        this.#set(random.pick(['full', 'full', 'full', 'paused', 'auction']));
        this.#holdLater();
      });
    });
  }

  #set(status: MarketStatus, lastsMs = 0): void {
    const exchange = this.#leader()?.replica?.exchange;
    if (exchange === undefined) return;
    this.#world.count('auction_commands');
    const auctionEndsMs = lastsMs === 0 ? 0 : exchange.timeMs + lastsMs;
    this.#world.operator.send(
      { kind: 'SetMarketStatus', market: MARKET, status, auctionEndsMs },
      COMMAND_MS_MAX,
    );
  }

  /** Counts uncrossings, and crashes some leaders in the middle of one. */
  #watch(): void {
    this.#world.time.after(WATCH_MS, () => {
      if (this.#isOver) return;
      const leader = this.#leader();
      const market = leader?.replica?.exchange.markets[MARKET - 1];
      const isUncrossing = market?.isUncrossing === true && market.status === 'auction';
      if (isUncrossing && !this.#wasUncrossing) this.#world.count('uncrossings_of_many_frames');
      this.#wasUncrossing = isUncrossing;
      if (isUncrossing && this.#random.chance(15)) {
        this.#world.count('crashes_while_uncrossing');
        leader?.crash();
      }
      this.#watch();
    });
  }

  #leader(): SequencerHost | undefined {
    return this.#world.sequencers.find(({ isServing }) => isServing);
  }
}
