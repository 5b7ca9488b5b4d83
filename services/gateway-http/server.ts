// The HTTP server: every route of the protocol on its path, and what all answers have in common.
// Ordinary requests take a short way to their route, all others Fastify's; the answers are the
// same. Knows no route by name.

import type { IncomingMessage } from 'node:http';
import { createServer as createHttpServer, type Server } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { TrustedProxies } from '../../infra/access/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { errorAnswer } from '../../protocol/index.ts';
import type { Dependencies } from './dependencies.ts';
import { HttpExchange, parseQuery } from './http-exchange.ts';
import { OrdinaryRequests } from './ordinary-requests.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { addReferencePage } from './reference-page.ts';
import type { ServedRoute } from './route-modules.ts';
import { RouteServer } from './serve-route.ts';
import type { GatewayWatcher } from './telemetry.ts';
import { createChecks } from './validation.ts';

export interface ServerOptions {
  readonly dependencies: Dependencies;
  readonly routes: readonly ServedRoute[];
  readonly rateLimiter: RateLimiter;
  readonly watcher: GatewayWatcher;
  readonly bodyBytesMax: number;
  readonly connectionsMax: number;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly checkAnswers: boolean;
}

// Nothing that we answer is a page, except the reference, which brings a policy of its own: data
// are not rendered, and `nosniff` keeps browsers from guessing otherwise. Each header costs every
// answer its time, so none is here that says nothing.
const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
const HEADERS_OVER_TLS = {
  ...HEADERS,
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};
const EXPOSED = 'ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id';
const ALLOWED_HEADERS = 'api-key, api-signature, api-expires, authorization, content-type';
const PREFLIGHT_LIFE_S = 86_400;
const REQUEST_ID = /^[\w-]{1,64}$/;
const HEADER_BYTES_MAX = 16_384;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 72_000;
const HANG_UP_EVERY_MS = 50;

export function createServer(options: ServerOptions): FastifyInstance {
  const proxies = new TrustedProxies(options.trustedProxies);
  const ordinary = new OrdinaryRequests(options.bodyBytesMax);
  const requestIds = new RequestIds();
  const server = fastify({
    logger: false,
    trustProxy: (address) => proxies.has(address),
    bodyLimit: options.bodyBytesMax,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    requestIdHeader: false,
    routerOptions: { querystringParser: parseQuery },
    genReqId: (request) => requestIds.of(request),
    // A proxy may leave the prefix of a combined deployment; the signed path begins behind it.
    rewriteUrl: ({ url = '/' }) => (url.startsWith('/api/v2') ? url.slice('/api'.length) : url),
    // A target that can not be decoded names nothing.
    frameworkErrors: (_fault, _request, reply) => void refuse(reply, 'path_not_found'),
    serverFactory: (serveUnusual) =>
      listenFirst(options, (request, response) => {
        if (!ordinary.take(request, response)) serveUnusual(request, response);
      }),
  });
  server.addHook('preClose', (done) => {
    ordinary.isClosing = true;
    hangUpOnIdle(server.server);
    done();
  });
  const headers = new AnswerHeaders(options);
  readBodiesAsText(server);
  addHooks(server, options, headers);
  addRoutes({ server, options, headers, ordinary, proxies, requestIds });
  answerTheRest(server, options);
  return server;
}

function listenFirst(
  { connectionsMax }: ServerOptions,
  serve: Parameters<typeof createHttpServer>[1],
): Server {
  const server = createHttpServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    serve,
  );
  server.maxConnections = connectionsMax;
  return server;
}

/** What is answered while the server closes would be kept open for the client's next request. */
function hangUpOnIdle(server: Server): void {
  if (!server.listening) return;
  let isClosed = false;
  server.once('close', () => {
    isClosed = true;
  });
  const hangUp = () => {
    if (isClosed) return;
    server.closeIdleConnections();
    systemClock.after(HANG_UP_EVERY_MS, hangUp);
  };
  hangUp();
}

/** A client's own, if it is harmless; else the next of ours. */
class RequestIds {
  #given = 0;

  of({ headers }: IncomingMessage): string {
    const named = headers['x-request-id'];
    this.#given += 1;
    return typeof named === 'string' && REQUEST_ID.test(named) ? named : `r${this.#given}`;
  }
}

/** What every answer has, and what those have that browsers of an origin may read. */
class AnswerHeaders {
  readonly #origins: readonly string[];
  readonly #isAnyone: boolean;
  readonly #always: readonly string[];
  readonly #toAnyone: readonly string[];

  constructor({ corsOrigins, dependencies }: ServerOptions) {
    const isOverTls = dependencies.exchange.publicUrl.startsWith('https:');
    this.#origins = corsOrigins;
    this.#isAnyone = corsOrigins.includes('*');
    const always = Object.entries(isOverTls ? HEADERS_OVER_TLS : HEADERS).flat();
    this.#always = this.#isAnyone ? always : [...always, 'vary', 'origin'];
    this.#toAnyone = this.#with('*');
  }

  /** Names and values by turns. Only browsers say their origin. */
  to(origin: string | undefined): readonly string[] {
    if (origin === undefined) return this.#always;
    if (this.#isAnyone) return this.#toAnyone;
    return this.#origins.includes(origin) ? this.#with(origin) : this.#always;
  }

  #with(origin: string): readonly string[] {
    const allowed = ['access-control-allow-origin', origin];
    return [...this.#always, ...allowed, 'access-control-expose-headers', EXPOSED];
  }
}

// For what Fastify answers itself. With callbacks, because a promise for each would cost more than
// what they do.
function addHooks(
  server: FastifyInstance,
  { watcher }: ServerOptions,
  headers: AnswerHeaders,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    const all = headers.to(request.headers.origin);
    for (let at = 0; at < all.length; at += 2) reply.header(all[at], all[at + 1]);
    reply.header('x-request-id', request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    watcher.served({
      method: request.method,
      path: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      requestId: request.id,
      tookMs: reply.elapsedTime,
      address: request.ip,
    });
    done();
  });
}

// The signature covers the text, so the text is what is kept.
function readBodiesAsText(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
}

interface RoutesOptions {
  readonly server: FastifyInstance;
  readonly options: ServerOptions;
  readonly headers: AnswerHeaders;
  readonly ordinary: OrdinaryRequests;
  readonly proxies: TrustedProxies;
  readonly requestIds: RequestIds;
}

function addRoutes({ headers, options, ordinary, proxies, requestIds, server }: RoutesOptions) {
  const { rateLimiter, checkAnswers, dependencies, routes, watcher } = options;
  const checks = createChecks();
  for (const { handler, name, route } of routes) {
    if (route.onlyInDevelopment === true && !dependencies.exchange.isDevelopment) continue;
    const { method, path } = route;
    const served = new RouteServer({
      name,
      route,
      handler,
      dependencies,
      rateLimiter,
      watcher,
      checks,
      checkAnswers,
    });
    const onAnswered = (status: number, { address, id: requestId, startedMs }: HttpExchange) => {
      const tookMs = performance.now() - startedMs;
      watcher.served({ method, path, status, requestId, tookMs, address });
    };
    ordinary.add({
      method,
      path,
      hasBody: route.body !== undefined,
      serve(request, response, body) {
        const [id, address] = [requestIds.of(request), proxies.addressOf(request)];
        const all = headers.to(request.headers.origin);
        served.serve(
          new HttpExchange({ request, response, id, address, body, headers: all, onAnswered }),
        );
      },
    });
    server.route({ method, url: path, handler: serveUnusual(served, headers, proxies) });
  }
  server.get('/', (_request, reply) => reply.redirect('/v2/health'));
  const { name: title, version } = dependencies.exchange;
  addReferencePage(server, { rateLimiter, title, version });
}

/** A hook counts what comes this way. */
function serveUnusual(served: RouteServer, headers: AnswerHeaders, proxies: TrustedProxies) {
  return ({ body, id, raw }: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack();
    // Not Fastify's: there, one who has hung up has none.
    const address = proxies.addressOf(raw);
    served.serve(
      new HttpExchange({
        request: raw,
        response: reply.raw,
        id,
        address,
        onAnswered: () => {},
        body: typeof body === 'string' ? body : '',
        headers: headers.to(raw.headers.origin),
      }),
    );
  };
}

function answerTheRest(server: FastifyInstance, { routes, watcher }: ServerOptions): void {
  const methods = new Map<string, string[]>();
  for (const { route } of routes) {
    const { method, path } = route;
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  server.setNotFoundHandler((request, reply) => {
    const allowed = methods.get(request.url.split('?', 1)[0]);
    if (request.method === 'OPTIONS') return preflight(reply, allowed ?? []);
    if (allowed === undefined) return refuse(reply, 'path_not_found');
    reply.header('allow', allowed.join(', '));
    return refuse(reply, 'method_not_allowed');
  });
  server.setErrorHandler((fault: { statusCode?: number; code?: string }, request, reply) => {
    if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse(reply, 'body_too_large');
    if (fault.statusCode !== undefined && fault.statusCode < 500) {
      return refuse(reply, 'body_malformed');
    }
    watcher.faulted('server', request.id, fault);
    return refuse(reply, 'internal_fault');
  });
}

function refuse(reply: FastifyReply, key: Parameters<typeof errorAnswer>[0]): FastifyReply {
  const { body, status } = errorAnswer(key, 'en', {});
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function preflight(reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  return reply
    .code(204)
    .header('access-control-allow-methods', allowed.join(', '))
    .header('access-control-allow-headers', ALLOWED_HEADERS)
    .header('access-control-max-age', PREFLIGHT_LIFE_S)
    .send();
}
