// Handlers for fiat. The rules are in features/payments; this file takes the terms from the
// catalog.

import { decimalFromAtoms } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import type { HandlersOf } from '../../../platform/http/index.ts';
import { decimal } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { personContext } from '../../auth/http/index.ts';
import type { CatalogueNow } from '../../listings/index.ts';
import { requestFiatDeposit } from '../deposits/fiat-deposits.ts';
import { FIAT_NETWORK } from '../policy/withdrawal-policy.ts';
import { requestFiatWithdrawal } from '../withdrawals/fiat-withdrawals.ts';
import { requestAnswer } from './transfer-json.ts';
import { readRequestAfterChange } from './transfer-requests.ts';
import {
  areWithdrawalsOn,
  quoteWithdrawal,
  requestedAsset,
  requireAmount,
  requireCoin,
} from './withdrawal-quote.ts';

const CONFIRM = 'Confirm the withdrawal with the code that was sent to your email';

export const fiatRoutes: HandlersOf<'fiat'> = {
  async requestFiatDeposit(call, dependencies) {
    const { address = '', amount, currency, transaction_id } = call.body;
    const coin = requireFiat(dependencies.catalogue.now, currency);
    if (coin instanceof Refused) return coin;
    if (!coin.allowDeposit || !coin.active) {
      return new Refused('deposits_are_off', { currency: coin.symbol });
    }
    // Only the coin's unit limits the amount, because the money has already been sent.
    const amountAtoms = requireAmount(amount, { coin, min: '0', max: '0' });
    if (amountAtoms instanceof Refused) return amountAtoms;
    const person = personContext(call, dependencies);
    const requested = await withConnection(dependencies.registry, (connection) =>
      requestFiatDeposit(connection, person, {
        asset: requestedAsset(coin.asset),
        amountAtoms,
        transactionId: transaction_id.trim(),
        address,
      }),
    );
    if (requested instanceof Refused) return requested;
    const { id } = requested;
    const row = await readRequestAfterChange(dependencies, { type: 'deposit', id });
    return row instanceof Refused ? row : requestAnswer(row);
  },

  async requestFiatWithdrawal(call, dependencies) {
    const { amount, bank_id: bank, currency, otp_code: otpCode = '', version } = call.body;
    const { exchange, registry, vault } = dependencies;
    const { now } = dependencies.catalogue;
    const coin = requireFiat(now, currency);
    if (coin instanceof Refused) return coin;
    const { symbol } = coin;
    if (!areWithdrawalsOn(coin)) return new Refused('withdrawals_are_off', { currency: symbol });
    const quote = quoteWithdrawal(now, { coin, network: FIAT_NETWORK });
    if (quote instanceof Refused) return quote;
    const { feeAsset, feeAtoms } = quote;
    const amountAtoms = requireAmount(amount, quote);
    if (amountAtoms instanceof Refused) return amountAtoms;
    const wanted = {
      bank,
      otpCode,
      form: version ?? 'v2',
      terms: {
        asset: requestedAsset(coin.asset),
        amountAtoms,
        feeAsset: requestedAsset(feeAsset),
        feeAtoms,
      },
    } as const;
    const ports = { vault, projectionSchema: exchange.projectionSchema };
    const person = personContext(call, dependencies);
    const requested = await withConnection(registry, (connection) =>
      requestFiatWithdrawal(connection, ports, person, wanted),
    );
    if (requested instanceof Refused) return requested;
    const { id, transactionId: transaction_id } = requested;
    return {
      message: CONFIRM,
      id,
      transaction_id,
      amount: decimal(decimalFromAtoms(amountAtoms, coin.asset.scale)),
      currency: symbol,
      fee: decimal(decimalFromAtoms(feeAtoms, feeAsset.scale)),
      fee_coin: feeAsset.symbol,
    };
  },
};

function requireFiat(now: CatalogueNow, currency: string) {
  const coin = requireCoin(now, currency);
  if (coin instanceof Refused || coin.type === 'fiat') return coin;
  return new Refused('fiat_currency_invalid', { currency });
}
