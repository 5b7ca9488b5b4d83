// An OrderPlaced event with every field, for tests: a resting limit order to buy. Tests name only
// the fields that matter to them.

import type { OrderPlaced } from '../../core/messages/index.ts';
import { fromPlain, type Plain } from './from-plain.ts';

export function orderPlaced(fields: Plain<OrderPlaced> = {}): OrderPlaced {
  return fromPlain<OrderPlaced>({
    kind: 'OrderPlaced',
    command: 10,
    order: 10,
    user: 7,
    key: 1,
    market: 1,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    selfTrade: 'cancel_newest',
    postOnly: false,
    priceTicks: 100,
    sizeLots: 10,
    stopTicks: 0,
    makerFeePpm: 1_000,
    takerFeePpm: 2_000,
    heldAsset: 2,
    heldAtoms: 1_000n,
    clientOrderId: '',
    note: '',
    trigger: 'stop',
    linkedOrder: 0,
    expiresMs: 0,
    quick: false,
    ...fields,
  });
}
