// A small market that checks control, in addition to the agents': bob quotes a book around a price
// and moves it or trades on request.

import { RestClient } from '../../tools/sandbox/rest-client.ts';
import type { Sandbox } from '../../tools/sandbox/sandbox.ts';

export const SYMBOL = 'btc-usdt';
const STEP = 10;
const LEVELS = 8;
const EVERY_MS = 250;

export class MovingMarket {
  readonly #bob: RestClient;
  #timer: NodeJS.Timeout | undefined;
  #round = 0;

  constructor({ seeded, url }: Sandbox) {
    const { key, secret } = seeded.users.bob;
    this.#bob = new RestClient({ url, key, secret });
  }

  /** Cancels the previous orders and places new ones on both sides of a price. */
  async quote(mid: number): Promise<void> {
    await this.#bob.delete('/order/all', { symbol: SYMBOL });
    for (let level = 1; level <= LEVELS; level++) {
      const size = level / 100;
      await this.place('buy', mid - level * STEP, size);
      await this.place('sell', mid + level * STEP, size);
    }
  }

  async place(side: 'buy' | 'sell', price: number, size: number): Promise<void> {
    const order = { symbol: SYMBOL, type: 'limit', side, price, size };
    const { status, text } = await this.#bob.post('/order', order);
    if (status !== 200 && status !== 201) throw new Error(`bob's order is refused: ${text}`);
  }

  /** Changes the far end of the book several times per second. */
  start(mid: number): void {
    this.#timer = setInterval(() => {
      this.#round += 1;
      const side = this.#round % 2 === 0 ? 'buy' : 'sell';
      const away = (20 + (this.#round % 7)) * STEP;
      void this.place(side, side === 'buy' ? mid - away : mid + away, 0.01).catch(() => {});
    }, EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
