// The routes of fiat. The rules are in features/payments; here the terms come from the catalogue.

import { decimalFromAtoms } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { ApiRefusal, type HandlersOf } from '../../../platform/http/index.ts';
import { decimal } from '../../../protocol/index.ts';
import { actOf, mailsRefused } from '../../auth/http/index.ts';
import type { CatalogueNow, CoinEntry } from '../../listings/index.ts';
import { FIAT_REQUESTS_MAX, requestFiatDeposit } from '../deposits/fiat-deposits.ts';
import { FIAT_NETWORK } from '../policy/withdrawal-policy.ts';
import { requestFiatWithdrawal } from '../withdrawals/fiat-withdrawals.ts';
import { policyRefusal } from './policy-refusal.ts';
import { REQUEST_ERRORS } from './request-withdrawal.ts';
import { requestAnswer } from './transfer-json.ts';
import { readRequestAfterChange } from './transfer-requests.ts';
import {
  requestedAsset,
  requireAmount,
  requireCoin,
  requireWithdrawals,
  withdrawalTerms,
} from './withdrawal-terms.ts';

const CONFIRM = 'Confirm the withdrawal with the code that was sent to your email';

export const fiatRoutes: HandlersOf<'fiat'> = {
  async requestFiatDeposit(call, dependencies) {
    const { address = '', amount, currency, transaction_id } = call.body;
    const coin = requireFiat(dependencies.catalogue.now, currency);
    const { symbol } = coin;
    if (!coin.allowDeposit || !coin.active) {
      throw new ApiRefusal('deposits_are_off', { currency: symbol });
    }
    // No bounds but those of the coin's unit: the money is on its way already.
    const amountAtoms = requireAmount(amount, { coin, min: '0', max: '0' });
    const act = actOf(call, dependencies);
    const requested = await withConnection(dependencies.registry, (connection) =>
      requestFiatDeposit(connection, act, {
        asset: requestedAsset(coin.asset),
        amountAtoms,
        transactionId: transaction_id.trim(),
        address,
      }),
    );
    if (requested.kind === 'refused') {
      throw new ApiRefusal(requested.refusal, { max: FIAT_REQUESTS_MAX, currency: symbol });
    }
    const { id } = requested;
    return requestAnswer(await readRequestAfterChange(dependencies, { type: 'deposit', id }));
  },

  async requestFiatWithdrawal(call, dependencies) {
    const { amount, bank_id: bank, currency, otp_code: otpCode = '', version } = call.body;
    const { exchange, registry, vault } = dependencies;
    const { now } = dependencies.catalogue;
    const coin = requireFiat(now, currency);
    const { symbol } = coin;
    requireWithdrawals(coin);
    const terms = withdrawalTerms(now, { coin, network: FIAT_NETWORK });
    const { feeAsset, feeAtoms } = terms;
    const wanted = {
      bank,
      otpCode,
      form: version ?? 'v2',
      terms: {
        asset: requestedAsset(coin.asset),
        amountAtoms: requireAmount(amount, terms),
        feeAsset: requestedAsset(feeAsset),
        feeAtoms,
      },
    } as const;
    const ports = { vault, projectionSchema: exchange.projectionSchema };
    const act = actOf(call, dependencies);
    const requested = await withConnection(registry, (connection) =>
      requestFiatWithdrawal(connection, ports, act, wanted),
    );
    if (requested.kind === 'refused') {
      if ('line' in requested) {
        throw policyRefusal(requested, { currency: symbol, network: FIAT_NETWORK });
      }
      if ('retryAfterS' in requested) throw mailsRefused(requested);
      const { refusal } = requested;
      const key =
        refusal in REQUEST_ERRORS
          ? REQUEST_ERRORS[refusal as keyof typeof REQUEST_ERRORS]
          : (refusal as Exclude<typeof refusal, keyof typeof REQUEST_ERRORS>);
      throw new ApiRefusal(key, { max: FIAT_REQUESTS_MAX, currency: symbol });
    }
    const { id, transactionId: transaction_id } = requested;
    return {
      message: CONFIRM,
      id,
      transaction_id,
      amount: decimal(decimalFromAtoms(wanted.terms.amountAtoms, coin.asset.scale)),
      currency: symbol,
      fee: decimal(decimalFromAtoms(feeAtoms, feeAsset.scale)),
      fee_coin: feeAsset.symbol,
    };
  },
};

function requireFiat(now: CatalogueNow, currency: string): CoinEntry {
  const coin = requireCoin(now, currency);
  if (coin.type !== 'fiat') throw new ApiRefusal('fiat_currency_invalid', { currency });
  return coin;
}
