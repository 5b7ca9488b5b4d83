// The words in which the interface is written down as data: shapes of answers, and parameters.

export type Scalar = 'string' | 'number' | 'boolean' | 'time' | 'seconds' | 'object' | 'array';

/** A field: its shape, and its meaning. */
export type Field = readonly [shape: Shape, meaning: string];
export type Fields = Readonly<Record<string, Field>>;

export type Shape =
  | Scalar
  /** A scalar that may be null. */
  | `${Scalar}?`
  /** One of these texts. */
  | { readonly values: readonly string[] }
  | { readonly fields: Fields }
  | { readonly list: Shape }
  /** Any keys, equal values. */
  | { readonly map: Shape }
  /** `{count, data}`. */
  | { readonly page: Shape }
  /** An array of a fixed length. */
  | { readonly tuple: readonly Shape[] }
  /** `<coin>_balance` and `<coin>_available` of every coin, beside these fields. */
  | { readonly balance: Fields }
  | { readonly orNull: Shape }
  /** Not documented. */
  | 'any';

export interface Parameter {
  readonly type: Scalar;
  readonly meaning: string;
  readonly isRequired?: true;
  readonly values?: readonly string[];
  readonly default?: number;
  readonly maximum?: number;
}

export interface Endpoint {
  readonly auth: 'public' | 'user' | 'administrator';
  /** The key needs the withdrawal permission. */
  readonly withdraws?: true;
  /** By name; a dot separates members of an object. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly answer: Shape;
}

export type Endpoints = Readonly<
  Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /v2/${string}`, Endpoint>
>;

export interface Topic {
  readonly kind: 'public' | 'private';
  readonly meaning: string;
  /** By action. */
  readonly messages: Readonly<Record<string, Fields>>;
}

type Given = Omit<Parameter, 'type' | 'meaning'>;

/** A parameter that may be left out. */
export function may(type: Scalar, meaning: string, given: Given = {}): Parameter {
  return { type, meaning, ...given };
}

/** A parameter that must be given. */
export function must(type: Scalar, meaning: string, given: Given = {}): Parameter {
  return { type, meaning, isRequired: true, ...given };
}
