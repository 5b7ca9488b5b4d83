// The few kinds of values that the wire is made of. A decimal never passes through a float: it
// comes in as a safe integer or as its own text, and goes out as its own text.

import { type Static, type TSchema, Type } from 'typebox';

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

/** Clients send null for what they leave out. */
export const DecimalOrNullIn = Type.Unsafe<number | string | null>({
  anyOf: [
    { type: ['number', 'null'] },
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
    isRawJSON(value: unknown): value is WireDecimal;
  }
}

/** The text must be a plain decimal: made by the functions of core/money. */
export function decimal(text: string): WireDecimal {
  return JSON.rawJSON(text);
}

/** ISO 8601, UTC, with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time' });
export const TimestampOrNull = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
});

/** A moment as clients say it: ISO 8601, or a date alone, which begins at midnight UTC. */
export const MomentIn = Type.String({ maxLength: 40, format: 'date-time' });

export const StringOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** In queries, where everything is text: `true` and `True` are the same. */
export const BooleanIn = Type.Unsafe<boolean>({ type: 'boolean' });

/** What PostgreSQL can keep: no U+0000, and no half of a character. */
const STORABLE = '^[^\\u0000\\ud800-\\udfff]*$';

export function textIn(bounds: { readonly minLength?: number; readonly maxLength: number }) {
  return Type.String({ ...bounds, pattern: STORABLE });
}

export const SymbolIn = Type.String({ minLength: 1, maxLength: 64 });
export const CurrencyIn = Type.String({ minLength: 1, maxLength: 32 });

/** One word of a closed list. */
export function oneOf<const Words extends readonly string[]>(words: Words, description?: string) {
  return Type.Unsafe<Words[number]>({
    type: 'string',
    enum: [...words],
    ...(description !== undefined && { description }),
  });
}

/** In queries a list is one text, its entries parted by commas. */
export function listIn<const Item extends TSchema>(
  item: Item,
  options: { readonly itemsMax: number; readonly description?: string },
) {
  const { description, itemsMax } = options;
  return Type.Array(item, {
    minItems: 1,
    maxItems: itemsMax,
    ...(description !== undefined && { description }),
  });
}

/** A map whose keys are symbols, coins or numbers of tiers. */
export function mapOf<const Value extends TSchema>(value: Value) {
  return Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    additionalProperties: value,
  });
}

/** Whatever an operator or a user put there; nothing here depends on it. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' });
