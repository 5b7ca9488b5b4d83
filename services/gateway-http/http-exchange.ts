// One request from its arrival to its answer, on Node's own objects. However it was read, by us or
// by Fastify, its answer is written here, so that both are the same to the byte. Knows no route.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { pipeline, Readable } from 'node:stream';
import type { StreamedAnswerOptions } from './handler.ts';
import type { RateLimitResult } from './rate-limiter.ts';

export interface HttpExchangeOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  /** Where it comes from, after the proxies that we trust. */
  readonly address: string;
  /** As it came; '' where there is none. */
  readonly body: string;
  /** Names and values by turns, that every answer to this request has. */
  readonly headers: readonly string[];
  /** Called once, with the status, when the answer is on its way. */
  readonly onAnswered: (status: number, exchange: HttpExchange) => void;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const CLIENT_IS_GONE = 'ERR_STREAM_PREMATURE_CLOSE';

export class HttpExchange {
  readonly #options: HttpExchangeOptions;
  readonly startedMs = performance.now();
  /** Of the last charge. */
  rateLimit: RateLimitResult | undefined;
  retryAfterS: number | undefined;
  #isAnswered = false;

  constructor(options: HttpExchangeOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#options.id;
  }

  get address(): string {
    return this.#options.address;
  }

  get body(): string {
    return this.#options.body;
  }

  get headers(): IncomingHttpHeaders {
    return this.#options.request.headers;
  }

  /** Path and query, byte for byte as they are signed. */
  get target(): string {
    return this.#options.request.url ?? '';
  }

  /** Without its mark; '' where there is none. */
  get queryText(): string {
    const { target } = this;
    const mark = target.indexOf('?');
    return mark < 0 ? '' : target.slice(mark + 1);
  }

  /** Does nothing once it has been answered. */
  answer(status: number, json: string): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    const { response } = this.#options;
    const bytes = Buffer.byteLength(json);
    const headers = this.#headersOf(JSON_TYPE);
    headers.push('content-length', `${bytes}`);
    response.writeHead(status, headers);
    // Where each character is a byte, Node copies; else it has to encode head and body together.
    response.end(json, bytes === json.length ? 'latin1' : 'utf8');
    this.#options.onAnswered(status, this);
  }

  /**
   * Sends what comes, beginning with the first of it. `onFault` is told whether the head has been
   * sent, which then is cut off; if not, nothing has been answered.
   */
  stream(answer: StreamedAnswerOptions, onFault: (fault: unknown, isSent: boolean) => void): void {
    const { response } = this.#options;
    const { chunks, fileName, status, type } = answer;
    const stream = Readable.from(chunks);
    const refuse = (fault: unknown) => onFault(fault, false);
    stream.once('error', refuse);
    stream.once('readable', () => {
      stream.off('error', refuse);
      this.#isAnswered = true;
      const headers = this.#headersOf(type);
      if (fileName !== undefined) {
        const plain = fileName.replaceAll(/[^\w.-]+/g, '-');
        headers.push('content-disposition', `attachment; filename="${plain}"`);
      }
      response.writeHead(status, headers);
      pipeline(stream, response, (fault) => {
        // The client is cut off, which tells him; nobody else would hear of it.
        if (fault != null && fault.code !== CLIENT_IS_GONE) onFault(fault, true);
        this.#options.onAnswered(status, this);
      });
    });
  }

  #headersOf(type: string): string[] {
    const { rateLimit } = this;
    const { headers, id } = this.#options;
    const all = [...headers, 'x-request-id', id, 'content-type', type];
    if (rateLimit !== undefined) {
      all.push('ratelimit-limit', `${rateLimit.limit}`);
      all.push('ratelimit-remaining', `${rateLimit.remaining}`);
      all.push('ratelimit-reset', `${rateLimit.resetS}`);
    }
    if (this.retryAfterS !== undefined) all.push('retry-after', `${this.retryAfterS}`);
    return all;
  }
}

/** A key that came more than once is a list. */
export function parseQuery(text: string): Record<string, string | string[] | undefined> {
  return parse(text);
}
