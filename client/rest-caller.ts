// Executes one REST call: encodes, signs, sends and parses it, and retries where that is safe. An
// outcome that is unknown is never reported as a failure.

import { type Backoff, backoffMs } from './backoff.ts';
import type { Call } from './call-table.ts';
import { type CallName, calls } from './calls.generated.ts';
import { readJson } from './read-json.ts';
import { RialtoError } from './rialto-error.ts';
import { type Credentials, Signer } from './signer.ts';
import type { ErrorBody } from './wire.generated.ts';

export type DecimalForm = 'text' | 'number';

/** The type of decimals in results. */
export type DecimalOf<Form> = Form extends 'number' ? number : string;

export interface CommonOptions<Form = DecimalForm> {
  /** `text` (default) keeps all digits; `number` is convenient, and rounds. */
  readonly decimals?: Form & DecimalForm;
  /** Unix milliseconds. */
  readonly nowMs?: () => number;
}

export type ClientOptions<Form = DecimalForm> = CommonOptions<Form> & {
  /** The exchange's URL without `/v2`; it may end in a path such as `/api`. */
  readonly url: string;
  /** Time limit of one attempt. */
  readonly timeoutMs?: number;
  /** Maximum number of retries, where a retry is safe. */
  readonly retriesMax?: number;
  readonly backoff?: Backoff;
  /** If the exchange asks for a longer wait, the call fails and the caller decides. */
  readonly retryWaitMaxMs?: number;
  readonly fetch?: typeof fetch;
  /**
   * For pages on the exchange's own origin: the browser's session cookie authenticates calls.
   * `console` is the cookie of operators' pages, which the gateway of operators serves.
   */
  readonly session?: 'cookie' | 'console';
} & (Credentials | { readonly key?: never });

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

type Input = object;

const TIMEOUT_MS = 10_000;
const RETRIES_MAX = 3;
const RETRY_WAIT_MAX_MS = 5_000;
const BACKOFF: Backoff = { firstMs: 200, maxMs: 3_000 };

/** Error codes that a wrong local clock can cause. */
const CLOCK_CODES = [93, 2001];
/** The exchange's date header has whole seconds, so smaller skews are not reported. */
const REPORTED_SKEW_MIN_MS = 5_000;

/** The result of an unsuccessful attempt. */
interface Failure {
  readonly error: RialtoError;
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;
}

export class RestCaller {
  readonly #options: ClientOptions;
  readonly #signer: Signer | undefined;
  readonly #nowMs: () => number;
  #clockSkewMs: number | undefined;

  constructor(options: ClientOptions) {
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') };
    this.#nowMs = options.nowMs ?? Date.now;
    this.#signer = options.key === undefined ? undefined : new Signer(options, this.#nowMs);
  }

  get clockSkewMs(): number | undefined {
    return this.#clockSkewMs;
  }

  async call<Answer>(name: CallName, input: Input, options: CallOptions): Promise<Answer> {
    const call: Call = calls[name];
    const text = await this.#sendWithRetries(call, input, options);
    const isText = (this.#options.decimals ?? 'text') === 'text';
    try {
      return readJson(text, isText ? (call.decimals ?? 0) : 0) as Answer;
    } catch (cause) {
      const message = `The response to ${call.method} ${call.path} is not JSON`;
      throw new RialtoError({ message, isOutcomeUnknown: call.effect !== 'read', cause });
    }
  }

  file(name: CallName, format: 'csv' | 'pdf', query: Input, options: CallOptions): Promise<string> {
    return this.#sendWithRetries(calls[name], { ...query, format }, options);
  }

  async #sendWithRetries(call: Call, input: Input, options: CallOptions): Promise<string> {
    const { retriesMax = RETRIES_MAX } = this.#options;
    const isRead = call.effect === 'read';
    const hasIds = hasClientOrderIds(call, input);
    let isUnknown = false;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#send(call, input, options);
      if (typeof outcome === 'string') return outcome;
      isUnknown ||= outcome.error.isOutcomeUnknown;
      const mayRepeat = isRead ? outcome.isTransient : hasIds && isUnknown && outcome.isTransient;
      const waitMs = this.#waitMs(outcome.error, attempt);
      // A later rejection does not prove that an earlier attempt was not executed.
      const error = isUnknown ? asUnknown(outcome.error) : outcome.error;
      if (!mayRepeat || attempt >= retriesMax || waitMs === undefined) throw error;
      await delay(waitMs, options.signal, error);
    }
  }

  /** Undefined if the wait would exceed the maximum. */
  #waitMs({ retryAfterMs = 0 }: RialtoError, attempt: number): number | undefined {
    const { backoff = BACKOFF, retryWaitMaxMs = RETRY_WAIT_MAX_MS } = this.#options;
    if (retryAfterMs > retryWaitMaxMs) return undefined;
    return Math.max(retryAfterMs, backoffMs(backoff, { attempt, chance: Math.random() }));
  }

  /** Returns the response text, or the failure. Each attempt is signed again. */
  async #send(call: Call, input: Input, options: CallOptions): Promise<string | Failure> {
    const { effect, hasBody, isSigned, method } = call;
    const { path, rest } = fillPath(call.path, input);
    const target = path + (hasBody ? '' : queryText(rest));
    const body = hasBody ? JSON.stringify(rest) : '';
    const headers: Record<string, string> = { accept: 'application/json' };
    if (hasBody) headers['content-type'] = 'application/json';
    // The exchange accepts a cookie only with this header, which other origins cannot send.
    const { session } = this.#options;
    if (session !== undefined) headers['x-rialto-client'] = session === 'cookie' ? '1' : session;
    if (isSigned) Object.assign(headers, await this.#signer?.sign(method + target, body));
    options.signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(options.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS);
    const signal =
      options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
    const isChange = effect !== 'read';
    try {
      const send = this.#options.fetch ?? fetch;
      const request = { method, headers, signal, ...(hasBody && { body }) };
      const response = await send(this.#options.url + target, request);
      const text = await response.text();
      this.#updateClockSkew(response);
      if (response.ok) return text;
      return this.#failureOf(response, text, isChange);
    } catch (cause) {
      const message = `No response to ${method} ${call.path}: ${reasonOf(cause)}`;
      const isOutcomeUnknown = isChange && !wasNeverSent(cause);
      const error = new RialtoError({ message, isOutcomeUnknown, cause });
      return { error, isTransient: options.signal?.aborted !== true };
    }
  }

  #updateClockSkew({ headers }: Response): void {
    const exchangeMs = Date.parse(headers.get('date') ?? '');
    // The header is cut to whole seconds: 500 ms is the mean error.
    if (!Number.isNaN(exchangeMs)) this.#clockSkewMs = exchangeMs + 500 - this.#nowMs();
  }

  #failureOf({ headers, status }: Response, text: string, isChange: boolean): Failure {
    const { code, message } = errorBody(text);
    const retryAfterS = Number.parseFloat(headers.get('retry-after') ?? '');
    const skewMs = this.#clockSkewMs ?? 0;
    const isSkewed =
      Math.abs(skewMs) >= REPORTED_SKEW_MIN_MS && CLOCK_CODES.includes(code ?? Number.NaN);
    const hint = isSkewed ? ` (${skewText(skewMs)})` : '';
    const error = new RialtoError({
      status,
      code,
      message: (message ?? `The exchange answered ${status}`) + hint,
      retryAfterMs: Number.isNaN(retryAfterS) ? undefined : retryAfterS * 1_000,
      // Only 502 and 504 leave the outcome open: a 503 was certainly not executed.
      isOutcomeUnknown: isChange && (status === 504 || status === 502),
      requestId: headers.get('x-request-id') ?? undefined,
      clockSkewMs: isSkewed ? skewMs : undefined,
    });
    return { error, isTransient: status === 429 || (status >= 502 && status <= 504) };
  }
}

/** Orders with client order ids are placed once, however often they are sent. */
function hasClientOrderIds({ effect, method }: Call, input: Input): boolean {
  if (effect !== 'write' || method !== 'POST') return false;
  const { client_order_id, orders } = input as { client_order_id?: unknown; orders?: unknown };
  if (!Array.isArray(orders)) return typeof client_order_id === 'string';
  return orders.every((order) => typeof order?.client_order_id === 'string');
}

/** `/v2/codes/:code` takes the value `code` out of the input. */
function fillPath(pattern: string, input: Input): { path: string; rest: Input } {
  if (!pattern.includes(':')) return { path: pattern, rest: input };
  const rest = { ...input } as Record<string, unknown>;
  const path = pattern.replaceAll(/:(\w+)/g, (_part, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { path, rest };
}

function queryText(input: Input): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && value !== null) parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function errorBody(text: string): Partial<ErrorBody> {
  try {
    const body = JSON.parse(text) as unknown;
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

function asUnknown(error: RialtoError): RialtoError {
  if (error.isOutcomeUnknown) return error;
  const { cause, message } = error;
  return new RialtoError({ ...error, message, cause, isOutcomeUnknown: true });
}

/** Node's error codes for a connection that was never made; browsers give no reason. */
const CONNECTION_CODES = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

function wasNeverSent(cause: unknown): boolean {
  const { code } = ((cause as Error).cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && CONNECTION_CODES.includes(code);
}

function reasonOf(cause: unknown): string {
  const { cause: inner, message } = cause as Error;
  return inner instanceof Error && inner.message !== '' ? inner.message : message;
}

export function skewText(skewMs: number): string {
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  return `this machine's clock is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead'}`;
}

/** If the caller aborts during the wait, the delay rejects with the error being retried. */
function delay(ms: number, signal: AbortSignal | undefined, error: RialtoError): Promise<void> {
  return new Promise((resolve, reject) => {
    const abandon = () => {
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abandon);
      resolve();
    }, ms);
    if (signal?.aborted === true) abandon();
    else signal?.addEventListener('abort', abandon, { once: true });
  });
}
