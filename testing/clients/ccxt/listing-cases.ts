// Listings as ccxt reads them: markets, currencies, fees.

import assert from 'node:assert/strict';
import { assertFields, type ClientCase } from '../client-case.ts';

const LIMITS = {
  'BTC/USDT': { amount: ['0.0001', '1000'], price: ['100', '1000000'], steps: ['0.0001', '0.01'] },
  'BTC/EUR': { amount: ['0.0001', '1000'], price: ['100', '1000000'], steps: ['0.0001', '0.01'] },
  'USDT/EUR': { amount: ['1', '10000000'], price: ['0.01', '100'], steps: ['0.01', '0.0001'] },
} as const;

export const listingCases: readonly ClientCase[] = [
  {
    title: 'loadMarkets returns the three pairs with their limits and increments',
    covers: ['fetchMarkets', 'GET public constants'],
    async run(stage) {
      const markets = await stage.client().loadMarkets();
      assert.deepEqual(Object.keys(markets).sort(), Object.keys(LIMITS).sort());
      for (const [symbol, { amount, price, steps }] of Object.entries(LIMITS)) {
        const market = markets[symbol]!;
        assert.deepEqual(market.limits.amount, { min: amount[0], max: amount[1] });
        assert.deepEqual(market.limits.price, { min: price[0], max: price[1] });
        assertFields(market.precision, { amount: steps[0], price: steps[1] });
        const [base, quote] = symbol.split('/');
        assertFields(market, { base, quote, active: true, spot: true, type: 'spot' });
        assert.equal(market.id, symbol.toLowerCase().replace('/', '-'));
      }
    },
  },
  {
    title: 'fetchMarkets returns the same as a list, each with its listing date',
    covers: ['fetchMarkets'],
    async run(stage) {
      const markets = await stage.client().fetchMarkets();
      assert.deepEqual(markets.map((market) => market?.id).sort(), [
        'btc-eur',
        'btc-usdt',
        'usdt-eur',
      ]);
      for (const market of markets) assert.ok(Number(market?.created) > 0);
    },
  },
  {
    title: 'fetchCurrencies returns coins and fiat with their fees, increments and networks',
    covers: ['fetchCurrencies'],
    async run(stage) {
      const currencies = (await stage.client().fetchCurrencies()) as Record<string, object>;
      assert.deepEqual(Object.keys(currencies).sort(), ['BTC', 'EUR', 'USDT']);
      const { BTC, EUR, USDT } = currencies as Record<string, { networks: object }>;
      assertFields(BTC, {
        id: 'btc',
        name: 'Bitcoin',
        type: 'crypto',
        fee: '0.0005',
        precision: '0.00000001',
        active: true,
        deposit: true,
        withdraw: true,
      });
      // The client shows the cheapest of several networks.
      assertFields(USDT, { id: 'usdt', type: 'crypto', fee: '1', precision: '0.000001' });
      assertFields(EUR, { id: 'eur', name: 'Euro', type: 'other', fee: '1', precision: '0.01' });
      assert.deepEqual(networkFees(BTC), { BTC: '0.0005' });
      assert.deepEqual(networkFees(USDT), { ERC20: '5', TRC20: '1' });
      assert.deepEqual(networkFees(EUR), {});
    },
  },
  {
    title: 'fetchTradingFees returns the rates of the first tier as fractions',
    covers: ['fetchTradingFees', 'GET public tiers'],
    async run(stage) {
      const fees = await stage.client().fetchTradingFees();
      assert.deepEqual(Object.keys(fees).sort(), Object.keys(LIMITS).sort());
      for (const fee of Object.values(fees)) {
        assertFields(fee, { maker: '0.001', taker: '0.002', percentage: true, tierBased: true });
      }
    },
  },
  {
    title: 'fetchDepositWithdrawFees returns the fee of each network',
    covers: ['fetchDepositWithdrawFees'],
    async run(stage) {
      const client = stage.client();
      await client.loadMarkets();
      const fees = (await client.fetchDepositWithdrawFees(['BTC', 'USDT'])) as Record<
        string,
        object
      >;
      assert.deepEqual(Object.keys(fees).sort(), ['BTC', 'USDT']);
      assertFields(fees.BTC, { withdraw: { fee: '0.0005', percentage: false } });
      assertFields(fees.USDT, {
        withdraw: { fee: '5', percentage: false },
        networks: {
          ERC20: { deposit: undefined, withdraw: '5' },
          TRC20: { deposit: undefined, withdraw: '1' },
        },
      });
    },
  },
];

function networkFees({ networks }: { networks: object }): Record<string, unknown> {
  const entries = Object.entries(networks as Record<string, { fee: unknown }>);
  return Object.fromEntries(entries.map(([code, { fee }]) => [code, fee]));
}
