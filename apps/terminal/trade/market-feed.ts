// Live data of one market: its book and last trades, from the shared stream into cells.

import type { Book, PublicTrade, RialtoStream } from '../../../client/index.ts';
import { Cell } from '../../ui/index.ts';

export interface MarketFeed {
  readonly book: Cell<Book | undefined>;
  /** Newest first. */
  readonly trades: Cell<readonly PublicTrade[] | undefined>;
  /** Receives trades for the running bar; the first call has the last trades. */
  onTrades(listener: (trades: readonly PublicTrade[]) => void): () => void;
  close(): void;
}

const TRADES_KEPT = 60;

export function openMarketFeed(stream: RialtoStream, symbol: string): MarketFeed {
  const book = new Cell<Book | undefined>(undefined);
  const trades = new Cell<readonly PublicTrade[] | undefined>(undefined);
  const listeners = new Set<(trades: readonly PublicTrade[]) => void>();
  // An unknown market ends the subscription; its panels stay empty.
  const onError = () => {};
  const books = stream.book(symbol, { onBook: (next) => book.set(next), onError });
  const tape = stream.subscribe('trade', {
    symbol,
    onMessage({ action, data }) {
      const known = action === 'partial' ? [] : (trades.latest ?? []);
      trades.set([...data, ...known].slice(0, TRADES_KEPT));
      if (action === 'insert') for (const listener of listeners) listener(data);
    },
    onError,
  });
  return {
    book,
    trades,
    onTrades(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      books.close();
      tape.close();
    },
  };
}
