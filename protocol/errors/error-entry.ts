// One entry of the catalogue of errors. A code means the same for ever; numbers from 2000 on are
// our own, smaller ones are those that clients of this interface already know.

export interface ErrorEntry {
  readonly status: number;
  readonly code: number;
  /** English, which clients match. `{name}` is filled from the refusal's details. */
  readonly text: string;
}

export type ErrorTable = Readonly<Record<string, ErrorEntry>>;
