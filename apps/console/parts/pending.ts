// The answer of an act: done, or a request that other people must approve.

/** The number of the request for approval; undefined if the act is done. */
export function pendingId(answer: unknown): number | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { approval_id: id, waiting } = answer as { approval_id?: unknown; waiting?: unknown };
  return typeof id === 'number' && waiting === true ? id : undefined;
}
