// Outcome of each order in a batch, equal to the response for the order alone.

import type { Logger } from '../../../infra/process/index.ts';
import { type Dependencies, JsonText } from '../../../platform/http/index.ts';
import { type ErrorKey, errorAnswer } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { Caller } from '../../auth/index.ts';

/** Starts all orders before awaiting the first, so they reach the log in this order. */
export async function outcomesOf<Item>(
  { log }: Dependencies,
  caller: Caller,
  items: readonly Item[],
  act: (item: Item) => Promise<string | Refused<ErrorKey>>,
): Promise<JsonText> {
  const texts = await Promise.all(items.map((item) => outcomeOf(log, caller, () => act(item))));
  return new JsonText(`{"data":[${texts.join(',')}]}`);
}

async function outcomeOf(
  log: Logger,
  caller: Caller,
  act: () => Promise<string | Refused<ErrorKey>>,
): Promise<string> {
  const outcome = await act().catch((err) => {
    // A fault is a bug and must not hide the other outcomes. The order might have been placed or
    // canceled before the fault.
    log.error({ err }, 'batch order failed');
    return new Refused('outcome_unknown');
  });
  if (!(outcome instanceof Refused)) return `{"status":200,"order":${outcome}}`;
  const language = caller.kind === 'session' ? caller.language : 'en';
  const { body, status } = errorAnswer(outcome.key, language, outcome.details);
  return `{"status":${status},"error":${JSON.stringify(body)}}`;
}
