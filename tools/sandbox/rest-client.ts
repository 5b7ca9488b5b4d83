// Minimal signed HTTP client for tests: signs, sends and returns any response. fetch keeps
// connections alive.

import { createHmac } from 'node:crypto';

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed body; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on bodies of any shape.
  readonly body: any;
}

export interface RestClientOptions {
  /** Without `/v2`. */
  readonly url: string;
  /** Without them, requests are anonymous. */
  readonly key?: string;
  readonly secret?: string;
  /** Additional headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path starting with `/v2`, with the query. */
  readonly target: string;
  readonly body?: unknown;
  /** Additional headers; they override those of the signature. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Unix seconds; by default a minute from now, and different for equal writes. */
  readonly expires?: number;
}

type Query = Readonly<Record<string, string | number | boolean>>;

const EXPIRES_AFTER_S = 60;
// A write's signature is valid once, so an equal write gets another expiry. Reads can repeat
// theirs: a test might poll for so long that the expiry would be too far ahead.
const SENT_MAX = 100_000;
const sent = new Set<string>();

function nextExpires(method: string, rest: string): number {
  if (sent.size >= SENT_MAX) sent.clear();
  let expires = Math.floor(Date.now() / 1_000) + EXPIRES_AFTER_S;
  if (method === 'GET') return expires;
  const request = `${method} ${rest}`;
  while (sent.has(`${expires} ${request}`)) expires += 1;
  sent.add(`${expires} ${request}`);
  return expires;
}

export class RestClient {
  readonly #options: RestClientOptions;

  constructor(options: RestClientOptions) {
    this.#options = options;
  }

  get(path: string, query: Query = {}): Promise<RestAnswer> {
    return this.send({ method: 'GET', target: targetOf(path, query) });
  }

  post(path: string, body: unknown = {}): Promise<RestAnswer> {
    return this.send({ method: 'POST', target: targetOf(path), body });
  }

  put(path: string, body: unknown = {}): Promise<RestAnswer> {
    return this.send({ method: 'PUT', target: targetOf(path), body });
  }

  delete(path: string, query: Query = {}): Promise<RestAnswer> {
    return this.send({ method: 'DELETE', target: targetOf(path, query) });
  }

  /** Sends exactly this request. A string body is sent unchanged. */
  async send({ body, expires, headers, method, target }: RestRequest): Promise<RestAnswer> {
    const { key, secret, url } = this.#options;
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    const until = String(expires ?? nextExpires(method, `${key} ${target} ${text}`));
    const signed =
      key === undefined || secret === undefined
        ? {}
        : {
            'api-key': key,
            'api-expires': until,
            'api-signature': sign(secret, `${method}${target}${until}${text}`),
          };
    const response = await fetch(url + target, {
      method,
      headers: {
        ...(text === '' ? {} : { 'content-type': 'application/json' }),
        ...signed,
        ...this.#options.headers,
        ...headers,
      },
      ...(text === '' ? {} : { body: text }),
    });
    const answer = await response.text();
    const { status } = response;
    return { status, headers: response.headers, text: answer, body: parsed(answer) };
  }
}

export function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** Returns the request target for `/order` and its query. */
export function targetOf(path: string, query: Query = {}): string {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `/v2${path}${text === '' ? '' : `?${text}`}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
