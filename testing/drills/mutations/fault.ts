// A deliberate fault: one wrong change in one file of the core.

export interface Fault {
  /** A sentence that describes the wrong behaviour. */
  readonly name: string;
  readonly file: string;
  /** Source text that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** The number of places where the fault could be inserted. It must be exactly one. */
export function occurrencesOf(text: string, { find }: Pick<Fault, 'find'>): number {
  return text.split(find).length - 1;
}

export function withFault(text: string, { find, replace }: Fault): string {
  // A function, so that `$` in the replacement is not special.
  return text.replace(find, () => replace);
}
