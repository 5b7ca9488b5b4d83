// An operator credits a deposit that was seen outside the exchange, at once or after a review.

import { type Atoms, atomsFromDecimal, type UserId } from '../../../core/money/index.ts';
import { type DepositRequest, requestDeposit } from '../../../domain/transfers/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call } from '../handler.ts';
import { requestUuid } from '../transfers/request-uuid.ts';
import { type TransactionDone, transactionDone } from '../transfers/transfer-json.ts';
import { awaitOutcome, readRequestAfterChange } from '../transfers/transfer-requests.ts';
import { requestedAsset, requireCoin } from '../withdrawals/withdrawal-terms.ts';

export async function creditDeposit(
  { body, caller, signature }: Call<Routes['creditDeposit']>,
  dependencies: Dependencies,
): Promise<TransactionDone> {
  const coin = requireCoin(dependencies.catalogue.now, body.currency);
  const { scale } = coin.asset;
  const amountAtoms = atomsOf(body.amount, scale);
  if (amountAtoms === 0n) throw new ApiRefusal('amount_must_be_positive');
  const { address, description, network } = body;
  const transactionId = body.transaction_id ?? requestUuid(caller, signature);
  const request: DepositRequest = {
    user: body.user_id as UserId,
    asset: requestedAsset(coin.asset),
    amountAtoms,
    isChainCoin: coin.type === 'blockchain',
    isPending: body.status === false,
    ...(body.fee !== undefined && { feeAtoms: atomsOf(body.fee, scale) }),
    ...(address !== undefined && { address }),
    ...(description !== undefined && { description }),
    ...(network !== undefined && { network }),
    ...(transactionId !== undefined && { transactionId }),
  };
  const requested = await withConnection(dependencies.registry, (session) =>
    requestDeposit(session, request),
  );
  if (requested.kind === 'refused') {
    const isUsed = requested.refusal === 'transaction_already_credited';
    throw new ApiRefusal(isUsed ? 'transaction_id_used' : 'user_not_found');
  }
  const { id, position } = requested;
  if (position !== undefined) await awaitOutcome(dependencies, position);
  return transactionDone(
    await readRequestAfterChange(dependencies, { type: 'deposit', id }),
    dependencies.exchange.name,
  );
}

function atomsOf(given: number | string, scale: number): Atoms {
  const atoms = atomsFromDecimal(`${given}`, scale);
  if (atoms.ok) return atoms.value;
  if (atoms.problem === 'negative') throw new ApiRefusal('amount_must_be_positive');
  throw new ApiRefusal('amount_invalid', { problem: atoms.problem.replaceAll('_', ' ') });
}
