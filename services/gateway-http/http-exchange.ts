// One request and its response, as the steps of a route see them. Fastify has routed the request
// and read its body. The response is written here with one call to Node, because Fastify's reply
// would cost an order 12% more processor time (decision 0012). It must not know any route.

import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, type PrecheckedCredentials } from '../../infra/access/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { JSON_TYPE, type StreamedAnswerOptions } from '../../platform/http/index.ts';
import { type ErrorKey, errorAnswer } from '../../protocol/index.ts';
import { PacedChunks } from './paced-chunks.ts';
import type { RateLimitResult } from './rate-limiter.ts';

export interface HttpExchangeOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The client's address, as reported by trusted proxies. */
  readonly address: string;
  readonly clock: Pick<Clock, 'after' | 'elapsedMs'>;
  /** Headers for every response to this client: names and values alternate. */
  readonly headers: readonly string[];
  /** Called once, with the status, when the response has been passed to the socket. */
  readonly onAnswered: (status: number, exchange: HttpExchange) => void;
}

const NO_HEADERS: readonly string[] = [];
/** A longer unread body ends its connection. */
const BODY_BYTES_SKIPPED_MAX = 16_384;
const CLIENT_DISCONNECTED = 'ERR_STREAM_PREMATURE_CLOSE';

/** The client read the response too slowly and was disconnected. */
class SlowClient extends Error {
  override readonly name = 'SlowClient';
}

function isFaultOfClient(fault: NodeJS.ErrnoException): boolean {
  return fault instanceof SlowClient || fault.code === CLIENT_DISCONNECTED;
}

export class HttpExchange {
  readonly #options: HttpExchangeOptions;
  readonly startedMs = performance.now();
  /** Result of the last charge. */
  rateLimit: RateLimitResult | undefined;
  retryAfterS: number | undefined;
  /** Headers for this response only: names and values alternate. */
  ownHeaders: readonly string[] = NO_HEADERS;
  /** Set if the credentials were checked before the body was read. */
  prechecked: PrecheckedCredentials | undefined;
  /** True if the checks that need no body have passed. */
  isAdmitted = false;
  /** True if it counts as a request in flight for its address. */
  isCounted = false;
  #addressGroup: string | undefined;
  #isAnswered = false;

  constructor(options: HttpExchangeOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#options.request.id;
  }

  get address(): string {
    return this.#options.address;
  }

  /** Address group used for limits. */
  get addressGroup(): string {
    this.#addressGroup ??= addressGroup(this.address);
    return this.#addressGroup;
  }

  /** Method as sent and as signed: reads also accept HEAD. */
  get method(): string {
    return this.#options.request.raw.method ?? '';
  }

  /** Body as sent, because signatures cover its text; '' without a body. */
  get body(): string {
    const { body } = this.#options.request;
    return typeof body === 'string' ? body : '';
  }

  get headers(): IncomingHttpHeaders {
    return this.#options.request.raw.headers;
  }

  /** Headers as received: names and values alternate. */
  get rawHeaders(): readonly string[] {
    return this.#options.request.raw.rawHeaders;
  }

  /** Decoded path parameters of the route. */
  get params(): Readonly<Record<string, string>> {
    return this.#options.request.params as Record<string, string>;
  }

  /** Path and query, byte for byte as signed. */
  get target(): string {
    return this.#options.request.raw.url ?? '';
  }

  /** Query without its question mark; '' without a query. */
  get queryText(): string {
    const { target } = this;
    const mark = target.indexOf('?');
    return mark < 0 ? '' : target.slice(mark + 1);
  }

  /** Does nothing if the request already has a response. */
  answer(status: number, json: string): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    const { raw } = this.#options.reply;
    const bytes = Buffer.byteLength(json);
    const headers = this.#headersOf(JSON_TYPE);
    headers.push('content-length', `${bytes}`);
    if (this.#hasLongBodyLeft()) headers.push('connection', 'close');
    raw.writeHead(status, headers);
    // Node copies Latin-1; it would have to encode UTF-8, headers and body together.
    raw.end(json, bytes === json.length ? 'latin1' : 'utf8');
    this.#options.onAnswered(status, this);
  }

  /**
   * Streams a response, starting with its first chunk. If the stream fails before that, sends
   * nothing and calls `onFault` with `isSent: false`. If it fails later, closes the connection,
   * because a truncated list must not look complete.
   */
  stream(answer: StreamedAnswerOptions, onFault: (fault: unknown, isSent: boolean) => void): void {
    const { raw } = this.#options.reply;
    const { fileName, onEnd, onSlow, status, type } = answer;
    const { clock } = this.#options;
    const chunks = new PacedChunks({
      chunks: answer.chunks,
      clock,
      onSlow() {
        onSlow?.();
        stream.destroy(new SlowClient());
      },
    });
    const stream = Readable.from(chunks);
    const refuse = (fault: unknown) => {
      onEnd?.(false);
      onFault(fault, false);
    };
    stream.once('error', refuse);
    stream.once('readable', () => {
      stream.off('error', refuse);
      this.#isAnswered = true;
      // The client disconnected before the first chunk, and a pipeline to a closed socket throws.
      if (raw.destroyed) {
        stream.destroy();
        onEnd?.(false);
        this.#options.onAnswered(status, this);
        return;
      }
      const headers = this.#headersOf(type);
      if (fileName !== undefined) {
        const plain = fileName.replaceAll(/[^\w.-]+/g, '-');
        headers.push('content-disposition', `attachment; filename="${plain}"`);
      }
      for (const pair of Object.entries(answer.headers ?? {})) headers.push(...pair);
      this.#announceTrailers(answer, stream, headers);
      raw.writeHead(status, headers);
      if (this.method === 'HEAD') {
        stream.destroy();
        raw.end();
        onEnd?.(false);
        this.#options.onAnswered(status, this);
        return;
      }
      pipeline(stream, raw, (fault) => {
        onEnd?.(fault == null);
        if (fault != null && !isFaultOfClient(fault)) onFault(fault, true);
        this.#options.onAnswered(status, this);
      });
    });
  }

  /** Called before the pipeline begins, because the pipeline ends the response with the stream. */
  #announceTrailers(
    { trailers }: StreamedAnswerOptions,
    stream: Readable,
    headers: string[],
  ): void {
    // Trailers are part of chunked encoding, which HTTP 1.0 does not have.
    if (trailers === undefined || this.#options.request.raw.httpVersion === '1.0') return;
    headers.push('trailer', trailers.names.join(', '));
    stream.once('end', () => this.#options.reply.raw.addTrailers({ ...trailers.values() }));
  }

  /** Passes on the status, headers and body of another gateway's response. */
  passOn(status: number, headers: readonly string[], body: Readable): void {
    this.#isAnswered = true;
    const { raw } = this.#options.reply;
    if (raw.destroyed) {
      body.destroy();
      this.#options.onAnswered(status, this);
      return;
    }
    raw.writeHead(status, [...headers]);
    // An interrupted body must not look complete, so the pipeline closes the connection.
    pipeline(body, raw, () => this.#options.onAnswered(status, this));
  }

  /** Called when the client has its response or has disconnected. */
  onClosed(listener: () => void): void {
    this.#options.reply.raw.once('close', listener);
  }

  /** Returns true for a refused request whose body is too long to read. */
  #hasLongBodyLeft(): boolean {
    const { raw } = this.#options.request;
    if (raw.complete) return false;
    const { 'content-length': bytes, 'transfer-encoding': encoding } = raw.headers;
    return encoding !== undefined || Number(bytes) > BODY_BYTES_SKIPPED_MAX;
  }

  #headersOf(type: string): string[] {
    const { rateLimit, retryAfterS } = this;
    const all = [...this.#options.headers, 'x-request-id', this.id, 'content-type', type];
    if (rateLimit !== undefined) {
      all.push('ratelimit-limit', `${rateLimit.limit}`);
      all.push('ratelimit-remaining', `${rateLimit.remaining}`);
      all.push('ratelimit-reset', `${rateLimit.resetS}`);
    }
    if (retryAfterS !== undefined) all.push('retry-after', `${retryAfterS}`);
    if (this.ownHeaders.length > 0) all.push(...this.ownHeaders);
    return all;
  }
}

/** The client closed or reset its connection during a request. */
const HAS_LEFT = new Set(['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']);

const REFUSALS: Readonly<Record<string, ErrorKey>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timed_out',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/**
 * Closes a connection whose request cannot be parsed. A disconnected client gets nothing; any other
 * first gets a refusal in the usual form.
 */
export function endUnreadable({ code = '' }: { readonly code?: string }, socket: Socket): void {
  if (!HAS_LEFT.has(code) && socket.writable) {
    const { body, status } = errorAnswer(REFUSALS[code] ?? 'request_malformed');
    const text = JSON.stringify(body);
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n` +
        `cache-control: no-store\r\nx-content-type-options: nosniff\r\n` +
        `content-type: ${JSON_TYPE}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  }
  socket.destroy();
}

const ALWAYS = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'];
// Responses are data: browsers do not render them, and `nosniff` keeps browsers from guessing
// otherwise. The reference page adds a separate policy. Every header costs time in every response,
// so each one here must have an effect.
const OVER_TLS = ['strict-transport-security', 'max-age=31536000; includeSubDomains'];
const EXPOSED = 'ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id';

export interface AnswerHeadersOptions {
  /** `*`, or the origins whose pages can read responses. */
  readonly corsOrigins: readonly string[];
  readonly isOverTls: boolean;
}

/** Headers for every response, and those that let browsers on an allowed origin read it. */
export class AnswerHeaders {
  readonly #origins: readonly string[];
  readonly #isAnyOrigin: boolean;
  readonly #always: readonly string[];
  readonly #toAnyOrigin: readonly string[];

  constructor({ corsOrigins, isOverTls }: AnswerHeadersOptions) {
    this.#origins = corsOrigins;
    this.#isAnyOrigin = corsOrigins.includes('*');
    const always = isOverTls ? [...ALWAYS, ...OVER_TLS] : ALWAYS;
    this.#always = this.#isAnyOrigin ? always : [...always, 'vary', 'origin'];
    this.#toAnyOrigin = this.#to('*');
  }

  /** Names and values alternate. Only browsers send an origin. */
  to(origin: string | undefined): readonly string[] {
    if (origin === undefined) return this.#always;
    if (this.#isAnyOrigin) return this.#toAnyOrigin;
    return this.#origins.includes(origin) ? this.#to(origin) : this.#always;
  }

  #to(origin: string): readonly string[] {
    const allowed = ['access-control-allow-origin', origin];
    return [...this.#always, ...allowed, 'access-control-expose-headers', EXPOSED];
  }
}
