// The part of a connection that most functions need: single statements. A pool provides it, and so
// does a connection inside a transaction.

export interface StatementResult {
  // biome-ignore lint/suspicious/noExplicitAny: rows have no type until they are read.
  readonly rows: any[];
  readonly rowCount: number | null;
}

export interface Statements {
  query(text: string, values?: unknown[]): Promise<StatementResult>;
}

/** The driver returns 64-bit integers as strings; the registry's ids are below 2^53. */
export function idOf<Id extends number>(text: string): Id {
  return Number(text) as Id;
}
