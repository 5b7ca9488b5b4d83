// One book in memory, built from a full book and the changes after it. Level 2 and level 3
// implement it differently.

/** JSON fields for clients, without the enclosing braces. */
export interface BookFields {
  readonly fields: string;
  readonly timeMs: number;
}

export interface BookState {
  /** Replaces everything. Returns whether the book differs from before. */
  load(payload: string): boolean;
  /** Undefined if the book does not differ from before. */
  apply(payload: string): BookFields | undefined;
  full(): BookFields;
}
