// Maximum amount that a user can withdraw now, after the fee and within the limits. Uses the
// withdrawal policy with a proven factor and a valid address.

import { type Atoms, decimalFromAtoms, type KeyId } from '../../../core/money/index.ts';
import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import { BALANCES_OF_USER } from '../../../infra/projections/index.ts';
import { type Call, type Dependencies, requireFresh } from '../../../platform/http/index.ts';
import { decimal, type Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { AssetEntry } from '../../listings/index.ts';
import { type PolicyInput, withdrawalPolicy } from '../policy/withdrawal-policy.ts';
import { readPolicyInput } from '../policy/withdrawal-policy-input.ts';
import { quoteWithdrawal, requestedAsset, requireCoin } from './withdrawal-quote.ts';

export async function getWithdrawalMax(
  { caller, query }: Call<Routes['getWithdrawalMax']>,
  dependencies: Dependencies,
) {
  const { now } = dependencies.catalogue;
  const coin = requireCoin(now, query.currency);
  if (coin instanceof Refused) return coin;
  const quote = quoteWithdrawal(now, { coin, network: query.network });
  if (quote instanceof Refused) return quote;
  const { feeAsset, feeAtoms, network } = quote;
  const { asset } = coin;
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const { rows } = await dependencies.projections.query(BALANCES_OF_USER, [caller.user]);
  const availableOf = ({ asset }: AssetEntry) =>
    BigInt(rows.find(({ asset_id }) => Number(asset_id) === asset)?.available_atoms ?? 0);
  const isFeeInCoin = feeAsset.asset === asset.asset;
  const canPayFee = isFeeInCoin || availableOf(feeAsset) >= feeAtoms;
  const most = canPayFee ? availableOf(asset) - (isFeeInCoin ? feeAtoms : 0n) : 0n;
  const input = await readInput();
  // If an amount is allowed, so is every smaller one: a binary search finds the maximum.
  let [low, high] = [0n, most > 0n ? most : 0n];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (isAllowed(middle)) low = middle;
    else high = middle - 1n;
  }
  return { amount: decimal(decimalFromAtoms(low as Atoms, asset.scale)) };

  function isAllowed(atoms: bigint): boolean {
    if (input === undefined) return false;
    const requested = { ...input.requested, atoms: atoms.toString() };
    return withdrawalPolicy({ ...input, requested }).verdict.kind !== 'refuse';
  }

  async function readInput(): Promise<PolicyInput | undefined> {
    const request = {
      user: caller.user,
      key: 0 as KeyId,
      proof: 'second_factor',
      address: '',
      network,
      feeAtoms,
      asset: requestedAsset(asset),
      feeAsset: requestedAsset(feeAsset),
      amountAtoms: 1n as Atoms,
      projectionSchema: dependencies.exchange.projectionSchema,
    } as const;
    const found = await withConnection(dependencies.registry, (session) =>
      inTransaction(session, () => readPolicyInput(session, request)),
    );
    if (found === undefined) return undefined;
    const { account, address, coin: described } = found;
    return {
      ...found,
      account: { ...account, isBookOnly: false },
      address: { ...address, isValid: true, isOwn: false },
      // Without a minimum, every smaller amount is also allowed.
      coin: described && { ...described, hasNetwork: true, min: null },
    };
  }
}
