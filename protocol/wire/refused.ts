// A refusal: a request that a rule rejects, and the reason for the client. Rules return it, actions
// and handlers pass it on, and the gateway's pipeline turns it into a response. It is never thrown:
// a transaction that returns it commits what the refusal counts, such as a failed attempt.

/** Values for the placeholders in the error's text. */
export type RefusalDetails = Readonly<Record<string, string | number>>;

/** Key of one of the feature's errors; the handler's type checks it against the catalog. */
export class Refused<Key extends string = string> {
  /** Distinguishes a refusal from other results of a rule. */
  readonly kind = 'refused';
  readonly key: Key;
  readonly details: RefusalDetails;
  /** Sent as Retry-After. */
  readonly retryAfterS: number | undefined;

  constructor(key: Key, details: RefusalDetails = {}, retryAfterS?: number) {
    this.key = key;
    this.details = details;
    this.retryAfterS = retryAfterS;
  }
}

/** For a transaction that a refusal rolls back. */
export function isRefused(result: unknown): result is Refused {
  return result instanceof Refused;
}
