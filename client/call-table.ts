// The type of the generated call table: how each call is sent, and which fields of its response
// are decimals.

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Reads are safe to retry; a cancel is a write with its own rate limit. */
  readonly effect: 'read' | 'write' | 'cancel';
  /** Signed if the client has credentials. */
  readonly isSigned?: true;
  readonly hasBody?: true;
  /** 0 if it is left out. */
  readonly decimals?: Shape;
}

/** 1 is a decimal, 0 has none; `[]` is the shape of each element, `*` of every other key. */
export type Shape = 0 | 1 | { readonly [key: string]: Shape };
