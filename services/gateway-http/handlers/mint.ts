// An operator credits a deposit that was seen outside the exchange, now or after a second look.

import { type Atoms, atomsFromDecimal, type UserId } from '../../../core/money/index.ts';
import { type DepositWish, requestDeposit } from '../../../domain/transfers/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Call } from '../handler.ts';
import { type TransactionDone, transactionDone } from '../money/request-json.ts';
import { requestUuid } from '../money/request-uuid.ts';
import { settleRequest } from '../money/settle-request.ts';
import { tellRequest } from '../money/tell-request.ts';
import { requestedAsset, requireCoin } from '../money/withdrawal-terms.ts';
import type { Parts } from '../parts.ts';

export async function mint(
  { body, caller, signature }: Call<Routes['mint']>,
  parts: Parts,
): Promise<TransactionDone> {
  const coin = requireCoin(parts.catalogue.now, body.currency);
  const { scale } = coin.asset;
  const amountAtoms = atomsOf(body.amount, scale);
  if (amountAtoms === 0n) throw new ApiRefusal('amount_must_be_positive');
  const { address, description, network } = body;
  const transactionId = body.transaction_id ?? requestUuid(caller, signature);
  const wish: DepositWish = {
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
  const requested = await withConnection(parts.registry, (session) =>
    requestDeposit(session, wish),
  );
  if (requested.kind === 'refused') {
    const isUsed = requested.refusal === 'transaction_already_credited';
    throw new ApiRefusal(isUsed ? 'transaction_id_used' : 'user_not_found');
  }
  const { id, position } = requested;
  if (position !== undefined) await settleRequest(parts, position);
  return transactionDone(await tellRequest(parts, { type: 'deposit', id }), parts.exchange.name);
}

function atomsOf(given: number | string, scale: number): Atoms {
  const atoms = atomsFromDecimal(`${given}`, scale);
  if (atoms.ok) return atoms.value;
  if (atoms.problem === 'negative') throw new ApiRefusal('amount_must_be_positive');
  throw new ApiRefusal('amount_invalid', { problem: atoms.problem.replaceAll('_', ' ') });
}
