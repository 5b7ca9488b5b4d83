// A deliberate fault: one wrong change in one file of the core, as a tired engineer might make it.

export interface Fault {
  /** What goes wrong, as a sentence. */
  readonly name: string;
  readonly file: string;
  /** Source text that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** How often the text to be replaced is there; a fault can be made only if it is once. */
export function occurrencesOf(text: string, { find }: Pick<Fault, 'find'>): number {
  return text.split(find).length - 1;
}

export function withFault(text: string, { find, replace }: Fault): string {
  // As a function, so that no character of the replacement has a meaning of its own.
  return text.replace(find, () => replace);
}
