// Last open market, stored in this browser.

const STORED_AS = 'rialto.symbol';
const FIRST = 'btc-usdt';

export function lastSymbol(): string {
  const stored = localStorage.getItem(STORED_AS) ?? '';
  return /^[a-z0-9]{1,15}-[a-z0-9]{1,15}$/.test(stored) ? stored : FIRST;
}

export function rememberSymbol(symbol: string): void {
  localStorage.setItem(STORED_AS, symbol);
}
