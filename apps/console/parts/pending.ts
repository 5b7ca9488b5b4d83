// Result of an action: done, or pending approval from other operators.

/** Returns the approval request's ID; undefined if the action is done. */
export function pendingId(answer: unknown): number | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { approval_id: id, waiting } = answer as { approval_id?: unknown; waiting?: unknown };
  return typeof id === 'number' && waiting === true ? id : undefined;
}
