// Terms of an API key, as the exchange expects them.

/** Splits addresses at commas, semicolons, spaces and line breaks. */
export function addressesOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((address) => address !== '');
}

const DAY_MS = 24 * 60 * 60_000;
const MARGIN_MS = 60_000;

/** Returns the expiry, one minute early, so the longest choice is within the limit. */
export function expiryAfter(days: number, nowMs: number): string {
  return new Date(nowMs + days * DAY_MS - MARGIN_MS).toISOString();
}
