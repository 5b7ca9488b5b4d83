// A user requests a withdrawal in a login session and confirms it with the code from the email. The
// rules are in features/payments; this file takes the terms from the catalog.

import { decimalFromAtoms } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import {
  answerEvenly,
  type Call,
  type Dependencies,
  requireOutcome,
} from '../../../platform/http/index.ts';
import { decimal, type Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { personContext } from '../../auth/http/index.ts';
import { EMAIL_NETWORK } from '../addresses/parse-destination.ts';
import { confirmByMail } from '../withdrawals/confirm-withdrawal.ts';
import { openWithdrawalFlow, type WithdrawalPorts } from '../withdrawals/request-withdrawal.ts';
import { requestedAsset, requireTransfer, requireWithdrawal } from './withdrawal-quote.ts';

export async function requestWithdrawal(
  call: Call<Routes['requestWithdrawal']>,
  dependencies: Dependencies,
) {
  const { body } = call;
  const { now } = dependencies.catalogue;
  const asked =
    body.network === EMAIL_NETWORK ? requireTransfer(now, body) : requireWithdrawal(now, body);
  if (asked instanceof Refused) return asked;
  const { address, amountAtoms, coin, feeAsset, feeAtoms, network } = asked;
  const wanted = {
    terms: {
      amountAtoms,
      asset: requestedAsset(coin.asset),
      feeAsset: requestedAsset(feeAsset),
      feeAtoms,
      address,
      network,
    },
    otpCode: body.otp_code ?? '',
    form: body.version ?? 'v2',
  } as const;
  const person = personContext(call, dependencies);
  const requested = await withConnection(dependencies.registry, (connection) =>
    openWithdrawalFlow(connection, portsOf(dependencies), person, wanted),
  );
  return requested instanceof Refused ? requested : { message: 'Success' };
}

/**
 * Responses are evenly delayed, so their timing does not reveal whether a recipient has an account.
 */
export function confirmWithdrawal(
  call: Call<Routes['confirmWithdrawal']>,
  dependencies: Dependencies,
) {
  return answerEvenly(dependencies.clock, () => confirmRequest(call, dependencies));
}

/** A link has its own proof; everything else is valid only in the session that requested it. */
const LINK = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

async function confirmRequest(
  { body, caller, client }: Call<Routes['confirmWithdrawal']>,
  dependencies: Dependencies,
) {
  const code = body.token.trim();
  const confirmation = {
    code,
    flow: { network: client.network, session: caller?.session ?? 0 },
    nowMs: dependencies.clock.nowMs(),
    ...(!LINK.test(code) && { user: caller?.user ?? (0 as const) }),
  };
  const confirmed = await withConnection(dependencies.registry, (connection) =>
    confirmByMail(connection, portsOf(dependencies), confirmation),
  );
  if (confirmed instanceof Refused) return confirmed;
  const { position, terms } = confirmed;
  const { feeAsset, feeAtoms, network, transactionId } = terms;
  // A transfer's response does not wait for the outcome, which would reveal that a recipient
  // exists.
  if (network === EMAIL_NETWORK) dependencies.outcomes.wakeDispatcher();
  else if (position !== undefined) {
    const outcome = await requireOutcome(dependencies, position);
    if (outcome instanceof Refused) return outcome;
  }
  return {
    message: 'Withdrawal successful',
    fee: decimal(decimalFromAtoms(feeAtoms, feeAsset.scale)),
    transaction_id: transactionId,
  };
}

function portsOf({ exchange, vault }: Dependencies): WithdrawalPorts {
  return { vault, projectionSchema: exchange.projectionSchema };
}
