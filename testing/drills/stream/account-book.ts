// A client's account built from the stream alone: open orders, the last trades, balances. Follows
// docs/api/stream.md and is compared with the REST responses.

import { isDeepStrictEqual } from 'node:util';
import type { RestAnswer, RestClient } from '../../../tools/sandbox/rest-client.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages are compared with all their fields
type Json = any;

const FILLS_KEPT = 50;
const PAGE = 100;

export class AccountBook {
  readonly orders = new Map<string, Json>();
  /** Newest first. */
  fills: Json[] = [];
  readonly balance: Record<string, Json> = {};

  /** Applies the messages of a snapshot or of an event. */
  take(messages: readonly Json[]): void {
    for (const message of messages) this.#takeOne(message);
  }

  #takeOne({ action, data, topic }: Json): void {
    if (topic === 'wallet') Object.assign(this.balance, data);
    else if (topic === 'usertrade') {
      this.fills = (action === 'partial' ? data : [...data, ...this.fills]).slice(0, FILLS_KEPT);
    } else {
      if (action === 'partial') this.orders.clear();
      for (const order of data) {
        if (order.status === 'new' || order.status === 'pfilled') this.orders.set(order.id, order);
        else this.orders.delete(order.id);
      }
    }
  }

  /** Returns the differences from REST; empty if there are none. */
  async compare(client: RestClient): Promise<string[]> {
    const [orders, fills, balance] = [
      await readOpenOrders(client),
      bodyOf(await client.get('/user/trades', { limit: FILLS_KEPT })).data,
      bodyOf(await client.get('/user/balance')),
    ];
    const { user_id: _user, ...balances } = balance;
    const known = new Map([...this.orders].sort());
    return [
      ...differences('orders', [...known.values()], [...orders.values()]),
      ...differences('fills', this.fills, fills),
      ...differences('balance', [this.balance], [balances]),
    ];
  }
}

async function readOpenOrders(client: RestClient): Promise<Map<string, Json>> {
  const orders = new Map<string, Json>();
  for (let page = 1; ; page += 1) {
    const { count, data } = bodyOf(
      await client.get('/orders', { open: true, limit: PAGE, page, order: 'asc' }),
    );
    for (const { User: _owner, ...order } of data) orders.set(order.id, order);
    if (page * PAGE >= count) return new Map([...orders].sort());
  }
}

function bodyOf({ body, status, text }: RestAnswer): Json {
  if (status !== 200) throw new Error(`REST answered ${status}: ${text}`);
  return body;
}

function differences(what: string, known: readonly Json[], found: readonly Json[]): string[] {
  if (isDeepStrictEqual(known, found)) return [];
  const at = found.findIndex((one, index) => !isDeepStrictEqual(one, known[index]));
  const [mine, theirs] = [known, found].map((list) => JSON.stringify(list[Math.max(at, 0)]));
  return [`${what}: ${known.length} for ${found.length}; the stream has ${mine}, REST ${theirs}`];
}
