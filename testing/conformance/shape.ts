// The types that describe the interface as data: response shapes and parameters.

export type Scalar = 'string' | 'number' | 'boolean' | 'time' | 'seconds' | 'object' | 'array';

/** A field: its shape and meaning. */
export type Field = readonly [shape: Shape, meaning: string];
export type Fields = Readonly<Record<string, Field>>;

export type Shape =
  | Scalar
  /** A scalar or null. */
  | `${Scalar}?`
  /** One of these texts. */
  | { readonly values: readonly string[] }
  | { readonly fields: Fields }
  | { readonly list: Shape }
  /** Any keys, values of one shape. */
  | { readonly map: Shape }
  /** `{count, data}`. */
  | { readonly page: Shape }
  /** An array of a fixed length. */
  | { readonly tuple: readonly Shape[] }
  /** `<coin>_balance` and `<coin>_available` of every coin, in addition to these fields. */
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
  /** By name. A dot separates members of an object. */
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

/** Returns an optional parameter. */
export function may(type: Scalar, meaning: string, given: Given = {}): Parameter {
  return { type, meaning, ...given };
}

/** Returns a required parameter. */
export function must(type: Scalar, meaning: string, given: Given = {}): Parameter {
  return { type, meaning, isRequired: true, ...given };
}
