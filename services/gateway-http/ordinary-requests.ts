// The short way into a route, before Fastify: for requests that leave nothing to be interpreted, as
// nearly all are. Whatever is unusual in path, head or body is left to Fastify, which reads it with
// the same outcome; so nothing may be taken here of which that is not certain.

import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whoever answers one route. */
export interface OrdinaryRoute {
  readonly method: string;
  readonly path: string;
  readonly hasBody: boolean;
  serve(request: IncomingMessage, response: ServerResponse, body: string): void;
}

// What clients send. All others are read by Fastify, which knows what is no media type.
const JSON_TYPES: readonly (string | undefined)[] = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json;charset=UTF-8',
];
const LENGTH = /^[1-9]\d{0,9}$/;

export class OrdinaryRequests {
  readonly #byPath = new Map<string, Map<string, OrdinaryRoute>>();
  readonly #bodyBytesMax: number;
  /** While the server closes, everything is Fastify's to refuse. */
  isClosing = false;

  constructor(bodyBytesMax: number) {
    this.#bodyBytesMax = bodyBytesMax;
  }

  add(route: OrdinaryRoute): void {
    const byMethod = this.#byPath.get(route.path) ?? new Map<string, OrdinaryRoute>();
    byMethod.set(route.method, route);
    this.#byPath.set(route.path, byMethod);
  }

  /** Whether it was taken; if not, nothing has been read of it or done to it. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers, method = '', url = '' } = request;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const route = this.#byPath.get(path)?.get(method);
    if (route === undefined || this.isClosing) return false;
    if (headers['transfer-encoding'] !== undefined) return false;
    const length = headers['content-length'];
    if (!route.hasBody) {
      if (length !== undefined) return false;
      route.serve(request, response, '');
      return true;
    }
    const isOrdinary =
      length !== undefined &&
      LENGTH.test(length) &&
      Number(length) <= this.#bodyBytesMax &&
      JSON_TYPES.includes(headers['content-type']);
    if (!isOrdinary) return false;
    readText(request, (body) => route.serve(request, response, body));
    return true;
  }
}

// Node has made sure that there are as many bytes as were announced. Of a client who goes away half
// way, `end` never comes.
function readText(request: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    done((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString());
  });
}
