// Tracks open orders and balances from the stream alone, across reconnects, and prints them after
// each change. Reads RIALTO_URL, RIALTO_KEY and RIALTO_SECRET.

import { type AccountMessage, RialtoStream } from '@rialto/client';

const { RIALTO_KEY: key = '', RIALTO_SECRET: secret = '', RIALTO_URL: url = '' } = process.env;

const orders = new Map<string, string>();
const balances = new Map<string, string>();

function apply(message: AccountMessage): void {
  if (message.topic === 'wallet') {
    for (const [name, amount] of Object.entries(message.data)) {
      if (name.endsWith('_balance')) balances.set(name.slice(0, -'_balance'.length), amount);
    }
  } else if (message.topic === 'order') {
    for (const { id, price, side, size, status, symbol } of message.data) {
      const isOpen = status === 'new' || status === 'pfilled';
      if (isOpen) orders.set(id, `${side} ${size} ${symbol} at ${price}`);
      else orders.delete(id);
    }
  }
}

const stream = new RialtoStream({ url, key, secret });
for await (const { action, messages, sequence } of stream.account()) {
  if (action === 'snapshot') {
    orders.clear();
    balances.clear();
  }
  for (const message of messages) apply(message);
  console.log(
    JSON.stringify({ sequence, orders: [...orders.values()], ...Object.fromEntries(balances) }),
  );
}
