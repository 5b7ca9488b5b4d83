// Last open market, stored in this browser.

const STORED_AS = 'rialto.symbol';
const FIRST = 'btc-usdt';

export function lastSymbol(): string {
  return storedSymbol() ?? FIRST;
}

/** Undefined if no market was opened yet. */
export function storedSymbol(): string | undefined {
  const stored = localStorage.getItem(STORED_AS) ?? '';
  return /^[a-z0-9]{1,15}-[a-z0-9]{1,15}$/.test(stored) ? stored : undefined;
}

export function rememberSymbol(symbol: string): void {
  localStorage.setItem(STORED_AS, symbol);
}
