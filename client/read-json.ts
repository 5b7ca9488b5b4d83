// Reads JSON so that decimals keep all their digits: where one is expected, the text that stood
// there is given instead of a float. Everything else is what JSON.parse makes of it.

import type { Shape } from './call.ts';

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
// The library's types do not know the third parameter yet.
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Throws a SyntaxError for what is not JSON. */
export function readJson(text: string, decimals: Shape): unknown {
  const value: unknown = JSON.parse(text);
  if (decimals === 0) return value;
  return withTexts(value, textsOf(text), decimals);
}

/** The same, with the text of each number in its place. */
export function textsOf(text: string): unknown {
  return parse(text, numberText);
}

function numberText(_key: string, value: unknown, { source }: { readonly source?: string }) {
  if (typeof value !== 'number') return value;
  if (source !== undefined) return source;
  throw new Error('this JavaScript engine can not keep digits of numbers: use decimals: "number"');
}

/** Puts the texts into the value, where the shape has decimals. Both are of the same text. */
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
