// A running exchange with two gateways for trading tests: new traders for each test, who connect to
// both gateways, and an empty book between tests.

import assert from 'node:assert/strict';
import type { UserId } from '../../core/money/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';

export interface StageTrader {
  readonly user: UserId;
  /** At the first gateway, and at the second. */
  readonly here: RestClient;
  readonly there: RestClient;
}

// biome-ignore lint/suspicious/noExplicitAny: each test checks its own response shape.
type Body = any;

export class TradingStage {
  readonly sandbox: Sandbox;
  readonly #traders: StageTrader[] = [];

  static async open(): Promise<TradingStage> {
    return new TradingStage(await startSandbox({ gateways: 2 }));
  }

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  /** Creates traders with 10 BTC, 1,000,000 USDT and 1,000,000 euros each. */
  async traders(count: number): Promise<StageTrader[]> {
    const made = await this.sandbox.createTraders({ count });
    const traders = made.map(({ key, secret, user }) => this.clientsOf({ key, secret, user }));
    this.#traders.push(...traders);
    return traders;
  }

  clientsOf({ key, secret, user }: { key: string; secret: string; user: UserId }): StageTrader {
    const [here, there] = this.sandbox.urls.map((url) => new RestClient({ url, key, secret }));
    return { user, here, there };
  }

  /** Cancels all open orders. */
  async clear(): Promise<void> {
    for (const { here } of this.#traders.splice(0)) taken(await here.delete('/orders/all'));
  }
}

/** Returns the body of a successful response. */
export function taken({ body, status, text }: RestAnswer): Body {
  assert.equal(status, 200, text);
  return body;
}

export function refused(answer: RestAnswer, [status, code, message]: Refused): void {
  assert.equal(answer.status, status, answer.text);
  assert.deepEqual(answer.body, { message, lang: 'en', code });
}

export type Refused = readonly [status: number, code: number, message: string];

export const ORDER = { symbol: 'btc-usdt', type: 'limit' };
export const NOT_FOUND: Refused = [404, 10, 'Order not found'];

export async function place(client: RestClient, order: object): Promise<Body> {
  return taken(await client.post('/order', { ...ORDER, ...order }));
}

export async function read(client: RestClient, id: string): Promise<Body> {
  return taken(await client.get('/order', { order_id: id }));
}
