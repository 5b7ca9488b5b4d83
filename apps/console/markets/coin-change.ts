// Change of a listed asset: the fields of its form, the request with only the changed ones, and the
// approvals that the exchange requires for them.

import type { CoinChangeIn, ListedCoin } from '../../../client/index.ts';
import { compare, isDecimal, isPositive, multiply } from '../../decimals/index.ts';
import type { Needed } from '../approvals/consent.ts';

export interface CoinEdit {
  readonly fullname: string;
  readonly allowDeposit: boolean;
  readonly allowWithdrawal: boolean;
  readonly isPublic: boolean;
  readonly min: string;
  readonly max: string;
  readonly withdrawalFee: string;
  /** Withdrawal fee of each network; empty for the fee of the asset. */
  readonly networkFees: Readonly<Record<string, string>>;
  readonly estimatedPrice: string;
  readonly issuanceCap: string;
}

export function networksOf({ network }: Pick<ListedCoin, 'network'>): string[] {
  return network === '' ? [] : network.split(',').map((one) => one.trim());
}

export function editOf(coin: ListedCoin): CoinEdit {
  const fees = coin.withdrawal_fees ?? {};
  return {
    fullname: coin.fullname,
    allowDeposit: coin.allow_deposit,
    allowWithdrawal: coin.allow_withdrawal,
    isPublic: coin.is_public,
    min: coin.min,
    max: coin.max,
    withdrawalFee: coin.withdrawal_fee,
    networkFees: Object.fromEntries(networksOf(coin).map((one) => [one, fees[one]?.value ?? ''])),
    estimatedPrice: coin.estimated_price ?? '',
    issuanceCap: coin.issuance_cap,
  };
}

/** Fields as typed that the exchange would reject. */
export function invalidFields(edit: CoinEdit): readonly (keyof CoinEdit)[] {
  const isAmount = (text: string) => isDecimal(text) && compare(text, '0') >= 0;
  const areLimits = isAmount(edit.min) && isAmount(edit.max);
  return [
    ...(edit.fullname.trim() === '' ? (['fullname'] as const) : []),
    ...(isAmount(edit.min) ? [] : (['min'] as const)),
    ...(areLimits && compare(edit.min, edit.max) <= 0 ? [] : (['max'] as const)),
    ...(isAmount(edit.withdrawalFee) ? [] : (['withdrawalFee'] as const)),
    ...(Object.values(edit.networkFees).every((fee) => fee === '' || isAmount(fee))
      ? []
      : (['networkFees'] as const)),
    ...(edit.estimatedPrice === '' || isPositive(edit.estimatedPrice)
      ? []
      : (['estimatedPrice'] as const)),
    ...(isPositive(edit.issuanceCap) ? [] : (['issuanceCap'] as const)),
  ];
}

/** Returns only the changed fields; undefined if there is none. */
export function coinChange(coin: ListedCoin, edit: CoinEdit): CoinChangeIn | undefined {
  const now = editOf(coin);
  const isNew = (name: 'min' | 'max' | 'withdrawalFee' | 'issuanceCap') =>
    compare(edit[name], now[name]) !== 0;
  const change = {
    ...(edit.fullname.trim() !== now.fullname && { fullname: edit.fullname.trim() }),
    ...(edit.allowDeposit !== now.allowDeposit && { allow_deposit: edit.allowDeposit }),
    ...(edit.allowWithdrawal !== now.allowWithdrawal && { allow_withdrawal: edit.allowWithdrawal }),
    ...(edit.isPublic !== now.isPublic && { is_public: edit.isPublic }),
    ...(isNew('min') && { min: edit.min }),
    ...(isNew('max') && { max: edit.max }),
    ...(isNew('withdrawalFee') && { withdrawal_fee: edit.withdrawalFee }),
    ...(areFeesNew(now, edit) && { withdrawal_fees: feesOf(coin, edit) }),
    ...(edit.estimatedPrice !== now.estimatedPrice && {
      estimated_price: edit.estimatedPrice === '' ? null : edit.estimatedPrice,
    }),
    ...(isNew('issuanceCap') && { issuance_cap: edit.issuanceCap }),
  };
  return Object.keys(change).length === 0 ? undefined : { code: coin.symbol, ...change };
}

function areFeesNew(now: CoinEdit, { networkFees }: CoinEdit): boolean {
  return Object.entries(networkFees).some(([network, fee]) => fee !== now.networkFees[network]);
}

function feesOf(coin: ListedCoin, { networkFees }: CoinEdit) {
  const others = Object.entries(coin.withdrawal_fees ?? {}).filter(
    ([network]) => !Object.hasOwn(networkFees, network),
  );
  const own = Object.entries(networkFees)
    .filter(([, value]) => value !== '')
    .map(([network, value]) => {
      const fee = { symbol: coin.symbol, active: true, type: 'static', min: null, max: null };
      return [network, { ...fee, ...coin.withdrawal_fees?.[network], value }];
    });
  const all = Object.fromEntries([...others, ...own]);
  return Object.keys(all).length === 0 ? null : all;
}

const DESCRIBING = ['code', 'fullname', 'is_public'];
const SWITCHES = ['allow_deposit', 'allow_withdrawal'];
const CAP_FACTOR = '10';
const PRICE_FACTOR = '2';

/**
 * Approvals in team mode, as far as the page can tell: the exchange also counts the changes of the
 * last day to the cap, and those of the last week to the price.
 */
export function approvalsFor(coin: ListedCoin, change: CoinChangeIn): Needed {
  const { estimated_price: price, issuance_cap: cap } = change;
  if (cap !== undefined && compare(`${cap}`, multiply(coin.issuance_cap, CAP_FACTOR)) > 0) return 2;
  if (price !== undefined && price !== null && isFar(coin.estimated_price, `${price}`)) return 2;
  const isLight = Object.entries(change).every(
    ([name, value]) => DESCRIBING.includes(name) || (SWITCHES.includes(name) && value === false),
  );
  return isLight ? 0 : 1;
}

/** The first price, or one that moves by more than twice. */
function isFar(before: string | null, after: string): boolean {
  if (before === null || !isPositive(before)) return true;
  return (
    compare(after, multiply(before, PRICE_FACTOR)) > 0 ||
    compare(before, multiply(after, PRICE_FACTOR)) > 0
  );
}
