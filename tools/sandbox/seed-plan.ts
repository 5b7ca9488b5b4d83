// Seed data for a sandbox: two coins and a fiat currency, three markets, two tiers, an
// administrator and two traders. Amounts are decimals as an operator writes them.

import type { TransactionLimit } from '../../features/accounts/index.ts';
import type { CoinDescription } from '../../features/listings/index.ts';

export interface AssetPlan {
  readonly scale: number;
  readonly issuanceCap: string;
  readonly description: CoinDescription;
}

export interface MarketPlan {
  readonly base: string;
  readonly quote: string;
  /** One lot, in base units; one tick as mantissa × 10^-scale. */
  readonly lot: string;
  readonly tickMantissa: number;
  readonly tickScale: number;
  readonly minPrice: string;
  readonly maxPrice: string;
  readonly minSize: string;
  readonly maxSize: string;
  readonly referencePrice: string;
}

export interface UserPlan {
  readonly name: 'admin' | 'alice' | 'bob';
  readonly email: string;
  readonly fullName: string;
  readonly tier: number;
  readonly role?: 'admin';
  /** Amounts by asset, in its units. */
  readonly funds: Readonly<Record<string, string>>;
  /** Deposit addresses by currency and network. */
  readonly wallets: readonly { currency: string; network: string; address: string }[];
}

export const ASSETS: readonly AssetPlan[] = [
  {
    scale: 8,
    issuanceCap: '21000000',
    description: {
      symbol: 'btc',
      fullname: 'Bitcoin',
      type: 'blockchain',
      network: 'btc',
      allowDeposit: true,
      allowWithdrawal: true,
      estimatedPrice: '60000',
      min: '0.001',
      max: '100',
      incrementUnit: '0.00000001',
      withdrawalFee: '0.0005',
      withdrawalFees: {
        btc: { ...fee('0.0005', 'btc'), min: '0.001', max: '100' },
      },
    },
  },
  {
    scale: 6,
    issuanceCap: '1000000000000',
    description: {
      symbol: 'usdt',
      fullname: 'Tether',
      type: 'blockchain',
      network: 'eth,trx',
      allowDeposit: true,
      allowWithdrawal: true,
      estimatedPrice: '1',
      min: '10',
      max: '1000000',
      incrementUnit: '0.000001',
      withdrawalFee: '5',
      withdrawalFees: {
        eth: { ...fee('5', 'usdt'), min: '10', max: '1000000' },
        trx: { ...fee('1', 'usdt'), min: '10', max: '1000000' },
      },
    },
  },
  {
    // More decimals than a cent, so one lot of bitcoin at one tick is a whole number of atoms.
    scale: 6,
    issuanceCap: '1000000000000',
    description: {
      symbol: 'eur',
      fullname: 'Euro',
      type: 'fiat',
      estimatedPrice: '1.08',
      allowDeposit: true,
      allowWithdrawal: true,
      withdrawalFee: '1',
      min: '10',
      max: '1000000',
      incrementUnit: '0.01',
    },
  },
];

export const MARKETS: readonly MarketPlan[] = [
  {
    base: 'btc',
    quote: 'usdt',
    lot: '0.0001',
    tickMantissa: 1,
    tickScale: 2,
    minPrice: '100',
    maxPrice: '1000000',
    minSize: '0.0001',
    maxSize: '1000',
    referencePrice: '60000',
  },
  {
    base: 'btc',
    quote: 'eur',
    lot: '0.0001',
    tickMantissa: 1,
    tickScale: 2,
    minPrice: '100',
    maxPrice: '1000000',
    minSize: '0.0001',
    maxSize: '1000',
    referencePrice: '55000',
  },
  {
    base: 'usdt',
    quote: 'eur',
    lot: '0.01',
    tickMantissa: 1,
    tickScale: 4,
    minPrice: '0.01',
    maxPrice: '100',
    minSize: '1',
    maxSize: '10000000',
    referencePrice: '0.92',
  },
];

/** Price band around the reference, and the slippage cap for market orders. */
export const BAND_PPM = 200_000;
export const SLIPPAGE_PPM = 50_000;

/** Fees in every market: maker and taker pay 0.1% and 0.2% in tier 1, half of that in tier 2. */
export const TIERS = [
  { tier: 1, name: 'basic', description: 'The default tier.', maker: 1_000, taker: 2_000 },
  { tier: 2, name: 'vip', description: 'For users with high volume.', maker: 500, taker: 1_000 },
] as const;

/** Withdrawal limits for 24 hours and for a month, in units. */
export const LIMITS: readonly Omit<TransactionLimit, 'id'>[] = [
  limit(1, 'btc', 'btc', ['5', '50']),
  limit(1, 'eur', 'eur', ['50000', '500000']),
  limit(1, 'default', 'usdt', ['100000', '1000000']),
  limit(2, 'btc', 'btc', ['50', '500']),
  limit(2, 'eur', 'eur', ['500000', '5000000']),
  limit(2, 'default', 'usdt', ['1000000', '10000000']),
];

const FUNDS = { btc: '100', usdt: '5000000', eur: '5000000' };

export const USERS: readonly UserPlan[] = [
  {
    name: 'admin',
    email: 'admin@example.com',
    fullName: 'Ada Administrator',
    tier: 1,
    role: 'admin',
    funds: {},
    wallets: [],
  },
  {
    name: 'alice',
    email: 'alice@example.com',
    fullName: 'Alice Trader',
    tier: 1,
    funds: FUNDS,
    wallets: [
      { currency: 'btc', network: 'btc', address: 'bc1qalice0000000000000000000000000000000' },
      { currency: 'usdt', network: 'eth', address: '0xa11ce00000000000000000000000000000000000' },
      { currency: 'usdt', network: 'trx', address: 'TAlice0000000000000000000000000000' },
    ],
  },
  {
    name: 'bob',
    email: 'bob@example.com',
    fullName: 'Bob Trader',
    tier: 2,
    funds: FUNDS,
    wallets: [],
  },
];

export function fee(value: string, symbol: string) {
  return { value, symbol, active: true, type: 'static' };
}

function limit(
  tier: number,
  limitCurrency: string,
  currency: string,
  [amount, monthlyAmount]: readonly [string, string],
): Omit<TransactionLimit, 'id'> {
  return { tier, type: 'withdrawal', limitCurrency, currency, amount, monthlyAmount };
}

/** For tests: withdrawals of new funds to new addresses are reviewed only if they are large. */
export const WIDE_POLICY = {
  freshFundsHours: 0,
  newAddressFrom: '100000',
  oneReviewFrom: '100000',
  twoReviewsFrom: '1000000',
  openMax: 10_000,
  perHourMax: 1_000,
} as const;
