// The publisher without NATS: applies events, writes the messages of users, and writes book,
// ticker, trades and candles of every changed market.

import { decodeEventBatch } from '../../../../infra/journal/index.ts';
import { FeedState } from '../../../../services/publisher/feed-state.ts';
import {
  bookValue,
  candleValues,
  tickerValue,
  tradesValue,
} from '../../../../services/publisher/public-json.ts';
import type { Workload } from '../workload.ts';
import { eventMessages, START_MS } from './flow-messages.ts';

const MESSAGES_PER_WINDOW = 2;
const BOOK_LEVELS = 20;

export function open(): Workload {
  const { messages, preparing } = eventMessages(20_000);
  let state = FeedState.create();
  let characters = 0;
  const publish = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      state.apply(decodeEventBatch(messages[at]), at + 1, (sent) => {
        for (const { payload } of sent) characters += payload.length;
      });
      for (const { market } of state.takeChanges()) {
        const book = bookValue(state.data, market, { levels: BOOK_LEVELS, timeMs: START_MS });
        characters += book.body.length + tickerValue(market, START_MS).body.length;
        characters += tradesValue(market).body.length;
        for (const [, { body }] of candleValues(market)) characters += body.length;
      }
    }
  };
  return {
    windows: Math.floor((messages.length - preparing) / MESSAGES_PER_WINDOW),
    restart() {
      state = FeedState.create();
      publish(0, preparing);
    },
    run(window) {
      const [from, applied] = [preparing + window * MESSAGES_PER_WINDOW, state.eventsApplied];
      publish(from, from + MESSAGES_PER_WINDOW);
      if (characters === 0) throw new Error('expected messages, published none');
      return state.eventsApplied - applied;
    },
  };
}
