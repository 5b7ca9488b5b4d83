// Builds a user's open orders and balances only from the stream, for comparison with REST.

import type { AccountMessage, RialtoStream } from '../../client/index.ts';

const COINS = ['btc', 'usdt'] as const;

export class AccountFromStream {
  /** Number of snapshots and resumptions. */
  starts = 0;
  events = 0;
  readonly #orders = new Map<string, string>();
  readonly #amounts = new Map<string, string>();

  constructor(stream: RialtoStream) {
    stream.account({
      onMessage: ({ action, messages }) => {
        if (action === 'event') this.events += 1;
        else this.starts += 1;
        if (action === 'snapshot') {
          this.#orders.clear();
          this.#amounts.clear();
        }
        for (const message of messages) this.#apply(message);
      },
    });
  }

  now(): { orders: string[]; money: (string | undefined)[] } {
    return {
      orders: [...this.#orders].map(([id, filled]) => `${id} ${filled}`).sort(),
      money: COINS.flatMap((coin) => [
        this.#amounts.get(`${coin}_balance`),
        this.#amounts.get(`${coin}_available`),
      ]),
    };
  }

  #apply(message: AccountMessage): void {
    if (message.topic === 'wallet') {
      for (const [name, amount] of Object.entries(message.data)) this.#amounts.set(name, amount);
    } else if (message.topic === 'order') {
      for (const { filled, id, status } of message.data) {
        if (status === 'new' || status === 'pfilled') this.#orders.set(id, filled);
        else this.#orders.delete(id);
      }
    }
  }
}
