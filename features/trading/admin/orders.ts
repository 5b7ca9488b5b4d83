// An operator places or cancels an order of a user. Placing one spends the user's money, so it
// counts like other money that an operator moves; cancelling one never needs a second person.

import type { KeyId, OrderNumber, Ticks, UserId } from '../../../core/money/index.ts';
import { enqueue } from '../../../platform/outbox/index.ts';
import { ActRefused, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { largerOf, requireUsers } from '../../payments/admin/index.ts';
import { lockFamily } from '../../payments/index.ts';
import { readTrade } from './direct-trade.ts';

export interface PlaceOrderPayload extends JsonObject {
  readonly user_id: number;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market';
  readonly size: string;
  /** Ignored for a market order. */
  readonly price: string;
  /** Unique for the user: one request is one order. */
  readonly client_order_id: string;
}

export interface CancelOrderPayload extends JsonObject {
  readonly user_id: number;
  /** The number of the order in the log. */
  readonly order: number;
}

/** The command in the queue. */
interface Queued extends JsonObject {
  readonly command: number;
}

export const placeOrderAct = defineAct<PlaceOrderPayload, Queued>({
  name: 'order.create',
  votePower: 'approve.money',

  async assess(context, payload) {
    const { side, symbol, type, user_id: user } = payload;
    const { base, quote } = await readTrade(context, termsOf(payload));
    await requireUsers(context, [user]);
    return {
      object: `user ${user}`,
      objectVersion: '',
      approvals: 0,
      money: type === 'market' ? base : await largerOf(context, [base, quote]),
      beneficiaries: [user as UserId],
      shown: [
        { label: 'Order', value: `${type} ${side} ${base.amount} ${base.currency}` },
        { label: 'Market', value: symbol },
        ...(type === 'limit' ? [{ label: 'For', value: `${quote.amount} ${quote.currency}` }] : []),
        { label: 'Of user', value: `${user}` },
      ],
    };
  },

  async execute(context, payload) {
    const { connection } = context;
    const { client_order_id: clientOrderId, price, side, size, symbol, type } = payload;
    const user = payload.user_id as UserId;
    if ((await lockFamily(connection, user)) === undefined) throw new ActRefused('user_not_found');
    const { market, priceTicks, sizeLots } = await readTrade(context, termsOf(payload));
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
    });
    return {
      result: { command },
      subject: user,
      after: { symbol, side, type, size, price, client_order_id: clientOrderId },
      effects: { dispatcher: true },
    };
  },
});

/** A market order has no price. */
function termsOf({ price, size, symbol, type }: PlaceOrderPayload) {
  return { size, symbol, price: type === 'market' ? '0' : price };
}

export const cancelOrderAct = defineAct<CancelOrderPayload, Queued>({
  name: 'order.cancel',
  votePower: 'approve.money',

  async assess(context, { order, user_id: user }) {
    await requireUsers(context, [user]);
    return {
      object: `order ${order}`,
      objectVersion: '',
      approvals: 0,
      beneficiaries: [],
      shown: [
        { label: 'Cancel order', value: `${order}` },
        { label: 'Of user', value: `${user}` },
      ],
    };
  },

  async execute({ connection }, { order, user_id }) {
    const user = user_id as UserId;
    const command = await enqueue(connection, {
      kind: 'CancelOrder',
      user,
      order: order as OrderNumber,
      byOperator: true,
    });
    return { result: { command }, subject: user, after: { order }, effects: { dispatcher: true } };
  },
});
