// The largest amount that a user can withdraw now, after the fee and within the limits. Uses the
// same verdict as a withdrawal.

import { type Atoms, decimalFromAtoms, type KeyId } from '../../../core/money/index.ts';
import type { AssetEntry } from '../../../domain/catalogue/index.ts';
import { readVerdictInput, withdrawalVerdict } from '../../../domain/transfers/index.ts';
import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import { BALANCES_OF_USER } from '../../../infra/projections/index.ts';
import { decimal, type ResponseOf, type Routes } from '../../../protocol/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call } from '../handler.ts';
import { requireFresh } from '../preconditions.ts';
import { pricesIn } from './prices-in.ts';
import { requestedAsset, requireCoin, withdrawalTerms } from './withdrawal-terms.ts';

export async function getWithdrawalMax(
  { caller, query }: Call<Routes['getWithdrawalMax']>,
  dependencies: Dependencies,
): Promise<ResponseOf<Routes['getWithdrawalMax']>> {
  const { now } = dependencies.catalogue;
  const coin = requireCoin(now, query.currency);
  const { feeAsset, feeAtoms, network } = withdrawalTerms(now, { coin, network: query.network });
  await requireFresh(dependencies);
  const { rows } = await dependencies.projections.query(BALANCES_OF_USER, [caller.user]);
  const availableOf = ({ asset }: AssetEntry) =>
    BigInt(rows.find(({ asset_id }) => Number(asset_id) === asset)?.available_atoms ?? 0);
  const isFeeInCoin = feeAsset.asset === coin.asset.asset;
  const canPayFee = isFeeInCoin || availableOf(feeAsset) >= feeAtoms;
  const most = canPayFee ? availableOf(coin.asset) - (isFeeInCoin ? feeAtoms : 0n) : 0n;
  const input = await readInput();
  // If an amount is allowed, every smaller one is: a binary search finds the largest.
  let [low, high] = [0n, most > 0n ? most : 0n];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (isAllowed(middle)) low = middle;
    else high = middle - 1n;
  }
  return { amount: decimal(decimalFromAtoms(low as Atoms, coin.asset.scale)) };

  function isAllowed(atoms: bigint): boolean {
    if (input === undefined) return false;
    const requested = { ...input.requested, atoms: atoms.toString() };
    return withdrawalVerdict({ ...input, requested }) === 'allowed';
  }

  async function readInput() {
    const request = {
      user: caller.user,
      key: 0 as KeyId,
      address: '',
      network,
      feeAtoms,
      asset: requestedAsset(coin.asset),
      feeAsset: requestedAsset(feeAsset),
      amountAtoms: 1n as Atoms,
      pricesIn: (currency: string) => pricesIn(dependencies, currency),
    };
    return withConnection(dependencies.registry, (session) =>
      inTransaction(session, () => readVerdictInput(session, request)),
    );
  }
}
