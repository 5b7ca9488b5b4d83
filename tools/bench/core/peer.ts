// The peer: the npm package nodejs-order-book, one book per market, with the same orders. It only
// keeps books: no balances, fees, idempotency, client order IDs or events.

import { OrderBook, Side } from 'nodejs-order-book';
import { bookOf, restoreExchange } from '../../../core/engine/index.ts';
import { type Command, decodeCommandFrame } from '../../../core/messages/index.ts';
import type { MarketId } from '../../../core/money/index.ts';
import { MARKETS } from './flow.ts';
import { perSecond, type Recording } from './recording.ts';

/** Returns the peer's commands per second, on the measured half of a recording. */
export function measurePeer(recording: Recording): number {
  const peer = new Peer(recording.before);
  for (const bytes of recording.warmUp) peer.applyAll(decodeCommandFrame(bytes).commands);
  let commands = 0;
  let milliseconds = 0;
  for (const bytes of recording.measured) {
    const frame = decodeCommandFrame(bytes);
    const before = performance.now();
    peer.applyAll(frame.commands);
    milliseconds += performance.now() - before;
    commands += frame.commands.length;
  }
  return perSecond(commands, milliseconds);
}

class Peer {
  readonly #books = Array.from({ length: MARKETS + 1 }, () => new OrderBook());
  /** Market of each order, because cancels name only the order, like the engine's. */
  readonly #bookOf = new Map<number, OrderBook>();
  #number: number;

  constructor(snapshot: Uint8Array) {
    const exchange = restoreExchange(snapshot);
    this.#number = exchange.commandsApplied;
    for (let market = 1; market <= MARKETS; market++) {
      const { bids, asks } = bookOf(exchange, market as MarketId);
      const sides = [
        { side: Side.BUY, levels: bids },
        { side: Side.SELL, levels: asks },
      ];
      for (const { side, levels } of sides) {
        for (const { priceTicks, orders } of levels) {
          for (const { order, remainingLots } of orders) {
            this.#place(market, order, { side, price: priceTicks, size: remainingLots });
          }
        }
      }
    }
  }

  applyAll(commands: readonly Command[]): void {
    for (const command of commands) this.#apply(++this.#number, command);
  }

  #apply(number: number, command: Command): void {
    if (command.kind === 'PlaceOrder') {
      const side = command.side === 'buy' ? Side.BUY : Side.SELL;
      const { priceTicks, sizeLots } = command;
      this.#place(command.market, number, { side, price: priceTicks, size: sizeLots });
    } else if (command.kind === 'CancelOrder') {
      this.#bookOf.get(command.order)?.cancel(String(command.order));
      this.#bookOf.delete(command.order);
    } else if (command.kind === 'AmendOrder') {
      const { order, sizeLots } = command;
      this.#bookOf.get(order)?.modify(String(order), { size: sizeLots });
    }
  }

  #place(
    market: number,
    number: number,
    { side, price, size }: { side: Side; price: number; size: number },
  ): void {
    const book = this.#books[market];
    book.limit({ id: String(number), side, price, size });
    this.#bookOf.set(number, book);
  }
}
