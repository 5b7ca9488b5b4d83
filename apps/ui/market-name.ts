// Market names as screens show them.

/** Returns `BTC/USDT` for `btc-usdt`. */
export function marketName(symbol: string): string {
  return symbol.toUpperCase().replace('-', '/');
}
