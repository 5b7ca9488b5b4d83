// Assertions of the core. A failed assertion is a bug in this program, never a user's mistake: the
// command is poison and must have no effect.

export class AssertionFault extends Error {
  override readonly name = 'AssertionFault';
}

export function assert(condition: boolean, mustHold: string): asserts condition {
  if (!condition) throw new AssertionFault(mustHold);
}
