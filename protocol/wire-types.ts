// The few kinds of values that the wire is made of. A decimal never passes through a float: it comes
// in as a safe integer or as its own text, and goes out as its own text.

import { Type } from 'typebox';

/**
 * A decimal as it arrives: the body's reader leaves whole numbers as numbers, and gives all other
 * numbers as the text that stood there. Clients may send texts themselves.
 */
export const DecimalIn = Type.Unsafe<number | string>({
  anyOf: [
    { type: 'number' },
    { type: 'string', minLength: 1, maxLength: 64, description: 'The same as a text.' },
  ],
});

/** A decimal as it leaves: made with `decimal()` from its text, a plain JSON number. */
export const Decimal = Type.Unsafe<WireDecimal>({ type: 'number' });
export const DecimalOrNull = Type.Unsafe<WireDecimal | null>({ type: ['number', 'null'] });

/** A number that JSON.stringify writes as the text it was made from. */
export type WireDecimal = { readonly rawJSON: string };

declare global {
  interface JSON {
    rawJSON(text: string): WireDecimal;
  }
}

/** The text must be a plain decimal: made by the functions of core/money. */
export function decimal(text: string): WireDecimal {
  return JSON.rawJSON(text);
}

export const Timestamp = Type.String({ format: 'date-time' });

/** In queries, where everything is text: `true` and `True` are the same. */
export const BooleanIn = Type.Unsafe<boolean>({ type: 'boolean' });

export const SymbolIn = Type.String({ minLength: 1, maxLength: 64 });
