// Describes an error to a person: one sentence, without a stack.

/** The message of the error and of its causes. */
export function describeFault(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  // Node tries every address of a host, and its message is then empty.
  if (fault instanceof AggregateError && fault.message === '') {
    return fault.errors.map(describeFault).join('; ');
  }
  return fault.cause === undefined
    ? fault.message
    : `${fault.message}: ${describeFault(fault.cause)}`;
}
