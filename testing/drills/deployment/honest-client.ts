// A trader with a program that uses two gateways. It places and cancels orders, reads its balance,
// withdraws, and follows its account on the stream. After a failure it repeats the same request at
// the other gateway until it gets an answer. It records every answer.

import { setTimeout as delay } from 'node:timers/promises';
import { type OrderIn, RialtoClient, RialtoError, RialtoStream } from '../../../client/index.ts';
import { errors } from '../../../protocol/index.ts';
import { sign } from '../../../tools/sandbox/rest-client.ts';
import type { Availability, Kind } from './availability.ts';
import { type Person, PRICE } from './seed.ts';

export interface PlacedOrder {
  readonly clientOrderId: string;
  readonly id: string;
  readonly sentMs: number;
  isCanceled: boolean;
}

export interface HonestClientOptions {
  readonly person: Person;
  readonly urls: readonly string[];
  /** Index of its preferred gateway, from 0. */
  readonly home: number;
  readonly availability: Availability;
}

const REPLAYED_CODE = errors.signature_replayed.code;
const CLOSED_CODE = errors.order_must_exist.code;
const TIMEOUT_MS = 2_000;
const AGAIN_AFTER_MS = 100;
const PACE_MS: Record<Exclude<Kind, 'streams'>, number> = {
  orders: 100,
  reads: 250,
  withdrawals: 1_000,
};
const EXPIRES_AFTER_S = 250;
/** A valid address that no user here owns. */
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
/** Well below the balance. Amounts differ in their last digits and so identify their withdrawal. */
const AMOUNT = 0.001;
const ATOM = 0.000_000_01;
const AMOUNT_DIGITS = 8;

export class HonestClient {
  readonly placed: PlacedOrder[] = [];
  readonly sentIds = new Set<string>();
  /** Amounts of acknowledged withdrawals. */
  readonly withdrawn: string[] = [];
  /** Orders shown by the stream, and the time of its last snapshot, which replaces all. */
  readonly streamed = new Set<string>();
  snapshotMs = 0;
  /** Final rejections; an honest client should get none. */
  readonly refusals: string[] = [];
  readonly person: Person;
  readonly #options: HonestClientOptions;
  readonly #clients: readonly RialtoClient<'number'>[];
  readonly #stream: RialtoStream<'number'>;
  #isStopped = false;
  #streamFaults = 0;

  constructor(options: HonestClientOptions) {
    this.#options = options;
    this.person = options.person;
    const { key, secret } = options.person;
    const urls = [options.urls[options.home], options.urls[1 - options.home]];
    this.#clients = urls.map(
      (url) =>
        new RialtoClient({
          url,
          key,
          secret,
          decimals: 'number' as const,
          retriesMax: 0,
          timeoutMs: TIMEOUT_MS,
        }),
    );
    this.#stream = new RialtoStream({
      url: urls,
      key,
      secret,
      decimals: 'number',
      timings: {
        backoff: { firstMs: 100, maxMs: 1_000 },
        connectTimeoutMs: 3_000,
        pingEveryMs: 1_000,
        silentMsMax: 4_000,
      },
      onFault: () => {
        this.#streamFaults += 1;
      },
    });
    this.#stream.account({
      onMessage: ({ action, messages }) => {
        options.availability.succeeded('streams');
        if (action === 'snapshot') this.snapshotMs = performance.now();
        for (const { data, topic } of messages) {
          if (topic !== 'order') continue;
          for (const order of data) this.streamed.add(order.id);
        }
      },
    });
  }

  get streamFaults(): number {
    return this.#streamFaults;
  }

  /** Resolves when it has stopped and every request is answered. */
  async work(): Promise<void> {
    await Promise.all([this.#trade(), this.#read(), this.#withdraw()]);
  }

  stop(): void {
    this.#isStopped = true;
  }

  close(): void {
    this.#stream.close();
  }

  /** Buyers rest, sellers take, and every third order is canceled. */
  async #trade(): Promise<void> {
    for (let count = 0; !this.#isStopped; count += 1) {
      const isCanceled = count % 3 === 2;
      const side = count % 3 === 1 ? 'sell' : 'buy';
      const clientOrderId = `${this.person.id}-${count}`;
      const order: OrderIn = {
        symbol: 'btc-usdt',
        side,
        type: 'limit',
        size: 0.001,
        price: isCanceled ? PRICE - 0.05 : PRICE,
        time_in_force: side === 'buy' ? 'GTC' : 'IOC',
        client_order_id: clientOrderId,
      };
      this.sentIds.add(clientOrderId);
      const sentMs = performance.now();
      const placed = await this.#until('orders', (client) => client.createOrder(order));
      if (placed?.id !== undefined) {
        const own = { clientOrderId, id: placed.id, sentMs, isCanceled: false };
        this.placed.push(own);
        if (isCanceled) {
          await this.#cancel(own.id);
          own.isCanceled = true;
        }
      }
      await delay(PACE_MS.orders);
    }
  }

  /** A repeated cancel might find the order closed by the first one, whose answer was lost. */
  async #cancel(order_id: string): Promise<void> {
    let attempts = 0;
    await this.#until('orders', async (client) => {
      attempts += 1;
      try {
        await client.cancelOrder({ order_id });
      } catch (fault) {
        const isClosed = fault instanceof RialtoError && fault.code === CLOSED_CODE;
        if (!isClosed || attempts === 1) throw fault;
      }
    });
  }

  async #read(): Promise<void> {
    while (!this.#isStopped) {
      await this.#until('reads', (client) => client.getBalance());
      await delay(PACE_MS.reads);
    }
  }

  async #withdraw(): Promise<void> {
    for (let count = 0; !this.#isStopped; count += 1) {
      const amount = (AMOUNT + count * ATOM).toFixed(AMOUNT_DIGITS);
      // Signed once, so copies count as one withdrawal.
      const request = this.#signedWithdrawal(amount);
      const answered = await this.#until('withdrawals', (_client, at) => request(at));
      if (answered !== undefined) {
        this.withdrawn.push(amount);
        // A user can have twenty open withdrawals.
        await this.#until('withdrawals', (client) => cancelWithdrawal(client, amount));
      }
      await delay(PACE_MS.withdrawals);
    }
  }

  #signedWithdrawal(amount: string): (at: number) => Promise<string> {
    const { key, secret } = this.person;
    const target = '/v2/user/withdrawal';
    const body = JSON.stringify({ currency: 'btc', network: 'btc', address: ADDRESS, amount });
    const expires = String(Math.floor(Date.now() / 1_000) + EXPIRES_AFTER_S);
    const headers = {
      'content-type': 'application/json',
      'api-key': key,
      'api-expires': expires,
      'api-signature': sign(secret, `POST${target}${expires}${body}`),
    };
    const { home, urls } = this.#options;
    return async (at) => {
      const url = urls[(home + at) % urls.length];
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      let answer: Response;
      let text: string;
      try {
        answer = await fetch(`${url}${target}`, { method: 'POST', headers, body, signal });
        text = await answer.text();
      } catch (cause) {
        throw new RialtoError({ message: 'no answer', status: 0, cause });
      }
      // A duplicate of a stored withdrawal.
      if (answer.status < 300 || isReplay(text)) return text;
      throw new RialtoError({ message: text, status: answer.status });
    };
  }

  /** Returns undefined after a final rejection. Also finishes the last attempts before the end. */
  async #until<Answer>(
    kind: Exclude<Kind, 'streams'>,
    attempt: (client: RialtoClient<'number'>, at: number) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    for (let at = 0; ; at += 1) {
      const gateway = at % this.#clients.length;
      try {
        const answer = await attempt(this.#clients[gateway], gateway);
        this.#options.availability.succeeded(kind);
        return answer;
      } catch (fault) {
        if (!(fault instanceof RialtoError)) throw fault;
        const { message, status } = fault;
        if (status >= 400 && status < 500 && status !== 429) {
          this.refusals.push(`${kind}: ${status} ${message}`);
          return undefined;
        }
        // A read-only request can stop without an answer.
        if (this.#isStopped && kind === 'reads') return undefined;
        await delay(AGAIN_AFTER_MS);
      }
    }
  }
}

function isReplay(text: string): boolean {
  return text.includes(`"code":${REPLAYED_CODE}}`);
}

/** A repeated cancel might find the withdrawal already canceled. */
async function cancelWithdrawal(client: RialtoClient<'number'>, amount: string): Promise<void> {
  const { data } = await client.getWithdrawals({ limit: 50 });
  const found = data.find((one) => one.amount.toFixed(AMOUNT_DIGITS) === amount);
  if (found === undefined) throw new RialtoError({ message: 'not listed yet', status: 503 });
  try {
    await client.cancelWithdrawal({ id: found.id });
  } catch (fault) {
    if (!(fault instanceof RialtoError) || fault.status !== 400) throw fault;
  }
}
