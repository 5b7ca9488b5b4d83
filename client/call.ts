// What the table of calls says of each: how it is sent, and where decimals are in its answer.

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Reads may be sent again; a cancel is a write with a budget of its own. */
  readonly effect: 'read' | 'write' | 'cancel';
  /** Sent with a signature, if there are credentials. */
  readonly isSigned: boolean;
  readonly hasBody: boolean;
  /** Can be had as a file. */
  readonly isFile: boolean;
  readonly decimals: Shape;
}

/** 1 is a decimal, 0 nothing to look at; `[]` stands for every entry, `*` for every other key. */
export type Shape = 0 | 1 | { readonly [key: string]: Shape };
