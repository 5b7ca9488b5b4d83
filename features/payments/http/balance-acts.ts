// Operator handlers for user balances: burns, transfers between users, payouts to an address.

import { randomUUID } from 'node:crypto';
import { decimalFromAtoms } from '../../../core/money/index.ts';
import {
  awaitOutcome,
  type Call,
  type Dependencies,
  requestUuid,
  signatureHex,
} from '../../../platform/http/index.ts';
import { decimal, type Routes, type WithdrawalCreated } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct } from '../../approvals/http/index.ts';
import { burnAct } from '../admin/burn.ts';
import { positionOf } from '../admin/money-terms.ts';
import { payOutAct } from '../admin/pay-out.ts';
import { transferAct } from '../admin/transfer.ts';
import { networkOf, transactionOf } from './credit-deposit.ts';
import { awaitTransferOutcome, readRequestAfterChange } from './transfer-requests.ts';
import { requireCoin, requireWithdrawal } from './withdrawal-quote.ts';

export function burn(call: Call<Routes['burn']>, dependencies: Dependencies) {
  const { body, caller, signature } = call;
  const coin = requireCoin(dependencies.catalogue.now, body.currency);
  if (coin instanceof Refused) return coin;
  const network = networkOf(coin, body.network);
  if (network instanceof Refused) return network;
  const transactionId = transactionOf(body.transaction_id);
  if (transactionId instanceof Refused) return transactionId;
  const payload = {
    user_id: body.user_id,
    currency: coin.symbol,
    amount: `${body.amount}`,
    fee: `${body.fee ?? 0}`,
    network,
    transaction_id: transactionId ?? requestUuid(caller, signature) ?? randomUUID(),
    address: body.address ?? null,
    description: body.description ?? '',
    is_pending: body.status === false,
    email: body.email ?? true,
    signature_hash: signatureHex(caller, signature),
  };
  return answerAct(call, dependencies, burnAct, payload, (asked) =>
    awaitTransferOutcome(call, dependencies, 'withdrawal', asked),
  );
}

const DESCRIPTION = 'Admin Transfer';

export function transferBetweenUsers(
  call: Call<Routes['transferBetweenUsers']>,
  dependencies: Dependencies,
) {
  const { body, caller, signature } = call;
  const coin = requireCoin(dependencies.catalogue.now, body.currency);
  if (coin instanceof Refused) return coin;
  const payload = {
    sender_id: body.sender_id,
    receiver_id: body.receiver_id,
    currency: coin.symbol,
    amount: `${body.amount}`,
    description: body.description ?? DESCRIPTION,
    email: body.email ?? true,
    signature_hash: signatureHex(caller, signature),
  };
  return answerAct(call, dependencies, transferAct, payload, (asked) =>
    awaitTransferOutcome(call, dependencies, 'withdrawal', asked),
  );
}

const PAYOUT_MESSAGE = 'Withdrawal request is in the queue and will be processed.';

export function payOut(call: Call<Routes['payOut']>, dependencies: Dependencies) {
  const { body, caller, signature } = call;
  const asked = requireWithdrawal(dependencies.catalogue.now, body);
  if (asked instanceof Refused) return asked;
  const { address, amountAtoms, coin, feeAsset, feeAtoms, network } = asked;
  const payload = {
    user_id: body.user_id,
    currency: coin.symbol,
    amount: decimalFromAtoms(amountAtoms, coin.asset.scale),
    fee_currency: feeAsset.symbol,
    fee: decimalFromAtoms(feeAtoms, feeAsset.scale),
    address,
    network,
    signature_hash: signatureHex(caller, signature),
  };
  return answerAct(call, dependencies, payOutAct, payload, async (asked) => {
    const position = positionOf(asked);
    const outcome = position && (await awaitOutcome(dependencies, position));
    if (outcome instanceof Refused) return outcome;
    const row = await readRequestAfterChange(dependencies, { type: 'withdrawal', id: asked.id });
    if (row instanceof Refused) return row;
    const created: WithdrawalCreated = {
      message: PAYOUT_MESSAGE,
      id: row.id,
      transaction_id: row.transactionId,
      amount: decimal(payload.amount),
      currency: coin.symbol,
      fee: decimal(payload.fee),
      fee_coin: feeAsset.symbol,
    };
    return created;
  });
}
