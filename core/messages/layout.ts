// How a message lies on the wire: for each kind a code and its fields, in order, with their wire
// types. The compiler holds a layout to the message's type: each field once, each wire type fit.
// The log outlives every release: fields are only appended, and codes are never used again.

import type { AssetId, KeyId, MarketId, Ppm, UserId } from '../money/index.ts';

/** A word is the index, one byte, into a closed list of the vocabulary. */
export interface AnyWord {
  readonly list: readonly string[];
  /** The list's name in vocabulary.ts. */
  readonly listName: string;
}

export interface Word<Value extends string> extends AnyWord {
  readonly list: readonly Value[];
  /** Never set. It makes a word of some other list not fit, be that longer or shorter. */
  readonly exactly?: (value: Value) => void;
}

/**
 * `safe` is a safe integer from 0 in eight bytes, `u32` one of 32 bits in four. `atoms` is a
 * signed integer in eight bytes. `bool` is a byte. `text` is UTF-8 behind its length in bytes.
 */
export type Wire = 'safe' | 'u32' | 'atoms' | 'bool' | 'text' | AnyWord;

// Tuples keep a union of words together: Word<'buy' | 'sell'>, not Word<'buy'> | Word<'sell'>.
type WireFor<Value> = [Value] extends [bigint]
  ? 'atoms'
  : [Value] extends [UserId | AssetId | KeyId | MarketId | Ppm]
    ? 'u32'
    : [Value] extends [number]
      ? 'safe'
      : [Value] extends [boolean]
        ? 'bool'
        : [Value] extends [string]
          ? string extends Value
            ? 'text'
            : Word<Value>
          : never;

/** A field that older frames do not have: they read as the default. */
export interface AppendedField<FieldWire, Value> {
  readonly wire: FieldWire;
  /** The schema version that brought the field. */
  readonly since: number;
  readonly default: Value;
}

type FieldFor<Value> = WireFor<Value> | AppendedField<WireFor<Value>, Value>;
type FieldsFor<Message> = {
  readonly [Name in Exclude<keyof Message, 'kind'>]: FieldFor<Message[Name]>;
};

/** The layouts of every kind in a union of messages. The order of the fields is the wire's. */
export type LayoutsFor<Message extends { readonly kind: string }> = {
  readonly [Kind in Message['kind']]: {
    readonly code: number;
    /** The schema version that brought the kind; 1 when absent. */
    readonly since?: number;
    readonly fields: FieldsFor<Extract<Message, { readonly kind: Kind }>>;
  };
};

/** Fields of layouts that their messages do not have. A spread group escapes `satisfies`. */
export type FieldsTooMany<
  SomeLayouts extends Layouts,
  Message extends { readonly kind: string },
> = {
  [Kind in keyof SomeLayouts]: Exclude<
    keyof SomeLayouts[Kind]['fields'],
    keyof Extract<Message, { readonly kind: Kind }>
  >;
}[keyof SomeLayouts];

/** The same, for a reader that does not care which messages they are. */
export type Field = Wire | AppendedField<Wire, string | number | bigint | boolean>;
export interface RecordLayout {
  readonly code: number;
  readonly since?: number;
  readonly fields: Readonly<Record<string, Field>>;
}
export type Layouts = Readonly<Record<string, RecordLayout>>;

/** The version of all layouts together. Appending a field, a kind or a word moves it by one. */
export const SCHEMA_VERSION = 2;
