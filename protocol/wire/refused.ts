// A refusal: a request that a rule turns down, and the reason for the client. Rules return it,
// actions and handlers pass it on, and the gateway's pipeline answers it. It is never thrown: a
// transaction that returns it commits what the refusal counts, such as a failed attempt.

/** Values for the placeholders of the error's text. */
export type RefusalDetails = Readonly<Record<string, string | number>>;

/** The key is one of the feature's errors; the handler's type checks it against the catalog. */
export class Refused<Key extends string = string> {
  /** Tells it from the other results of a rule. */
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

/** For a transaction that a refusal undoes. */
export function isRefused(result: unknown): result is Refused {
  return result instanceof Refused;
}
