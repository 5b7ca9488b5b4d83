// Forwards identity requests to the identity gateway, so one public port serves everything.
// Passwords are hashed there, in a process that cannot slow down orders. Must change nothing but
// the connection's headers; the identity gateway authenticates and refuses.

import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { type ErrorKey, errorAnswer, RETRY_AFTER_S, type Route } from '../../protocol/index.ts';
import type { HttpExchange } from './http-exchange.ts';

export interface IdentityProxyOptions {
  /** `http://host:port` of the identity gateway. */
  readonly url: URL;
  /** Time limit for the start of the identity gateway's response. */
  readonly answerTimeoutMs: number;
}

export const IDENTITY_PROXY_DEFAULTS = { answerTimeoutMs: 30_000 };

/** Headers for one connection, and headers that are rewritten. */
const NOT_PASSED_ON = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-forwarded-for',
  'x-request-id',
]);

export class IdentityProxy {
  readonly #options: IdentityProxyOptions;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(options: IdentityProxyOptions) {
    this.#options = options;
  }

  /** Closes idle connections. */
  stop(): void {
    this.#agent.destroy();
  }

  /** Responds with 503 if the identity gateway is down. */
  forward({ effect, method }: Pick<Route, 'effect' | 'method'>, exchange: HttpExchange): void {
    const { answerTimeoutMs, url } = this.#options;
    const { address, body, id, rawHeaders, target } = exchange;
    const headers = [...passedOn(rawHeaders), 'x-forwarded-for', address, 'x-request-id', id];
    if (body !== '') headers.push('content-length', `${Buffer.byteLength(body)}`);
    const upstream = sendRequest({
      agent: this.#agent,
      host: url.hostname,
      port: url.port,
      method,
      path: target,
      headers,
    });
    let isSent = false;
    upstream.setTimeout(answerTimeoutMs, () => upstream.destroy(new Error('no response in time')));
    upstream.once('finish', () => {
      isSent = true;
    });
    // Once a write was sent, the identity gateway might have applied it.
    upstream.once('error', () =>
      refuse(exchange, isSent && effect !== 'read' ? 'outcome_unknown' : 'data_unavailable'),
    );
    upstream.once('response', (response: IncomingMessage) => {
      const { rawHeaders: own, statusCode = 502 } = response;
      exchange.passOn(statusCode, [...passedOn(own), 'x-request-id', id], response);
    });
    exchange.onClosed(() => upstream.destroy());
    upstream.end(body);
  }
}

function refuse(exchange: HttpExchange, key: ErrorKey): void {
  const { body, status } = errorAnswer(key);
  if (status === 503) exchange.retryAfterS = RETRY_AFTER_S;
  exchange.answer(status, JSON.stringify(body));
}

/** Names and values alternate. */
function passedOn(rawHeaders: readonly string[]): string[] {
  const headers: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (NOT_PASSED_ON.has(rawHeaders[at].toLowerCase())) continue;
    headers.push(rawHeaders[at], rawHeaders[at + 1]);
  }
  return headers;
}
