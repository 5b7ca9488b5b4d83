// A refusal on its way to the client: a key of the catalogue and what fills the holes in its text.
// Thrown by handlers and caught by the route's server only.

import type { ErrorKey } from '../../protocol/index.ts';

export type RefusalDetails = Readonly<Record<string, string | number>>;

export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly key: ErrorKey;
  readonly details: RefusalDetails;
  /** Sent as Retry-After. */
  readonly retryAfterS: number | undefined;

  constructor(key: ErrorKey, details: RefusalDetails = {}, retryAfterS?: number) {
    // Refusals are daily business: where in the program they were made is of no use to anyone.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(key);
    Error.stackTraceLimit = stackTraceLimit;
    this.key = key;
    this.details = details;
    this.retryAfterS = retryAfterS;
  }
}
