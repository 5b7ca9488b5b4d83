// Operator handler that credits a deposit seen outside the exchange, immediately or after a review.
// Large amounts need approval from another operator.

import { randomUUID } from 'node:crypto';
import { type Call, type Dependencies, requestUuid } from '../../../platform/http/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct } from '../../approvals/http/index.ts';
import type { CoinEntry } from '../../listings/index.ts';
import { creditAct } from '../admin/credit.ts';
import { namesTransaction } from '../causes.ts';
import { listedNetwork } from './deposit-terms.ts';
import { awaitTransferOutcome } from './transfer-requests.ts';
import { requireCoin } from './withdrawal-quote.ts';

export function creditDeposit(call: Call<Routes['creditDeposit']>, dependencies: Dependencies) {
  const { body, caller, signature } = call;
  const coin = requireCoin(dependencies.catalogue.now, body.currency);
  if (coin instanceof Refused) return coin;
  const network = networkOf(coin, body.network);
  if (network instanceof Refused) return network;
  const transactionId = transactionOf(body.transaction_id);
  if (transactionId instanceof Refused) return transactionId;
  const { address = null, description = '', email = true, fee = 0, output } = body;
  const payload = {
    user_id: body.user_id,
    currency: coin.symbol,
    amount: `${body.amount}`,
    fee: `${fee}`,
    network,
    transaction_id: transactionId ?? requestUuid(caller, signature) ?? randomUUID(),
    output: output === undefined ? null : `${output}`,
    address,
    description,
    is_pending: body.status === false,
    email,
  };
  return answerAct(call, dependencies, creditAct, payload, (asked) =>
    awaitTransferOutcome(call, dependencies, 'deposit', asked),
  );
}

/** Trims the ID. A blank text counts as absent. */
export function transactionOf(
  given: string | undefined,
): string | undefined | Refused<'request_invalid'> {
  if (given === undefined) return undefined;
  if (namesTransaction(given)) return given.trim();
  return new Refused('request_invalid', { detail: 'transaction_id must not be empty' });
}

/**
 * Returns the network as the coin spells it, or null if it is absent and the coin has several.
 * Display only: a transaction is credited once across all networks (features/payments/causes.ts).
 */
export function networkOf(
  coin: CoinEntry,
  given: string | undefined,
): string | null | Refused<'network_invalid'> {
  if (coin.type !== 'blockchain') return given ?? null;
  const { networks, symbol: currency } = coin;
  if (given === undefined) return networks.length === 1 ? networks[0] : null;
  const found = listedNetwork(networks, given);
  if (found !== undefined) return found;
  if (networks.length === 0 && listedNetwork([currency], given) !== undefined) return null;
  return new Refused('network_invalid', { network: given, currency });
}
