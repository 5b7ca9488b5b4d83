// A bug's way out. An assert that fails means that this program is wrong, never the user:
// the command is poison and its effects must not stand.

export class AssertionFault extends Error {
  override readonly name = 'AssertionFault';
}

export function assert(condition: boolean, mustHold: string): asserts condition {
  if (!condition) throw new AssertionFault(mustHold);
}
