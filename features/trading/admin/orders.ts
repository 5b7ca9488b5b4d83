// Places or cancels a user's order as an operator. Placing one spends the user's money, so it is
// assessed like other money moved by an operator; canceling one never needs approval.

import type { KeyId, OrderNumber, Ticks, TimeMs, UserId } from '../../../core/money/index.ts';
import { enqueue } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { largerOf, requireUsers } from '../../payments/admin/index.ts';
import { lockFamily } from '../../payments/index.ts';
import { readTrade, type TradeTerms } from './direct-trade.ts';

export interface PlaceOrderPayload extends JsonObject {
  readonly user_id: number;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market';
  readonly size: string;
  /** Ignored for a market order. */
  readonly price: string;
  /** Unique per user, so one request creates one order. */
  readonly client_order_id: string;
}

export interface CancelOrderPayload extends JsonObject {
  readonly user_id: number;
  /** Order number in the log. */
  readonly order: number;
}

export const placeOrderAct = defineAct({
  name: 'order.create',
  votePower: 'approve.money',

  async prepare(context: ActContext, payload: PlaceOrderPayload) {
    const { side, symbol, type } = payload;
    const user = payload.user_id as UserId;
    const terms = await readTrade(context, termsOf(payload));
    if (terms instanceof Refused) return terms;
    const { base, quote } = terms;
    const refused = await requireUsers(context, [user]);
    if (refused !== undefined) return refused;
    const family = await lockFamily(context.connection, user);
    if (family === undefined) return new Refused('user_not_found');
    const money = type === 'market' ? base : await largerOf(context, [base, quote]);
    return {
      object: `user ${user}`,
      objectVersion: '',
      approvals: 0,
      money,
      beneficiaries: [user],
      shown: [
        { label: 'Order', value: `${type} ${side} ${base.amount} ${base.currency}` },
        { label: 'Market', value: symbol },
        ...(type === 'limit' ? [{ label: 'For', value: `${quote.amount} ${quote.currency}` }] : []),
        { label: 'User', value: `${user}` },
      ],
      run: () => queueOrder(context, payload, terms),
    };
  },
});

async function queueOrder(
  { connection }: ActContext,
  payload: PlaceOrderPayload,
  { market, priceTicks, sizeLots }: TradeTerms,
) {
  const { client_order_id: clientOrderId, price, side, size, symbol, type } = payload;
  const user = payload.user_id as UserId;
  const command = await enqueue(connection, {
    kind: 'PlaceOrder',
    user,
    key: 0 as KeyId,
    market,
    side,
    type,
    timeInForce: type === 'market' ? 'IOC' : 'GTC',
    selfTrade: 'cancel_newest',
    postOnly: false,
    priceTicks,
    sizeLots,
    stopTicks: 0 as Ticks,
    clientOrderId,
    note: '',
    trigger: 'stop',
    linkedOrder: 0 as OrderNumber,
    expiresMs: 0 as TimeMs,
  });
  return {
    result: { command },
    subject: user,
    after: { symbol, side, type, size, price, client_order_id: clientOrderId },
    effects: { dispatcher: true as const },
  };
}

/** A market order has no price. */
function termsOf({ price, size, symbol, type }: PlaceOrderPayload) {
  return { size, symbol, price: type === 'market' ? '0' : price };
}

export const cancelOrderAct = defineAct({
  name: 'order.cancel',
  votePower: 'approve.money',

  async prepare(context: ActContext, { order, user_id }: CancelOrderPayload) {
    const user = user_id as UserId;
    const refused = await requireUsers(context, [user]);
    if (refused !== undefined) return refused;
    return {
      object: `order ${order}`,
      objectVersion: '',
      approvals: 0,
      beneficiaries: [],
      shown: [
        { label: 'Cancel order', value: `${order}` },
        { label: 'User', value: `${user}` },
      ],
      async run() {
        const command = await enqueue(context.connection, {
          kind: 'CancelOrder',
          user,
          order: order as OrderNumber,
          byOperator: true,
        });
        const effects = { dispatcher: true } as const;
        return { result: { command }, subject: user, after: { order }, effects };
      },
    };
  },
});
