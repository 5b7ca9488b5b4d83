// Shell commands that call a running exchange, ready to paste, including the signature. They need
// curl and openssl, and show the steps of every client.

export interface ExampleOptions {
  /** Without `/v2`. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

export function publicExample({ url }: Pick<ExampleOptions, 'url'>): string {
  return `curl -s '${url}/v2/orderbook?symbol=btc-usdt'`;
}

/** Places an order far below the market price, so it rests in the book. */
export function signedExample({ key, secret, url }: ExampleOptions): string {
  const body = '{"symbol":"btc-usdt","side":"buy","size":0.01,"type":"limit","price":50000}';
  return [
    `KEY=${key}`,
    `SECRET=${secret}`,
    'EXPIRES=$(($(date +%s) + 60))',
    `BODY='${body}'`,
    `SIGNATURE=$(printf '%s' "POST/v2/order$EXPIRES$BODY" |`,
    `  openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')`,
    `curl -s -X POST '${url}/v2/order' -H 'content-type: application/json' \\`,
    '  -H "api-key: $KEY" -H "api-expires: $EXPIRES" -H "api-signature: $SIGNATURE" \\',
    '  -d "$BODY"',
  ].join('\n');
}

/** Places the same order with ccxt's unmodified client for this interface. */
export function ccxtExample({ key, secret, url }: ExampleOptions): string {
  return [
    "npx node --input-type=module <<'END'",
    "import ccxt from 'ccxt';",
    'const exchange = new ccxt.hollaex({',
    `  apiKey: '${key}',`,
    `  secret: '${secret}',`,
    `  urls: { api: { rest: '${url}' } },`,
    '});',
    "const order = await exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.01, 50_000);",
    'console.log(JSON.stringify({ id: order.id, status: order.status }));',
    'END',
  ].join('\n');
}
