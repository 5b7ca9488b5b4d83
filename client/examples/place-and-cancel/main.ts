// Places an order below the market, reads it and cancels it. Reads RIALTO_URL, RIALTO_KEY and
// RIALTO_SECRET; the first argument is a pair.

import { randomUUID } from 'node:crypto';
import { RialtoClient, RialtoError } from '@rialto/client';

const { RIALTO_KEY: key = '', RIALTO_SECRET: secret = '', RIALTO_URL: url = '' } = process.env;
const [symbol = 'btc-usdt'] = process.argv.slice(2);
const client = new RialtoClient({ url, key, secret });

const { pairs } = await client.getConstants();
const pair = pairs[symbol];
if (pair === undefined)
  throw new Error(`Unknown pair ${symbol}: expected one of ${Object.keys(pairs).join(', ')}`);

try {
  const { id } = await client.createOrder({
    symbol,
    side: 'buy',
    type: 'limit',
    size: pair.min_size,
    price: '50000',
    // With a client order id the client can retry safely: the exchange places the order once.
    client_order_id: randomUUID(),
    meta: { post_only: true },
  });
  const order = await client.getOrder({ order_id: id! });
  console.log(`${order.status}: ${order.side} ${order.size} at ${order.price}`);
  const cancelled = await client.cancelOrder({ order_id: id! });
  console.log(`${cancelled.status}: ${cancelled.filled} was filled`);
} catch (fault) {
  if (!(fault instanceof RialtoError)) throw fault;
  const doubt = fault.isOutcomeUnknown ? '; it may have been executed' : '';
  console.error(`${fault.code}: ${fault.message}${doubt}`);
  process.exitCode = 1;
}
