// The topics of the stream and their messages. Payloads that the interface does not document are
// 'any'.

import { BALANCE, BOOK, ORDER_RESULT, PUBLIC_TRADE } from './resources.ts';
import type { Fields, Shape, Topic } from './shape.ts';

function message(topic: string, action: string, data: Shape, more: Fields = {}): Fields {
  return {
    topic: [{ values: [topic] }, 'topic'],
    action: [{ values: [action] }, 'kind of change'],
    ...more,
    data: [data, 'content'],
    time: ['seconds', 'unix time'],
  };
}

const symbol: Fields = { symbol: ['string', 'market'] };
const user_id: Fields = { user_id: ['number', 'owner'] };
const ORDERS: Shape = { list: { fields: ORDER_RESULT } };

export const TOPICS = {
  orderbook: {
    kind: 'public',
    meaning: 'book; orderbook:<symbol> selects a market',
    messages: { partial: message('orderbook', 'partial', { fields: BOOK }, symbol) },
  },
  trade: {
    kind: 'public',
    meaning: 'trades; trade:<symbol> selects a market',
    messages: {
      partial: message('trade', 'partial', { list: { fields: PUBLIC_TRADE } }, symbol),
    },
  },
  order: {
    kind: 'private',
    meaning: 'orders of the user',
    messages: {
      partial: message('order', 'partial', ORDERS, user_id),
      insert: message('order', 'insert', ORDERS, { ...user_id, ...symbol }),
      update: message('order', 'update', ORDERS, { ...user_id, ...symbol }),
    },
  },
  usertrade: {
    kind: 'private',
    meaning: 'trades of the user',
    messages: { insert: message('usertrade', 'insert', 'any') },
  },
  wallet: {
    kind: 'private',
    meaning: 'balances of the user',
    messages: { partial: message('wallet', 'partial', BALANCE, user_id) },
  },
  deposit: {
    kind: 'private',
    meaning: 'deposits of the user, including canceled ones',
    messages: { insert: message('deposit', 'insert', 'any') },
  },
  withdrawal: {
    kind: 'private',
    meaning: 'withdrawals of the user, including canceled ones',
    messages: { insert: message('withdrawal', 'insert', 'any') },
  },
  admin: {
    kind: 'private',
    meaning: 'events of all users, for administrators only',
    messages: {},
  },
  stake: {
    kind: 'private',
    meaning: 'opened and ended stakes',
    messages: { insert: message('stake', 'insert', 'any') },
  },
  price: {
    kind: 'public',
    meaning: 'prices of assets in US dollars',
    messages: { partial: message('price', 'partial', 'any') },
  },
} as const satisfies Readonly<Record<string, Topic>>;
