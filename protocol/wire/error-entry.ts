// One entry of the error catalogue. A code never changes its meaning. Codes from 2000 on are
// Rialto's own; smaller ones are those that existing clients of this interface already know.

export interface ErrorEntry {
  readonly status: number;
  readonly code: number;
  /**
   * Set if people using a web client never see this error: only `programs` or `operators` do. Such
   * texts need no translation.
   */
  readonly audience?: 'programs' | 'operators';
  /** English, which clients match. `{name}` placeholders are filled from the error's details. */
  readonly text: string;
}

export type ErrorTable = Readonly<Record<string, ErrorEntry>>;
