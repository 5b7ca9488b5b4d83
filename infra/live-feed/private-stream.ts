// The stream that captures private news for some minutes, so that who was away for a moment gets
// what was said meanwhile. The publisher makes it; gateways read it.

/** How long private news are kept. */
export const PRIVATE_STREAM_KEEPS_MS = 600_000;

export function privateStreamName(exchange: string): string {
  return `${exchange.toUpperCase()}_PRIVATE`;
}
