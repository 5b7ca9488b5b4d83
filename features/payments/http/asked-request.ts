// The answer after an operator's act on a deposit or a withdrawal: the engine's outcome is awaited,
// then the row is read.

import { awaitOutcome, type Dependencies } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type AskedRequest, positionOf } from '../admin/money-terms.ts';
import type { RequestType } from '../request-lists.ts';
import { masked, type TransactionDone, transactionDone } from './transfer-json.ts';
import { readRequestAfterChange } from './transfer-requests.ts';

export async function askedRequestDone(
  dependencies: Dependencies,
  type: RequestType,
  asked: AskedRequest,
): Promise<TransactionDone | Refused<'outcome_unknown'>> {
  const position = positionOf(asked);
  if (position !== undefined) await awaitOutcome(dependencies, position);
  const row = await readRequestAfterChange(dependencies, { type, id: asked.id });
  return row instanceof Refused ? row : transactionDone(masked(row), dependencies.exchange.name);
}
