// Finds deposit and withdrawal requests by transaction and reads them after a change. A change is
// committed before it is read, so a later failure must never be reported as a failed change.

import type { UserId } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import type { Logger } from '../../../infra/process/index.ts';
import { awaitOutcome, type Dependencies, requireOutcome } from '../../../platform/http/index.ts';
import { OUTBOX_CHANNELS } from '../../../platform/outbox/index.ts';
import type { ErrorKey } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { OperatorCall } from '../../approvals/http/index.ts';
import { viewAfterAct } from '../../pii-access/http/index.ts';
import { positionOf, type RequestRef } from '../admin/money-terms.ts';
import {
  findRequest,
  findRequestIds,
  machineOf,
  type RequestRow,
  type RequestType,
} from '../request-lists.ts';
import { type TransactionDone, transactionDone } from './transfer-json.ts';

export interface NamedRequest {
  readonly type: RequestType;
  readonly transactionId: string;
  /** Distinguishes several requests for the same transaction. */
  readonly id?: number | undefined;
}

/** Returns the ID of the one request that names a transaction. */
export async function findRequestId(
  { registry }: Pick<Dependencies, 'registry'>,
  { id, transactionId, type }: NamedRequest,
) {
  const ids = await findRequestIds(registry, { type, transactionId, id });
  if (ids.length === 0) return new Refused(machineOf(type).refusals.missing);
  if (ids.length > 1) return new Refused('transaction_id_ambiguous');
  return ids[0];
}

export interface RequestReader {
  readonly registry: Statements;
  readonly exchange: { readonly projectionSchema: string };
  readonly log: Pick<Logger, 'warn'>;
}

/** Reads a request after a committed change. */
export async function readRequestAfterChange(
  { exchange, log, registry }: RequestReader,
  name: { readonly id: number; readonly type: RequestType },
): Promise<RequestRow | Refused<'outcome_unknown'>> {
  try {
    const found = await findRequest(registry, name, exchange.projectionSchema);
    if (found !== undefined) return found;
    log.warn(name, 'request missing after change');
  } catch (err) {
    log.warn({ err, ...name }, 'request unreadable after change');
  }
  return new Refused('outcome_unknown');
}

/**
 * Responds to an operator's action on a request: awaits the engine's outcome, then reads the row. A
 * payer sees the bank account of a withdrawal they claimed.
 */
export async function awaitTransferOutcome(
  call: OperatorCall,
  dependencies: Dependencies,
  type: RequestType,
  asked: RequestRef,
  payer?: UserId,
): Promise<TransactionDone | Refused<ErrorKey>> {
  const position = positionOf(asked);
  // A claim is granted only once it is in the log, whatever the row shows.
  const isClaim = position?.channel === OUTBOX_CHANNELS.registry;
  const wait = isClaim ? requireOutcome : awaitOutcome;
  const outcome = position && (await wait(dependencies, position));
  if (outcome instanceof Refused) return outcome;
  const row = await readRequestAfterChange(dependencies, { type, id: asked.id });
  if (row instanceof Refused) return row;
  const { exchange, vault } = dependencies;
  const view = await viewAfterAct(call, dependencies, row.user);
  return transactionDone(row, { name: exchange.name, vault, view, ...(payer && { payer }) });
}
