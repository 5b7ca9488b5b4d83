// An honest user during the floods: places and cancels orders, reads, follows the private stream,
// and has standing orders under a dead man's switch that the stream gateway renews.

import { setTimeout as delay } from 'node:timers/promises';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts';
import type { Trader } from '../../../tools/sandbox/traders.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { StreamProbe, signedUrl } from '../../stream/stream-probe.ts';

/** Times in milliseconds. */
export interface Experience {
  /** Times of every request. */
  readonly requests: number[];
  /** Times from sending an order to its message on the private stream. */
  readonly messages: number[];
  readonly errors: string[];
}

const STANDING_ORDERS = 5;
const SWITCH_TIMEOUT_S = 5;
/** Keeps the user within the usual limits. */
const PAUSE_MS = 100;
const MESSAGE_WITHIN_MS = 10_000;
/** Like real clients: an idle socket is closed after a minute. */
const PING_EVERY_MS = 15_000;
const ORDER = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001 };
const OWN_READS = ['/orders', '/user/balance', '/user/trades'] as const;
const PUBLIC_READS = ['/orderbook', '/ticker'] as const;

export class HonestUser {
  readonly #rest: RestClient;
  /** Reads public data like clients do: without a signature, from the user's own address. */
  readonly #anonymous: RestClient;
  readonly #probe: StreamProbe;
  readonly #standing: readonly string[];
  /** When the stream first showed an order, by order. */
  readonly #arrivals = new Map<string, number>();
  readonly #pings: NodeJS.Timeout;
  #orders = 0;

  static async start(sandbox: Sandbox, trader: Trader, address: string): Promise<HonestUser> {
    const { url } = sandbox;
    const rest = new RestClient({ url, ...trader });
    const anonymous = new RestClient({ url, headers: { 'x-forwarded-for': address } });
    const probe = await StreamProbe.open(signedUrl(sandbox.streamUrls[0], trader));
    probe.subscribe('order');
    probe.send({ op: 'cancel_on_disconnect', args: [{ timeout: SWITCH_TIMEOUT_S }] });
    const standing: string[] = [];
    for (let count = 0; count < STANDING_ORDERS; count += 1) {
      const { body, status, text } = await rest.post('/order', { ...ORDER, price: 50_000 + count });
      if (status !== 201 && status !== 200) throw new Error(`a standing order failed: ${text}`);
      standing.push(body.id);
    }
    return new HonestUser(rest, anonymous, probe, standing);
  }

  constructor(
    rest: RestClient,
    anonymous: RestClient,
    probe: StreamProbe,
    standing: readonly string[],
  ) {
    this.#rest = rest;
    this.#anonymous = anonymous;
    this.#probe = probe;
    this.#standing = standing;
    this.#pings = setInterval(() => probe.send({ op: 'ping' }), PING_EVERY_MS);
    probe.websocket.on('message', () => {
      const message = probe.received.at(-1);
      if (message?.topic !== 'order') return;
      for (const { id } of message.data) {
        if (!this.#arrivals.has(id)) this.#arrivals.set(id, performance.now());
      }
    });
  }

  /** Trades and reads until this many requests were answered or failed. */
  async live(requests: number): Promise<Experience> {
    const experience: Experience = { requests: [], messages: [], errors: [] };
    const isOver = () => experience.requests.length + experience.errors.length >= requests;
    await Promise.all([this.#trade(experience, isOver), this.#read(experience, isOver)]);
    return experience;
  }

  /** Returns the number of standing orders that were canceled. */
  async cancelledOrders(): Promise<number> {
    const { body, status, text } = await this.#rest.get('/orders', { open: true, limit: 100 });
    if (status !== 200) throw new Error(`the open orders are not readable: ${text}`);
    const open = new Set((body.data as { id: string }[]).map(({ id }) => id));
    return this.#standing.filter((id) => !open.has(id)).length;
  }

  stop(): void {
    clearInterval(this.#pings);
    this.#probe.close();
  }

  async #trade(experience: Experience, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      // Each order is different, so none is treated as a replay of another.
      const price = 40_000 + (this.#orders++ % 9_000);
      const startMs = performance.now();
      const order = { ...ORDER, price };
      const placed = await this.#timed(experience, 'POST /order', () =>
        this.#rest.post('/order', order),
      );
      const id = placed?.id as string | undefined;
      if (id !== undefined) {
        await this.#seen(experience, id, startMs);
        await this.#timed(experience, 'DELETE /order', () =>
          this.#rest.delete('/order', { order_id: id }),
        );
      }
      await delay(PAUSE_MS);
    }
  }

  async #read(experience: Experience, isOver: () => boolean): Promise<void> {
    const { symbol } = ORDER;
    const reads = [
      ...OWN_READS.map((path) => ({ path, send: () => this.#rest.get(path) })),
      ...PUBLIC_READS.map((path) => ({ path, send: () => this.#anonymous.get(path, { symbol }) })),
    ];
    for (let count = 0; !isOver(); count += 1) {
      const { path, send } = reads[count % reads.length];
      await this.#timed(experience, `GET ${path}`, send);
      await delay(PAUSE_MS);
    }
  }

  /** Returns the body of a successful answer. */
  async #timed(
    experience: Experience,
    what: string,
    send: () => ReturnType<RestClient['get']>,
    // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape.
  ): Promise<any> {
    const startMs = performance.now();
    try {
      const { body, status, text } = await send();
      experience.requests.push(performance.now() - startMs);
      if (status < 300) return body;
      experience.errors.push(`${what}: ${status} ${text.slice(0, 200)}`);
    } catch (fault) {
      experience.errors.push(`${what}: ${fault}`);
    }
    return undefined;
  }

  async #seen(experience: Experience, id: string, startMs: number): Promise<void> {
    try {
      await waitUntil({
        what: `the stream shows order ${id}`,
        timeoutMs: MESSAGE_WITHIN_MS,
        question: () => this.#arrivals.has(id),
      });
      experience.messages.push(this.#arrivals.get(id)! - startMs);
    } catch (fault) {
      const { closedWith } = this.#probe;
      experience.errors.push(`${fault} ${closedWith === undefined ? '' : `closed: ${closedWith}`}`);
    }
  }
}
