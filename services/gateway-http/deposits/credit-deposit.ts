// An operator credits a deposit that was seen outside the exchange, at once or after a review.

import { type Atoms, atomsFromDecimal, type UserId } from '../../../core/money/index.ts';
import type { CoinEntry } from '../../../domain/catalogue/index.ts';
import {
  type DepositRequest,
  type DepositRequested,
  namesTransaction,
  requestDeposit,
} from '../../../domain/transfers/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import type { BodyOf, Routes } from '../../../protocol/index.ts';
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
  const { address, description, output } = body;
  const transactionId = transactionOf(body.transaction_id) ?? requestUuid(caller, signature);
  const request: DepositRequest = {
    user: body.user_id as UserId,
    asset: requestedAsset(coin.asset),
    amountAtoms,
    isChainCoin: coin.type === 'blockchain',
    isPending: body.status === false,
    network: networkOf(coin, body),
    ...(body.fee !== undefined && { feeAtoms: atomsOf(body.fee, scale) }),
    ...(address !== undefined && { address }),
    ...(description !== undefined && { description }),
    ...(transactionId !== undefined && { transactionId }),
    ...(output !== undefined && { output: `${output}` }),
  };
  const requested = await withConnection(dependencies.registry, (session) =>
    requestDeposit(session, request),
  );
  if (requested.kind === 'refused') throw refused(requested);
  const { id, position } = requested;
  if (position !== undefined) await awaitOutcome(dependencies, position);
  return transactionDone(
    await readRequestAfterChange(dependencies, { type: 'deposit', id }),
    dependencies.exchange.name,
  );
}

function refused(requested: Extract<DepositRequested, { kind: 'refused' }>): ApiRefusal {
  switch (requested.refusal) {
    case 'user_must_exist':
      return new ApiRefusal('user_not_found');
    case 'transaction_already_credited':
      return new ApiRefusal('transaction_id_used');
    case 'transaction_failed_before':
      return new ApiRefusal('transaction_failed_before', { id: requested.id });
  }
}

/** Without blanks around it. A text of blanks names nothing. */
export function transactionOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (namesTransaction(given)) return given.trim();
  throw new ApiRefusal('request_invalid', { detail: 'transaction_id must not be empty' });
}

/**
 * The network as the coin spells it, because it is part of the cause. Of an asset that is not on a
 * chain it is only shown.
 */
function networkOf(
  coin: CoinEntry,
  { network: given, transaction_id }: BodyOf<Routes['creditDeposit']>,
): string | null {
  if (coin.type !== 'blockchain') return given ?? null;
  const { networks, symbol: currency } = coin;
  const wanted = given?.trim().toLowerCase();
  if (wanted !== undefined) {
    const found = networks.find((name) => name.toLowerCase() === wanted);
    if (found !== undefined) return found;
    if (networks.length === 0 && wanted === currency) return null;
    throw new ApiRefusal('network_invalid', { network: given ?? '', currency });
  }
  if (networks.length < 2) return networks[0] ?? null;
  if (transaction_id === undefined) return null;
  throw new ApiRefusal('network_missing', { currency, networks: networks.join(', ') });
}

function atomsOf(given: number | string, scale: number): Atoms {
  const atoms = atomsFromDecimal(`${given}`, scale);
  if (atoms.ok) return atoms.value;
  if (atoms.problem === 'negative') throw new ApiRefusal('amount_must_be_positive');
  throw new ApiRefusal('amount_invalid', { problem: atoms.problem.replaceAll('_', ' ') });
}
