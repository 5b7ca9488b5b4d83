// The projector without PostgreSQL: folds events into a batch and encodes the rows of trades, fills
// and ledger entries for COPY. Order rows and balance updates, which are encoded while they are
// written, are not included.

import { decodeEventBatch } from '../../../../infra/journal/index.ts';
import { Batch } from '../../../../services/projector/batch.ts';
import { NO_CURSOR } from '../../../../services/projector/cursor.ts';
import type { Workload } from '../workload.ts';
import { eventMessages } from './flow-messages.ts';

const MESSAGES_PER_WINDOW = 4;

export function open(): Workload {
  const { messages, preparing } = eventMessages(40_000);
  const fold = (before: Batch['after'], from: number, to: number): Batch => {
    const batch = new Batch(before);
    for (let at = from; at < to; at++) batch.add(at + 1, decodeEventBatch(messages[at]));
    return batch;
  };
  const start = fold(NO_CURSOR, 0, preparing).after;
  let cursor = start;
  return {
    windows: Math.floor((messages.length - preparing) / MESSAGES_PER_WINDOW),
    restart() {
      cursor = start;
    },
    run(window) {
      const from = preparing + window * MESSAGES_PER_WINDOW;
      const batch = fold(cursor, from, from + MESSAGES_PER_WINDOW);
      cursor = batch.after;
      return batch.events;
    },
  };
}
