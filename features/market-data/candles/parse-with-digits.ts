// Parses JSON and keeps the source text of its numbers, so that none becomes a float.

// TypeScript's types lack the third parameter.
type Revive = (key: string, value: unknown, context: { readonly source: string }) => unknown;

const parse = JSON.parse as (text: string, revive: Revive) => unknown;

export function parseWithDigits(text: string): unknown {
  return parse(text, (_key, value, { source }) => (typeof value === 'number' ? source : value));
}
