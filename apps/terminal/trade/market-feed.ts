// Live data of one market: its book, last trades and status, from the shared stream into cells.

import type { Book, PublicTrade, RialtoStream } from '../../../client/index.ts';
import { Cell } from '../../ui/index.ts';
import type { MarketStatus } from './market-status.ts';

export interface MarketFeed {
  readonly book: Cell<Book | undefined>;
  /** Newest first. */
  readonly trades: Cell<readonly PublicTrade[] | undefined>;
  /** Undefined until the stream has sent it. */
  readonly status: Cell<MarketStatus | undefined>;
  /** Receives trades for the running bar; the first call has the last trades. */
  onTrades(listener: (trades: readonly PublicTrade[]) => void): () => void;
  close(): void;
}

const TRADES_KEPT = 60;

export function openMarketFeed(stream: RialtoStream, symbol: string): MarketFeed {
  const book = new Cell<Book | undefined>(undefined);
  const trades = new Cell<readonly PublicTrade[] | undefined>(undefined);
  const status = new Cell<MarketStatus | undefined>(undefined);
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
  const auction = stream.subscribe('auction', {
    symbol,
    onMessage: ({ data }) => status.set(data.status),
    onError,
  });
  return {
    book,
    trades,
    status,
    onTrades(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      books.close();
      tape.close();
      auction.close();
    },
  };
}
