// The answer after an operator's act on a deposit or a withdrawal: the engine's outcome is awaited,
// then the row is read.

import { awaitOutcome, type Dependencies } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type AskedRequest, positionOf } from '../admin/money-terms.ts';
import type { RequestType } from '../request-lists.ts';
import { masked, transactionDone } from './transfer-json.ts';
import { readRequestAfterChange } from './transfer-requests.ts';

export async function askedRequestDone(
  dependencies: Dependencies,
  type: RequestType,
  asked: AskedRequest,
) {
  const position = positionOf(asked);
  const outcome = position && (await awaitOutcome(dependencies, position));
  if (outcome instanceof Refused) return outcome;
  const row = await readRequestAfterChange(dependencies, { type, id: asked.id });
  return transactionDone(masked(row), dependencies.exchange.name);
}
