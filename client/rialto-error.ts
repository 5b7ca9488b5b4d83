// The error of a failed call or stream, with the exchange's code and message.

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
  /** HTTP status; 0 if no response arrived. */
  readonly status: number;
  /** The exchange's error code, which never changes its meaning. Undefined if it sent none. */
  readonly code: number | undefined;
  /** How long to wait before retrying, if the exchange said so. */
  readonly retryAfterMs: number | undefined;
  /** The request may have been executed: check before you send it again. */
  readonly isOutcomeUnknown: boolean;
  /** The exchange's id of the request, for support and logs. */
  readonly requestId: string | undefined;
  /** How far the exchange's clock is ahead of the local one, if that caused the rejection. */
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
