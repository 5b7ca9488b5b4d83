// A client that places small orders without end, each with a client order id of its own, and sends
// one again under the same id until it is answered. It remembers all that it was told.

import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { RestClient } from '../../sandbox/rest-client.ts';

export interface Placed {
  readonly clientOrderId: string;
  readonly id: string;
  readonly sentMs: number;
  readonly answeredMs: number;
}

const AGAIN_AFTER_MS = 100;

export class Placer {
  readonly placed: Placed[] = [];
  readonly sentIds = new Set<string>();
  requests = 0;
  /** Answers that were no success, and connections that broke. */
  errors = 0;
  readonly #client: RestClient;
  readonly #name: string;
  #isStopped = false;

  constructor({ key, secret }: { key: string; secret: string }, url: string, at: number) {
    this.#client = new RestClient({ url, key, secret });
    this.#name = `p${at}`;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async placeUntilStopped(): Promise<void> {
    for (let count = 1; !this.#isStopped; count += 1) await this.#place(`${this.#name}-${count}`);
  }

  // Buyers rest and sellers take, by turns, so that balances move as well.
  async #place(clientOrderId: string): Promise<void> {
    const side = this.sentIds.size % 2 === 0 ? 'buy' : 'sell';
    const order = {
      ...{ symbol: 'btc-usdt', side, type: 'limit', size: 0.0001, price: 60_000 },
      ...{ time_in_force: side === 'buy' ? 'GTC' : 'IOC', client_order_id: clientOrderId },
    };
    this.sentIds.add(clientOrderId);
    const sentMs = performance.now();
    for (;;) {
      this.requests += 1;
      const answer = await this.#client.post('/order', order).catch(() => undefined);
      if (answer?.status === 200) {
        const answeredMs = performance.now();
        this.placed.push({ clientOrderId, id: answer.body.id, sentMs, answeredMs });
        return;
      }
      this.errors += 1;
      // What is refused for good would be refused for ever.
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) {
        throw new Error(`${answer.status} ${answer.text}`);
      }
      await delay(AGAIN_AFTER_MS);
    }
  }
}
