// Why a call or a stream failed, in the words and numbers of the exchange.

export interface RialtoErrorOptions {
  readonly message: string;
  readonly status?: number;
  readonly code?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly isOutcomeUnknown?: boolean;
  readonly requestId?: string | undefined;
  readonly clockSkewMs?: number | undefined;
  readonly cause?: unknown;
}

export class RialtoError extends Error {
  override readonly name = 'RialtoError';
  /** Of HTTP; 0 when there was no answer. */
  readonly status: number;
  /** Means the same for ever; decide by it. Undefined when the exchange did not say one. */
  readonly code: number | undefined;
  /** So long after it, it is worth trying again. */
  readonly retryAfterMs: number | undefined;
  /** It may have been carried out: ask before you send it again. */
  readonly isOutcomeUnknown: boolean;
  /** Under which the exchange knows the request. */
  readonly requestId: string | undefined;
  /** How far the clock of the exchange is ahead of ours, when that is why it was refused. */
  readonly clockSkewMs: number | undefined;

  constructor(options: RialtoErrorOptions) {
    super(options.message, options.cause === undefined ? {} : { cause: options.cause });
    this.status = options.status ?? 0;
    this.code = options.code;
    this.retryAfterMs = options.retryAfterMs;
    this.isOutcomeUnknown = options.isOutcomeUnknown ?? false;
    this.requestId = options.requestId;
    this.clockSkewMs = options.clockSkewMs;
  }
}
