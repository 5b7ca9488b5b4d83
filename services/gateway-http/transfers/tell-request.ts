// A deposit or a withdrawal after something was done to it. It has happened: what goes wrong here
// must never be told as if it had not.

import type { RequestRow } from '../../../domain/transfers/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';
import { readRequest } from './read-request.ts';

export async function readRequestAfterChange(
  dependencies: Dependencies,
  name: { readonly id: number; readonly type: RequestRow['type'] },
): Promise<RequestRow> {
  try {
    return await readRequest(dependencies, name);
  } catch (err) {
    dependencies.log.warn({ err, ...name }, 'what was done to a request can not be read');
    throw new ApiRefusal('outcome_unknown');
  }
}
