// Value types on the wire. A decimal never passes through a float: it arrives as a safe integer or
// as text, and leaves as text.

import type { Static, TSchema } from 'typebox';
import { Type } from './type.ts';

/**
 * A decimal in a request: the body reader keeps integers as numbers and converts all other numbers
 * to their source text. Clients can send texts.
 */
export const DecimalIn = Type.Unsafe<number | string>({
  anyOf: [
    { type: 'number' },
    { type: 'string', minLength: 1, maxLength: 64, description: 'The decimal as a text.' },
  ],
});

/** Clients send null for an absent value. */
export const DecimalOrNullIn = Type.Unsafe<number | string | null>({
  anyOf: [
    { type: ['number', 'null'] },
    { type: 'string', minLength: 1, maxLength: 64, description: 'The decimal as a text.' },
  ],
});

/** A decimal in a response: created with `decimal()` from its text, a plain JSON number. */
export const Decimal = Type.Unsafe<WireDecimal>({ type: 'number' });
export const DecimalOrNull = Type.Unsafe<WireDecimal | null>({ type: ['number', 'null'] });

/** A number that JSON.stringify serializes as its source text. */
export type WireDecimal = { readonly rawJSON: string };

declare global {
  interface JSON {
    rawJSON(text: string): WireDecimal;
    isRawJSON(value: unknown): value is WireDecimal;
  }
}

/** The text must be a plain decimal from the functions in core/money. */
export function decimal(text: string): WireDecimal {
  return JSON.rawJSON(text);
}

/** ISO 8601, UTC, with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time' });
export const TimestampOrNull = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
});

/** A time in a request: ISO 8601, or a date, which means midnight UTC. */
export const MomentIn = Type.String({ maxLength: 40, format: 'date-time' });

export const StringOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** A boolean in a query, where `true` and `True` are equal. */
export const BooleanIn = Type.Unsafe<boolean>({ type: 'boolean' });

/** Text that PostgreSQL can store: no U+0000 and no lone surrogate. */
const STORABLE = '^[^\\u0000\\ud800-\\udfff]*$';

export function textIn(options: {
  readonly minLength?: number;
  readonly maxLength: number;
  readonly description?: string;
}) {
  return Type.String({ ...options, pattern: STORABLE });
}

export const UserIdIn = Type.Integer({ minimum: 1 });
export const SymbolIn = Type.String({ minLength: 1, maxLength: 64 });
export const CurrencyIn = Type.String({ minLength: 1, maxLength: 32 });

/** One value from a closed list. */
export function oneOf<const Words extends readonly string[]>(words: Words, description?: string) {
  return Type.Unsafe<Words[number]>({
    type: 'string',
    enum: [...words],
    ...(description !== undefined && { description }),
  });
}

/** A list in a query: one text, separated by commas. */
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

/** A map by symbol, coin or tier number. */
export function mapOf<const Value extends TSchema>(value: Value) {
  return Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    additionalProperties: value,
  });
}

/** Free content from an operator or a user; the exchange does not interpret it. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' });

// Many events share the time of one frame, so recent texts are cached.
const TIMES_KEPT = 4_096;
const times = new Map<number, string>();

/** Converts times to wire text: ISO 8601 in UTC with milliseconds. It never reads a clock. */
export function timeText(timeMs: number): string {
  let text = times.get(timeMs);
  if (text === undefined) {
    text = new Date(timeMs).toISOString();
    if (times.size >= TIMES_KEPT) times.clear();
    times.set(timeMs, text);
  }
  return text;
}

export function timeTextOrNull(time: Date | null): string | null {
  return time === null ? null : timeText(time.getTime());
}
