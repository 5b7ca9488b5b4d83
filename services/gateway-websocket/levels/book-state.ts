// One book in memory, made of a whole and what changed behind it. Level 2 and level 3 are kept in
// different ways; whoever follows them does not care.

/** What a client is told, as JSON fields without braces around them. */
export interface BookFields {
  readonly fields: string;
  readonly timeMs: number;
}

export interface BookState {
  /** Replaces everything. Says whether anything is different from before. */
  load(payload: string): boolean;
  /** Undefined when nothing is different from before. */
  apply(payload: string): BookFields | undefined;
  whole(): BookFields;
}
