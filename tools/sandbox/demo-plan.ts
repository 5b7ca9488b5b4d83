// Seed data for a demo exchange: that of every sandbox, another coin, a fictional exchange token,
// and three more pairs.

import { ASSETS, type AssetPlan, fee, MARKETS, type MarketPlan } from './seed-plan.ts';

export const DEMO_ASSETS: readonly AssetPlan[] = [
  ...ASSETS,
  {
    scale: 8,
    issuanceCap: '1000000000',
    description: {
      symbol: 'eth',
      fullname: 'Ethereum',
      type: 'blockchain',
      network: 'eth',
      allowDeposit: true,
      allowWithdrawal: true,
      estimatedPrice: '3000',
      min: '0.01',
      max: '1000',
      incrementUnit: '0.00000001',
      withdrawalFee: '0.005',
      withdrawalFees: { eth: { ...fee('0.005', 'eth'), min: '0.01', max: '1000' } },
    },
  },
  {
    scale: 6,
    issuanceCap: '1000000000',
    description: {
      symbol: 'rlt',
      fullname: 'Rialto demo token',
      type: 'blockchain',
      network: 'eth',
      allowDeposit: true,
      allowWithdrawal: true,
      estimatedPrice: '2.5',
      min: '1',
      max: '1000000',
      incrementUnit: '0.000001',
      withdrawalFee: '2',
      withdrawalFees: { eth: { ...fee('2', 'rlt'), min: '1', max: '1000000' } },
    },
  },
];

export const DEMO_PAIRS: readonly MarketPlan[] = [
  ...MARKETS,
  {
    base: 'eth',
    quote: 'usdt',
    lot: '0.001',
    tickMantissa: 1,
    tickScale: 2,
    minPrice: '10',
    maxPrice: '100000',
    minSize: '0.001',
    maxSize: '10000',
    referencePrice: '3000',
  },
  {
    base: 'eth',
    quote: 'btc',
    lot: '0.01',
    tickMantissa: 1,
    tickScale: 6,
    minPrice: '0.001',
    maxPrice: '1',
    minSize: '0.01',
    maxSize: '10000',
    referencePrice: '0.05',
  },
  {
    base: 'rlt',
    quote: 'usdt',
    lot: '0.1',
    tickMantissa: 1,
    tickScale: 4,
    minPrice: '0.01',
    maxPrice: '1000',
    minSize: '0.1',
    maxSize: '1000000',
    referencePrice: '2.5',
  },
];
