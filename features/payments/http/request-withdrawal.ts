// A person requests a withdrawal in their session, and confirms it with the code from the mail. The
// rules are in features/payments; here terms come from the catalogue, and refusals become errors.

import { decimalFromAtoms } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import {
  ApiRefusal,
  answerEvenly,
  type Call,
  type Dependencies,
  requireOutcome,
} from '../../../platform/http/index.ts';
import { decimal, type ErrorKey, type ResponseOf, type Routes } from '../../../protocol/index.ts';
import { actOf, mailsRefused } from '../../auth/http/index.ts';
import { EMAIL_NETWORK } from '../addresses/parse-destination.ts';
import { type ConfirmationRefusal, confirmByMail } from '../withdrawals/confirm-withdrawal.ts';
import { openWithdrawalFlow, type WithdrawalPorts } from '../withdrawals/request-withdrawal.ts';
import { policyRefusal } from './policy-refusal.ts';
import {
  requestedAsset,
  requireAddress,
  requireAmount,
  requireCoin,
  requireNetwork,
  requireNoFiat,
  requireWithdrawals,
  transferTerms,
  withdrawalTerms,
} from './withdrawal-terms.ts';

export async function requestWithdrawal(
  call: Call<Routes['requestWithdrawal']>,
  dependencies: Dependencies,
): Promise<ResponseOf<Routes['requestWithdrawal']>> {
  const { body } = call;
  const { now } = dependencies.catalogue;
  const coin = requireCoin(now, body.currency);
  requireWithdrawals(coin);
  const { network: asked } = body;
  if (asked !== EMAIL_NETWORK) requireNoFiat(coin);
  const terms =
    asked === EMAIL_NETWORK ? transferTerms(coin) : withdrawalTerms(now, { coin, network: asked });
  if (asked !== EMAIL_NETWORK) requireNetwork(terms);
  const { feeAsset, feeAtoms, network } = terms;
  const wanted = {
    terms: {
      amountAtoms: requireAmount(body.amount, terms),
      asset: requestedAsset(coin.asset),
      feeAsset: requestedAsset(feeAsset),
      feeAtoms,
      address: requireAddress(body.address, terms),
      network,
    },
    otpCode: body.otp_code ?? '',
    form: body.version ?? 'v2',
  } as const;
  const act = actOf(call, dependencies);
  const requested = await withConnection(dependencies.registry, (connection) =>
    openWithdrawalFlow(connection, portsOf(dependencies), act, wanted),
  );
  if (requested.kind === 'requested') return { message: 'Success' };
  if ('line' in requested) throw policyRefusal(requested, { currency: coin.symbol, network });
  if ('retryAfterS' in requested) throw mailsRefused(requested);
  throw new ApiRefusal(REQUEST_ERRORS[requested.refusal]);
}

/** Answers leave evenly: their time does not say whether a recipient has an account. */
export function confirmWithdrawal(
  call: Call<Routes['confirmWithdrawal']>,
  dependencies: Dependencies,
): Promise<ResponseOf<Routes['confirmWithdrawal']>> {
  return answerEvenly(dependencies.clock, () => confirmRequest(call, dependencies));
}

/** A link has its own proof; everything else counts only in the session that requested it. */
const LINK = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

async function confirmRequest(
  { body, caller, client }: Call<Routes['confirmWithdrawal']>,
  dependencies: Dependencies,
): Promise<ResponseOf<Routes['confirmWithdrawal']>> {
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
  if (confirmed.kind === 'refused') {
    if ('line' in confirmed) {
      const { asset, network } = confirmed.terms;
      throw policyRefusal(confirmed, { currency: asset.currency, network });
    }
    throw new ApiRefusal(CONFIRM_ERRORS[confirmed.refusal]);
  }
  const { position, terms } = confirmed;
  const { feeAsset, feeAtoms, network, transactionId } = terms;
  // The answer to a transfer does not wait: it would say that there is a recipient.
  if (network === EMAIL_NETWORK) dependencies.outcomes.wakeDispatcher();
  else if (position !== undefined) await requireOutcome(dependencies, position);
  return {
    message: 'Withdrawal successful',
    fee: decimal(decimalFromAtoms(feeAtoms, feeAsset.scale)),
    transaction_id: transactionId,
  };
}

function portsOf({ exchange, vault }: Dependencies): WithdrawalPorts {
  return { vault, projectionSchema: exchange.projectionSchema };
}

export const REQUEST_ERRORS = {
  session_of_person_needed: 'session_of_person_needed',
  otp_not_enabled: 'withdrawal_factor_needed',
  factor_wrong: 'withdrawal_not_confirmed',
  factor_blocked: 'factor_blocked',
  recipient_is_own_account: 'recipient_is_own_account',
  exchange_read_only: 'exchange_read_only',
} as const satisfies Record<string, ErrorKey>;

const CONFIRM_ERRORS = {
  code_wrong: 'code_wrong',
  code_expired: 'code_expired',
  code_used: 'code_used',
  request_has_ended: 'withdrawal_under_way',
  terms_changed: 'withdrawal_terms_changed',
  balance_too_small: 'balance_too_small',
  exchange_read_only: 'exchange_read_only',
} as const satisfies Record<ConfirmationRefusal, ErrorKey>;
