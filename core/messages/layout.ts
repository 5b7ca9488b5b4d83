// The wire format of messages: for each kind a code and its fields, in order, with their wire
// types. The compiler checks a layout against the message type: each field once, with a fitting
// wire type. The log outlives every release: only append fields, and never reuse a code.

import type { AssetId, KeyId, MarketId, Ppm, UserId } from '../money/index.ts';

/** A word is a one-byte index into a closed list of the vocabulary. */
export interface AnyWord {
  readonly list: readonly string[];
  /** The list's name in vocabulary.ts. */
  readonly listName: string;
}

export interface Word<Value extends string> extends AnyWord {
  readonly list: readonly Value[];
  /** Never set. Makes words of other lists incompatible, longer or shorter. */
  readonly exactly?: (value: Value) => void;
}

/**
 * `safe` is a safe integer from 0 in eight bytes, `u32` an unsigned integer in four. `atoms` is a
 * signed integer in eight bytes. `bool` is one byte. `text` is a two-byte length, then UTF-8.
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

/** A field that older frames lack: decoding them gives the default. */
export interface AppendedField<FieldWire, Value> {
  readonly wire: FieldWire;
  /** The schema version that added the field. */
  readonly since: number;
  readonly default: Value;
}

type FieldFor<Value> = WireFor<Value> | AppendedField<WireFor<Value>, Value>;
type FieldsFor<Message> = {
  readonly [Name in Exclude<keyof Message, 'kind'>]: FieldFor<Message[Name]>;
};

/** The layouts of every kind in a union of messages. Fields are in wire order. */
export type LayoutsFor<Message extends { readonly kind: string }> = {
  readonly [Kind in Message['kind']]: {
    readonly code: number;
    /** The schema version that added the kind; 1 if absent. */
    readonly since?: number;
    readonly fields: FieldsFor<Extract<Message, { readonly kind: Kind }>>;
  };
};

/** Layout fields that the messages lack. `satisfies` does not check spread groups. */
export type FieldsTooMany<
  SomeLayouts extends Layouts,
  Message extends { readonly kind: string },
> = {
  [Kind in keyof SomeLayouts]: Exclude<
    keyof SomeLayouts[Kind]['fields'],
    keyof Extract<Message, { readonly kind: Kind }>
  >;
}[keyof SomeLayouts];

/** Layouts of any messages. */
export type Field = Wire | AppendedField<Wire, string | number | bigint | boolean>;
export interface RecordLayout {
  readonly code: number;
  readonly since?: number;
  readonly fields: Readonly<Record<string, Field>>;
}
export type Layouts = Readonly<Record<string, RecordLayout>>;

/** The version of all layouts. Appending a field, a kind or a word increments it. */
export const SCHEMA_VERSION = 8;
