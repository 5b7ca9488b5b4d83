// Withdrawal with an API key: policy and request in one transaction, then the engine's hold.
// Responds once the amount is on hold, or once the request is sure to reach the engine.

import { decimalFromAtoms } from '../../../core/money/index.ts';
import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import {
  awaitOutcome,
  type Call,
  type Dependencies,
  signatureHash,
} from '../../../platform/http/index.ts';
import { decimal, type Routes, type WithdrawalCreated } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { openWithdrawalIn } from '../withdrawals/requests.ts';
import { requestedAsset, requireWithdrawal } from './withdrawal-quote.ts';

const MESSAGE = 'Withdrawal request is in the queue and will be processed.';

export async function createWithdrawal(
  { body, caller, signature }: Call<Routes['createWithdrawal']>,
  dependencies: Dependencies,
) {
  const asked = requireWithdrawal(dependencies.catalogue.now, body);
  if (asked instanceof Refused) return asked;
  const { address, amountAtoms, coin, feeAsset, feeAtoms, network } = asked;
  const opened = await withConnection(dependencies.registry, (session) =>
    inTransaction(session, () =>
      openWithdrawalIn(session, {
        user: caller.user,
        key: caller.key,
        amountAtoms,
        feeAtoms,
        network,
        address,
        asset: requestedAsset(coin.asset),
        feeAsset: requestedAsset(feeAsset),
        signatureHash: signatureHash(caller, signature),
        projectionSchema: dependencies.exchange.projectionSchema,
      }),
    ),
  );
  if (opened instanceof Refused) return opened;
  const outcome = await awaitOutcome(dependencies, opened.position);
  if (outcome instanceof Refused) return outcome;
  const created: WithdrawalCreated = {
    message: MESSAGE,
    id: opened.id,
    transaction_id: opened.transactionId,
    amount: decimal(decimalFromAtoms(amountAtoms, coin.asset.scale)),
    currency: coin.symbol,
    fee: decimal(decimalFromAtoms(feeAtoms, feeAsset.scale)),
    fee_coin: feeAsset.symbol,
  };
  return created;
}
