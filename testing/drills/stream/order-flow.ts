// Traders who place and cancel orders over HTTP while processes are killed. The responses do not
// matter here; the stream must report the events.

import { setTimeout as delay } from 'node:timers/promises';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import type { Trader } from '../../../tools/sandbox/traders.ts';
import { Random } from '../../flows/index.ts';

const PAUSE_MS = 150;
const PRICE = 60_000;
const PRICE_SPREAD = 40;
const OPEN_MAX = 12;
const ANSWER_WITHIN_MS = 15_000;

export class OrderFlow {
  readonly #random: Random;
  readonly #client: RestClient;
  readonly #open: string[] = [];
  #isStopped = false;
  placed = 0;

  constructor({ key, secret }: Trader, url: string, seed: number) {
    this.#random = new Random(seed);
    this.#client = new RestClient({ url, key, secret });
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      // A gateway without a leader refuses or reports an unknown outcome; both are valid.
      const patience = delay(ANSWER_WITHIN_MS, undefined, { ref: false });
      await Promise.race([this.#trade().catch(() => {}), patience]);
      await delay(PAUSE_MS / 2 + this.#random.below(PAUSE_MS));
    }
  }

  async #trade(): Promise<void> {
    if (this.#open.length > 0 && (this.#open.length >= OPEN_MAX || this.#random.below(3) === 0)) {
      const [order_id] = this.#open.splice(this.#random.below(this.#open.length), 1);
      await this.#client.delete('/order', { order_id });
      return;
    }
    const side = this.#random.below(2) === 0 ? 'buy' : 'sell';
    const price = PRICE - PRICE_SPREAD / 2 + this.#random.below(PRICE_SPREAD);
    const size = 0.0001 * (1 + this.#random.below(20));
    const { body, status } = await this.#client.post('/order', {
      symbol: 'btc-usdt',
      side,
      type: 'limit',
      size: Number(size.toFixed(4)),
      price,
    });
    if (status !== 200) return;
    this.placed += 1;
    if (body.status === 'new' || body.status === 'pfilled') this.#open.push(body.id);
  }
}
