// A user's balances for the `wallet` topic: all of them in every message, because clients replace
// their balances with a `partial`. The publisher sends only changed balances. They are merged here
// as texts, so no digit changes. Only sockets on this topic pay for it.

const DATA = '"data":{';
const UPDATED_AT = '"updated_at"';
const COIN = /"([a-z0-9]+)_balance":([^,]+),"\1_available":[^,]+,/g;

export class CompleteWallet {
  /** Members of each coin with a balance. */
  readonly #coins = new Map<string, string>();

  /** `text` is the first message, which replaces all balances. */
  reset(text: string): void {
    this.#coins.clear();
    this.#merge(text);
  }

  /** Returns the message with all balances, including changed ones that are now zero. */
  complete(text: string): string {
    const { end, start, zeros } = this.#merge(text);
    return text.slice(0, start) + [...this.#coins.values()].join('') + zeros + text.slice(end);
  }

  #merge(text: string): { readonly start: number; readonly end: number; readonly zeros: string } {
    const start = text.indexOf(DATA) + DATA.length;
    const end = text.indexOf(UPDATED_AT, start);
    let zeros = '';
    for (const [members, coin, balance] of text.slice(start, end).matchAll(COIN)) {
      if (balance !== '0') {
        this.#coins.set(coin, members);
        continue;
      }
      this.#coins.delete(coin);
      zeros += members;
    }
    return { start, end, zeros };
  }
}
