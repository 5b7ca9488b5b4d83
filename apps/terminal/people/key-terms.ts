// The terms of an API key as the exchange wants them.

/** Addresses that were typed with commas, blanks or line ends between them. */
export function addressesOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((address) => address !== '');
}

const DAY_MS = 24 * 60 * 60_000;
const MARGIN_MS = 60_000;

/** The end of a key; a minute early, so that the longest choice is inside the limit. */
export function expiryAfter(days: number, nowMs: number): string {
  return new Date(nowMs + days * DAY_MS - MARGIN_MS).toISOString();
}
