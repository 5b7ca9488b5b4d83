// A refusal for the client: a key of the error catalogue and the values that its text names.
// Handlers throw it; only the route's server catches it.

import type { SetCookie } from '../../infra/access/index.ts';
import type { ErrorKey } from '../../protocol/index.ts';
import type { RefusalDetails } from '../../protocol/wire/index.ts';

export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly key: ErrorKey;
  readonly details: RefusalDetails;
  /** Sent as Retry-After. */
  readonly retryAfterS: number | undefined;
  readonly cookies: readonly SetCookie[];

  constructor(
    key: ErrorKey,
    details: RefusalDetails = {},
    retryAfterS?: number,
    cookies: readonly SetCookie[] = [],
  ) {
    // Refusals are frequent and expected; a stack trace would cost time and help nobody.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(key);
    Error.stackTraceLimit = stackTraceLimit;
    this.key = key;
    this.details = details;
    this.retryAfterS = retryAfterS;
    this.cookies = cookies;
  }
}
