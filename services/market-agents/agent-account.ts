// One user among the agents: its signed requests, and its orders and balances as reported by the
// exchange. Orders have client order IDs, to query an order again after a lost response.

import type { Account, AgentOrder } from '../../agents/index.ts';
import {
  type AccountMessage,
  RialtoClient,
  RialtoError,
  RialtoStream,
  type UserEvents,
} from '../../client/index.ts';
import type { AgentKey } from './keys-file.ts';

export interface AgentAccountOptions {
  readonly url: string;
  readonly key: AgentKey;
  readonly account: Account;
  /** Prefix of client order IDs; each process has a different one. */
  readonly prefix: string;
  /** Called when the order with this number is filled, canceled or refused. */
  onClosed(order: number): void;
  onFault(fault: unknown): void;
}

export type PlaceOutcome = 'accepted' | 'refused' | 'unknown';

const CANCEL_ATTEMPTS = 5;
const RETRY_MS = 500;

export class AgentAccount {
  readonly account: Account;
  readonly #options: AgentAccountOptions;
  readonly #client: RialtoClient;
  readonly #stream: RialtoStream;
  /** Orders that this process has sent and that might be open, by number. */
  readonly #open = new Set<number>();
  #isClosed = false;

  constructor(options: AgentAccountOptions) {
    const { account, key, url } = options;
    this.#options = options;
    this.account = account;
    this.#client = new RialtoClient({ url, ...key });
    this.#stream = new RialtoStream({ url, ...key });
  }

  /** Cancels orders left by an earlier process, reads the balances, and follows both after that. */
  async open(): Promise<void> {
    await this.#client.cancelAllOrders();
    const balance = (await this.#client.getBalance()) as unknown as Record<string, unknown>;
    this.#readBalances(balance);
    this.#stream.account({
      onMessage: (events) => this.#onEvents(events),
      onError: (fault) => {
        if (!this.#isClosed) this.#options.onFault(fault);
      },
    });
  }

  get isLive(): boolean {
    return this.#stream.status === 'open';
  }

  async place(number: number, order: AgentOrder): Promise<PlaceOutcome> {
    this.#open.add(number);
    try {
      const { status } = await this.#client.createOrder(this.#bodyOf(number, order));
      if (status === 'filled' || status === 'canceled') this.#close(number);
      return 'accepted';
    } catch (fault) {
      const isUnknown = fault instanceof RialtoError && fault.isOutcomeUnknown;
      if (isUnknown) await this.cancel(number);
      this.#close(number);
      return isUnknown || !(fault instanceof RialtoError) || fault.status === 0
        ? 'unknown'
        : 'refused';
    }
  }

  async cancel(number: number): Promise<void> {
    const client_order_id = this.#nameOf(number);
    for (let attempt = 1; attempt <= CANCEL_ATTEMPTS && !this.#isClosed; attempt += 1) {
      try {
        await this.#client.cancelOrder({ client_order_id });
        break;
      } catch (fault) {
        const { status } = fault as Partial<RialtoError>;
        // The exchange refuses to cancel a closed order.
        if (status !== undefined && status >= 400 && status < 500 && status !== 429) break;
        await new Promise((done) => setTimeout(done, RETRY_MS * attempt));
      }
    }
    this.#close(number);
  }

  close(): void {
    this.#isClosed = true;
    this.#stream.close();
  }

  #onEvents({ action, messages }: UserEvents): void {
    for (const message of messages) {
      if (message.topic === 'wallet') this.#readBalances(message.data);
      else if (message.topic === 'order') this.#onOrders(message, action === 'snapshot');
    }
  }

  #onOrders(message: AccountMessage & { topic: 'order' }, isSnapshot: boolean): void {
    if (message.action !== 'partial') {
      for (const { client_order_id, status } of message.data) {
        const number = this.#numberOf(client_order_id);
        if (number !== undefined && (status === 'filled' || status === 'canceled')) {
          this.#close(number);
        }
      }
      return;
    }
    if (!isSnapshot) return;
    // After an outage, cancels our resting orders that no agent knows.
    for (const { client_order_id } of message.data) {
      const number = this.#numberOf(client_order_id);
      if (number !== undefined && !this.#open.has(number)) void this.cancel(number);
    }
  }

  #close(number: number): void {
    if (this.#open.delete(number)) this.#options.onClosed(number);
  }

  #readBalances(balances: Readonly<Record<string, unknown>>): void {
    const { amounts } = this.account;
    for (const symbol of Object.keys(amounts)) {
      const found = balances[`${symbol}_balance`];
      if (found !== undefined) amounts[symbol] = Number(found);
    }
  }

  #nameOf(number: number): string {
    return `${this.#options.prefix}${number}`;
  }

  #numberOf(name: string | undefined): number | undefined {
    const { prefix } = this.#options;
    return name?.startsWith(prefix) === true ? Number(name.slice(prefix.length)) : undefined;
  }

  #bodyOf(number: number, { kind, lots, market, side, ticks }: AgentOrder) {
    const price = decimalOf(ticks, market.tick);
    const isStop = kind === 'stop';
    return {
      symbol: market.symbol,
      side,
      size: decimalOf(lots, market.lot),
      client_order_id: this.#nameOf(number),
      ...(isStop ? { type: 'market', stop: price } : { type: 'limit', price }),
      ...(kind === 'ioc' ? { time_in_force: 'IOC' } : {}),
      ...(kind === 'post-only' ? { meta: { post_only: true } } : {}),
    } as Parameters<RialtoClient['createOrder']>[0];
  }
}

/** Returns `count` times a step, which is a power of ten, without floating-point digits. */
export function decimalOf(count: number, step: number): string {
  const digits = Math.max(0, Math.round(-Math.log10(step)));
  return (count * step).toFixed(digits);
}
