// What a withdrawal costs. Public; over the only network, or that of the coin, when none is named.

import { decimalFromAtoms } from '../../../core/money/index.ts';
import { decimal, type ResponseOf, type Routes } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Call } from '../handler.ts';
import { requireCoin, withdrawalTerms } from '../money/withdrawal-terms.ts';
import type { Parts } from '../parts.ts';

export function getWithdrawalFee(
  { query }: Call<Routes['getWithdrawalFee']>,
  { catalogue }: Parts,
): ResponseOf<Routes['getWithdrawalFee']> {
  const currency = query.currency ?? query.symbol;
  if (currency === undefined) {
    throw new ApiRefusal('request_invalid', { detail: 'Parameter (currency) is required' });
  }
  const coin = requireCoin(catalogue.now, currency);
  const { feeAsset, feeAtoms } = withdrawalTerms(catalogue.now, { coin, network: query.network });
  const fee = decimal(decimalFromAtoms(feeAtoms, feeAsset.scale));
  return { fee, fee_coin: feeAsset.symbol };
}
