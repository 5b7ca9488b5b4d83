// Client that keeps placing small orders, each with a unique client order ID, and retries each with
// the same ID until it is answered. Records all answers.

import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type OrderIn, RialtoClient, RialtoError } from '../../../client/index.ts';

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
  /** Unsuccessful answers and broken connections. */
  errors = 0;
  readonly #keys: { readonly key: string; readonly secret: string };
  #client: RialtoClient;
  readonly #name: string;
  #isStopped = false;

  readonly #pauseMs: number;

  constructor(
    { key, secret }: { key: string; secret: string },
    { at, pauseMs, url }: { readonly url: string; readonly at: number; readonly pauseMs: number },
  ) {
    this.#keys = { key, secret };
    this.#client = this.#clientAt(url);
    this.#name = `p${at}`;
    this.#pauseMs = pauseMs;
  }

  /** Sends the next order to another gateway. */
  moveTo(url: string): void {
    this.#client = this.#clientAt(url);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async placeUntilStopped(): Promise<void> {
    for (let count = 1; !this.#isStopped; count += 1) {
      await this.#place(`${this.#name}-${count}`);
      if (this.#pauseMs > 0) await delay(this.#pauseMs);
    }
  }

  /** Retries are counted, so they happen here. */
  #clientAt(url: string): RialtoClient {
    return new RialtoClient({ url, ...this.#keys, retriesMax: 0 });
  }

  // Buyers rest and sellers take alternately, so balances change.
  async #place(clientOrderId: string): Promise<void> {
    const side = this.sentIds.size % 2 === 0 ? 'buy' : 'sell';
    const order: OrderIn = {
      symbol: 'btc-usdt',
      side,
      type: 'limit',
      size: 0.0001,
      price: 60_000,
      time_in_force: side === 'buy' ? 'GTC' : 'IOC',
      client_order_id: clientOrderId,
    };
    this.sentIds.add(clientOrderId);
    const sentMs = performance.now();
    for (;;) {
      this.requests += 1;
      const answer = await this.#client.createOrder(order).catch(errorOf);
      if (!(answer instanceof RialtoError)) {
        const answeredMs = performance.now();
        this.placed.push({ clientOrderId, id: answer.id!, sentMs, answeredMs });
        return;
      }
      this.errors += 1;
      // A final rejection is not retried.
      const { status } = answer;
      if (status >= 400 && status < 500 && status !== 429) throw answer;
      await delay(AGAIN_AFTER_MS);
    }
  }
}

function errorOf(fault: unknown): RialtoError {
  if (fault instanceof RialtoError) return fault;
  throw fault;
}
