// The outcome of each order of a batch, with the answer that the order would have got alone.

import type { Logger } from '../../../infra/process/index.ts';
import { ApiRefusal, type Dependencies, JsonText } from '../../../platform/http/index.ts';
import { errorAnswer } from '../../../protocol/index.ts';
import type { Caller } from '../../auth/index.ts';

/** Starts all before it awaits the first, so that they reach the log in this order. */
export async function outcomesOf<Item>(
  { log }: Dependencies,
  caller: Caller,
  items: readonly Item[],
  act: (item: Item) => Promise<string>,
): Promise<JsonText> {
  const texts = await Promise.all(items.map((item) => outcomeOf(log, caller, () => act(item))));
  return new JsonText(`{"data":[${texts.join(',')}]}`);
}

async function outcomeOf(log: Logger, caller: Caller, act: () => Promise<string>): Promise<string> {
  try {
    return `{"status":200,"order":${await act()}}`;
  } catch (fault) {
    // Any other fault is a bug and must not hide the outcomes of the others. The order may have
    // been placed or cancelled before the fault.
    const refusal = fault instanceof ApiRefusal ? fault : new ApiRefusal('outcome_unknown');
    if (refusal !== fault) log.error({ err: fault }, 'batch order failed');
    const language = caller.kind === 'session' ? caller.language : 'en';
    const { body, status } = errorAnswer(refusal.key, language, refusal.details);
    return `{"status":${status},"error":${JSON.stringify(body)}}`;
  }
}
