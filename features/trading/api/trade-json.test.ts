// Tests a trade with both sides: each side pays its fee in the asset it receives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedMarket } from '../../../core/market-data/index.ts';
import { operatorTradeJson, type TradeFacts } from './trade-json.ts';

const MARKET = {
  market: 1,
  symbol: 'btc-usdt',
  base: { asset: 1, symbol: 'btc', scale: 8 },
  quote: { asset: 2, symbol: 'usdt', scale: 6 },
  lot: { atoms: 10_000n, scale: 8 },
  tick: { mantissa: 1, scale: 2 },
  tickLotAtoms: 1n,
} as ListedMarket;

const TRADE = {
  takerSide: 'buy',
  priceTicks: 6_000_050,
  sizeLots: 3,
  makerOrder: 10,
  takerOrder: 11,
  maker: 7,
  taker: 8,
  makerFeeAtoms: 45_001n,
  takerFeeAtoms: 12n,
  isQuick: false,
  executedMs: Date.UTC(2026, 1, 3),
} as TradeFacts;

test('a buying taker pays in the base, the maker in the quote', () => {
  assert.equal(
    operatorTradeJson(MARKET, TRADE),
    '{"side":"buy","symbol":"btc-usdt","size":0.0003,"price":60000.5' +
      ',"timestamp":"2026-02-03T00:00:00.000Z"' +
      ',"maker_order_id":"00000000-0000-810a-8000-000000000000"' +
      ',"taker_order_id":"00000000-0000-810b-8000-000000000000"' +
      ',"maker_fee":0.045001,"taker_fee":0.00000012' +
      ',"maker_fee_coin":"usdt","taker_fee_coin":"btc","quick":false,"maker_id":7,"taker_id":8' +
      ',"maker_network_id":7,"taker_network_id":8}',
  );
});

test('a trade outside the book has no orders', () => {
  const direct = { ...TRADE, takerSide: 'sell', makerOrder: 0, takerOrder: 0 } as TradeFacts;
  const { maker_fee_coin, maker_order_id, taker_fee_coin, taker_order_id } = JSON.parse(
    operatorTradeJson(MARKET, direct),
  );
  assert.deepEqual([maker_order_id, taker_order_id], [null, null]);
  assert.deepEqual([maker_fee_coin, taker_fee_coin], ['btc', 'usdt']);
});
