// One book in memory, built from a full book and the changes after it. Level 2 and level 3 have
// different implementations.

/** JSON fields for clients, without the enclosing braces. */
export interface BookFields {
  readonly fields: string;
  readonly timeMs: number;
}

export interface BookState {
  /** Replaces the book. Returns whether the book has changed. */
  load(payload: string): boolean;
  /** Returns undefined if the book has not changed. */
  apply(payload: string): BookFields | undefined;
  full(): BookFields;
}
