// Rows are read without loss, at the bounds of their numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillOfRow, orderOfRow } from './trading-rows.ts';

const [CREATED, UPDATED] = [new Date(1_700_000_000_123), new Date(1_700_000_009_456)];
const LARGEST = '9007199254740991';

test('an order is read with all its digits', () => {
  const row = {
    number: LARGEST,
    user_id: '2147483647',
    market_id: '3',
    side: 'sell',
    type: 'limit',
    time_in_force: 'GTC',
    post_only: true,
    client_order_id: 'mine',
    note: 'n',
    key_id: '9',
    stop_ticks: '5',
    trigger: 'take_profit',
    linked_order: '41',
    expires_at: new Date(1_800_000_000_000),
    maker_fee_ppm: '1000',
    taker_fee_ppm: '2000',
    price_ticks: LARGEST,
    size_lots: LARGEST,
    filled_lots: '1',
    fee_atoms: '4611686018427387904',
    filled_quote_atoms: '4611686018427387903',
    close_reason: null,
    status: 'pfilled',
    created_at: CREATED,
    updated_at: UPDATED,
  };
  const read = orderOfRow(row);
  assert.partialDeepStrictEqual(read, {
    order: 9_007_199_254_740_991,
    user: 2_147_483_647,
    market: 3,
    stopTicks: 5,
    trigger: 'take_profit',
    linkedOrder: 41,
    expiresMs: 1_800_000_000_000,
    makerFeePpm: 1_000,
    takerFeePpm: 2_000,
    createdMs: 1_700_000_000_123,
    priceTicks: 9_007_199_254_740_991,
    sizeLots: 9_007_199_254_740_991,
    remainingLots: 9_007_199_254_740_990,
    feeAtoms: 4_611_686_018_427_387_904n,
    filledQuoteAtoms: 4_611_686_018_427_387_903n,
    closeReason: undefined,
    updatedMs: 1_700_000_009_456,
  });
  const texts = { side: 'sell', type: 'limit', timeInForce: 'GTC', postOnly: true, note: 'n' };
  assert.partialDeepStrictEqual(read, { ...texts, clientOrderId: 'mine' });
  assert.equal(orderOfRow({ ...row, close_reason: 'filled' }).closeReason, 'filled');
});

test('a fill is read with all its digits', () => {
  const row = {
    market_id: '3',
    side: 'buy',
    price_ticks: LARGEST,
    size_lots: '7',
    order_number: '0',
    fee_atoms: '4611686018427387904',
    executed_at: CREATED,
    trade: '11',
  };
  assert.deepEqual(fillOfRow(row), {
    market: 3,
    side: 'buy',
    priceTicks: 9_007_199_254_740_991,
    sizeLots: 7,
    order: 0,
    feeAtoms: 4_611_686_018_427_387_904n,
    executedMs: 1_700_000_000_123,
  });
});
