// Deposits and withdrawals as requests of the registry: found by transaction, and read after a
// change. A change is committed before it is read: a fault afterwards must never be reported as its
// failure.

import type { Statements } from '../../../infra/postgres/index.ts';
import type { Logger } from '../../../infra/process/index.ts';
import { ApiRefusal, type Dependencies } from '../../../platform/http/index.ts';
import {
  findRequest,
  findRequestIds,
  type RequestRow,
  type RequestType,
} from '../request-lists.ts';
import type { RequestRefusal } from '../request-moves.ts';

export interface NamedRequest {
  readonly type: RequestType;
  readonly transactionId: string;
  /** Tells several requests of the transaction apart. */
  readonly id?: number | undefined;
}

/** The id of the one request that names a transaction. */
export async function findRequestId(
  { registry }: Pick<Dependencies, 'registry'>,
  { id, transactionId, type }: NamedRequest,
): Promise<number> {
  const ids = await findRequestIds(registry, { type, transactionId, id });
  if (ids.length === 0) throw new ApiRefusal(notFound(type));
  if (ids.length > 1) throw new ApiRefusal('transaction_id_ambiguous');
  return ids[0];
}

export interface RequestReader {
  readonly registry: Statements;
  readonly exchange: { readonly projectionSchema: string };
  readonly log: Pick<Logger, 'warn'>;
}

/** Reads a request after a committed change. Throws outcome_unknown if it cannot be read. */
export async function readRequestAfterChange(
  { exchange, log, registry }: RequestReader,
  name: { readonly id: number; readonly type: RequestType },
): Promise<RequestRow> {
  try {
    const found = await findRequest(registry, name, exchange.projectionSchema);
    if (found !== undefined) return found;
    log.warn(name, 'request missing after change');
  } catch (err) {
    log.warn({ err, ...name }, 'request unreadable after change');
  }
  throw new ApiRefusal('outcome_unknown');
}

/** The error that clients get if a request cannot be changed. */
export function changeRefusal(type: RequestType, refusal: RequestRefusal): ApiRefusal {
  switch (refusal) {
    case 'request_must_exist':
      return new ApiRefusal(notFound(type));
    case 'several_requests_have_this_transaction':
      return new ApiRefusal('transaction_id_ambiguous');
    case 'transaction_already_credited':
      return new ApiRefusal('transaction_id_used');
    case 'request_is_under_way':
    case 'request_has_ended':
      return new ApiRefusal(type === 'deposit' ? 'deposit_ended' : 'withdrawal_under_way');
  }
}

function notFound(type: RequestType) {
  return type === 'deposit' ? 'deposit_not_found' : 'withdrawal_not_found';
}
