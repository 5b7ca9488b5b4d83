// Places an order far from the market under a name of its own, looks at it, and cancels it.
// RIALTO_URL, RIALTO_KEY and RIALTO_SECRET say where and who; the first argument is a pair.

import { randomUUID } from 'node:crypto';
import { RialtoClient, RialtoError } from '@rialto/client';

const { RIALTO_KEY: key = '', RIALTO_SECRET: secret = '', RIALTO_URL: url = '' } = process.env;
const [symbol = 'btc-usdt'] = process.argv.slice(2);
const client = new RialtoClient({ url, key, secret });

const { pairs } = await client.getConstants();
const pair = pairs[symbol];
if (pair === undefined) throw new Error(`${symbol} is not traded here`);

try {
  const { id } = await client.createOrder({
    symbol,
    side: 'buy',
    type: 'limit',
    size: pair.min_size,
    price: '50000',
    // Sent again after a lost answer, an order with a name is still placed once.
    client_order_id: randomUUID(),
    meta: { post_only: true },
  });
  const order = await client.getOrder({ order_id: id! });
  console.log(`${order.status}: ${order.side} ${order.size} at ${order.price}`);
  const cancelled = await client.cancelOrder({ order_id: id! });
  console.log(`${cancelled.status}: ${cancelled.filled} was filled`);
} catch (fault) {
  if (!(fault instanceof RialtoError)) throw fault;
  const doubt = fault.isOutcomeUnknown ? '; it may have been carried out' : '';
  console.error(`${fault.code}: ${fault.message}${doubt}`);
  process.exitCode = 1;
}
