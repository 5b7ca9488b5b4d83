// Parses JSON without losing digits of decimals: where the shape has a decimal, the result holds
// the number's source text instead of a float. Everything else is parsed by JSON.parse.

import type { Shape } from './call-table.ts';

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
// TypeScript's library types lack the third parameter of a reviver.
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Throws a SyntaxError if the text is not JSON. */
export function readJson(text: string, decimals: Shape): unknown {
  const value: unknown = JSON.parse(text);
  if (decimals === 0) return value;
  return withTexts(value, withNumberTexts(text), decimals);
}

/** Parses the text with every number replaced by its source text. */
export function withNumberTexts(text: string): unknown {
  return parse(text, numberText);
}

function numberText(_key: string, value: unknown, { source }: { readonly source?: string }) {
  if (typeof value !== 'number') return value;
  if (source !== undefined) return source;
  throw new Error(
    'This JavaScript engine lacks JSON.parse source text access: set the option decimals: "number"',
  );
}

/** Replaces decimals in `value` by their source text. Both arguments come from the same JSON. */
export function withTexts(value: unknown, texts: unknown, shape: Shape): unknown {
  if (shape === 0 || value === null) return value;
  if (shape === 1) return typeof value === 'number' ? texts : value;
  if (Array.isArray(value)) {
    const inside = shape['[]'] ?? 0;
    if (inside === 0) return value;
    const list = texts as unknown[];
    for (let at = 0; at < value.length; at += 1) value[at] = withTexts(value[at], list[at], inside);
    return value;
  }
  if (typeof value !== 'object') return value;
  const object = value as Record<string, unknown>;
  const others = shape['*'] ?? 0;
  for (const key of Object.keys(object)) {
    const inside = Object.hasOwn(shape, key) ? shape[key] : others;
    if (inside !== 0) object[key] = withTexts(object[key], (texts as typeof object)[key], inside);
  }
  return object;
}
