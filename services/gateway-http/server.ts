// HTTP server: Fastify routes every request and reads its body. It must not know any route by name.

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { BrowserCookies, TrustedProxies } from '../../infra/access/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { type Dependencies, JSON_TYPE } from '../../platform/http/index.ts';
import { BODY_BYTES_MAX, type ErrorKey, errorAnswer, type Route } from '../../protocol/index.ts';
import { AddressLimits } from './address-limits.ts';
import { addConfirmPage } from './confirm/confirm-page.ts';
import { AnswerHeaders, endUnreadable, HttpExchange } from './http-exchange.ts';
import type { IdentityProxy } from './identity-proxy.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { addReferencePage } from './reference-page.ts';
import { Screens } from './screens.ts';
import { RouteServer } from './serve-route.ts';
import { reasonNotOffered, type ServedRoute } from './served-routes.ts';
import { isStreamHandshake, type StreamProxy } from './stream-proxy.ts';
import type { GatewayWatcher, Served } from './telemetry.ts';
import { createChecks } from './validation.ts';

export interface ServerOptions {
  readonly dependencies: Dependencies;
  readonly routes: readonly ServedRoute[];
  readonly rateLimiter: RateLimiter;
  readonly watcher: GatewayWatcher;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  readonly requestsPerAddressMax: number;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly checkAnswers: boolean;
  /** Routes of another process, to which this one forwards them. */
  readonly forwarded?: {
    readonly routes: readonly ServedRoute[];
    readonly proxy: IdentityProxy;
  };
  /** Folder with an app's built files; without it, no screens are served. */
  readonly screensFolder?: string | undefined;
  /** Serves `/stream` on the same port. */
  readonly streamProxy?: StreamProxy | undefined;
}

const ALLOWED_HEADERS = 'api-key, api-signature, api-expires, authorization, content-type';
const PREFLIGHT_LIFE_S = 86_400;
const REQUEST_ID = /^[\w-]{1,64}$/;
const HEADER_BYTES_MAX = 16_384;
/** From the first byte of a connection or request to its last. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** How often connections are checked against the two limits above. */
const TIMEOUT_CHECK_MS = 1_000;
/** Time without a byte in either direction, for a client that does not read its response. */
const STANDSTILL_MS = 120_000;
const BUSY_RETRY_AFTER_S = 1;
const KEEP_ALIVE_MS = 72_000;
const CLOSE_IDLE_EVERY_MS = 50;
const NO_QUERY = {};

/** A request whose body is being read. */
const ADMITTED = Symbol('admitted');

declare module 'fastify' {
  interface FastifyRequest {
    [ADMITTED]: HttpExchange | undefined;
  }
}

type Serve = (exchange: HttpExchange) => void;
type Admit = (exchange: HttpExchange, proceed: () => void) => void;

interface Refusing {
  readonly watcher: GatewayWatcher;
  readonly headers: AnswerHeaders;
  readonly proxies: TrustedProxies;
}

interface Serving extends Refusing {
  readonly server: FastifyInstance;
  readonly options: ServerOptions;
  readonly limits: AddressLimits;
}

export function createServer(options: ServerOptions): FastifyInstance {
  const { streamProxy } = options;
  const requestIds = new RequestIds();
  const proxies = new TrustedProxies(options.trustedProxies);
  const isOverTls = options.dependencies.exchange.publicUrl.startsWith('https:');
  const headers = new AnswerHeaders({ corsOrigins: options.corsOrigins, isOverTls });
  const refusing: Refusing = { watcher: options.watcher, headers, proxies };
  const server = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    requestIdHeader: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: STANDSTILL_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Any other upgrade request is served as a normal request.
      shouldUpgradeCallback: (request) => streamProxy !== undefined && isStreamHandshake(request),
    },
    // Routes parse their query from the target, by their schema.
    routerOptions: { querystringParser: () => NO_QUERY },
    clientErrorHandler: endUnreadable,
    genReqId: (request) => requestIds.of(request),
    // A proxy might keep the prefix of a combined deployment; the signed path begins after it.
    rewriteUrl: ({ url = '/' }) => (url.startsWith('/api/v2') ? url.slice('/api'.length) : url),
    // A target that cannot be decoded does not name a route.
    frameworkErrors: (_fault, request, reply) =>
      void refuse(refusing, { request, reply, key: 'path_not_found' }),
  });
  server.server.maxConnections = options.connectionsMax;
  const onRefused = () => options.watcher.connectionRefused();
  const limits = new AddressLimits({ ...options, proxies, onRefused });
  limits.attach(server.server);
  streamProxy?.attach(server.server);
  const connections = openConnections(server.server);
  server.addHook('preClose', (done) => {
    streamProxy?.stop();
    options.forwarded?.proxy.stop();
    closeIdleConnections(server.server, connections);
    done();
  });
  readBodiesAsText(server);
  const serving: Serving = { ...refusing, server, options, limits };
  addRoutes(serving);
  addPages(serving);
  answerOtherRequests(serving);
  return server;
}

function openConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

/** Requests completed while the server closes would leave their connections open for the next. */
function closeIdleConnections(server: Server, connections: ReadonlySet<Socket>): void {
  if (!server.listening) return;
  let isClosed = false;
  server.once('close', () => {
    isClosed = true;
  });
  const closeIdle = () => {
    if (isClosed) return;
    server.closeIdleConnections();
    // Node does not count a connection as idle before its first request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    systemClock.after(CLOSE_IDLE_EVERY_MS, closeIdle);
  };
  closeIdle();
}

/** Uses a client's own ID if it is harmless, otherwise a generated number. */
class RequestIds {
  #count = 0;

  of({ headers }: IncomingMessage): string {
    const named = headers['x-request-id'];
    this.#count += 1;
    return typeof named === 'string' && REQUEST_ID.test(named) ? named : `r${this.#count}`;
  }
}

// Keeps the body's text, because signatures cover it.
function readBodiesAsText(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
}

// Without hooks, which together would cost a quarter of a book response. Only routes with a body
// have one, which refuses before the body is read.
function addRoutes({ headers, limits, options, proxies, server }: Serving): void {
  server.decorateRequest(ADMITTED, undefined);
  const { checkAnswers, dependencies, forwarded, rateLimiter, routes, watcher } = options;
  const { clock } = dependencies;
  const checks = createChecks();
  const cookies = new BrowserCookies(dependencies.exchange.publicUrl);
  const add = (route: Route, serve: Serve, admit?: Admit) => {
    const { bodyBytesMax: bodyLimit = BODY_BYTES_MAX, method, path: url } = route;
    const onAnswered = (status: number, exchange: HttpExchange) => {
      const { address, id: requestId, startedMs } = exchange;
      if (exchange.isCounted) limits.endRequest(exchange.addressGroup);
      const tookMs = performance.now() - startedMs;
      watcher.served({ method, path: url, status, requestId, tookMs, address });
    };
    const exchangeOf = (request: FastifyRequest, reply: FastifyReply) => {
      const { raw } = request;
      const own = { address: proxies.addressOf(raw), headers: headers.to(raw.headers.origin) };
      return new HttpExchange({ request, reply, onAnswered, clock, ...own });
    };
    server.route({
      method: methodsOf(route),
      url,
      bodyLimit,
      ...(admit !== undefined && {
        onRequest(request: FastifyRequest, reply: FastifyReply, proceed: () => void): void {
          const exchange = exchangeOf(request, reply);
          request[ADMITTED] = exchange;
          admit(exchange, proceed);
        },
      }),
      handler(request, reply): void {
        reply.hijack();
        const exchange = request[ADMITTED] ?? exchangeOf(request, reply);
        exchange.isCounted = limits.beginRequest(exchange.addressGroup);
        if (exchange.isCounted) serve(exchange);
        else refuseBusy(exchange);
      },
    });
  };
  for (const served of routes) {
    const shared = { dependencies, rateLimiter, watcher, checks, cookies, checkAnswers };
    const routeServer = new RouteServer({ ...served, ...shared });
    const serve: Serve = (exchange) => routeServer.serve(exchange);
    const admit: Admit = (exchange, proceed) => routeServer.admit(exchange, proceed);
    add(served.route, serve, served.route.body === undefined ? undefined : admit);
  }
  for (const { route } of forwarded?.routes ?? []) {
    add(route, (exchange) => forwarded?.proxy.forward(route, exchange));
  }
}

/** Reads also accept HEAD; a GET that changes something does not. */
function methodsOf({ effect, method }: Route): string[] {
  return method === 'GET' && effect === 'read' ? [method, 'HEAD'] : [method];
}

/** Refuses a request because its address has too many in flight. */
function refuseBusy(exchange: HttpExchange): void {
  const { body, status } = errorAnswer('rate_limit_exceeded');
  exchange.retryAfterS = BUSY_RETRY_AFTER_S;
  exchange.answer(status, JSON.stringify(body));
}

/** Adds the pages and their parts in a separate scope, so their hooks do not touch routes. */
function addPages({ headers, options, proxies, server }: Serving): void {
  const { dependencies, rateLimiter, screensFolder, watcher } = options;
  const { name: title, version } = dependencies.exchange;
  server.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => addHeaders(headers, request, reply));
    scope.addHook('onResponse', async (request, reply) =>
      watcher.served(servedOf(request, reply, proxies)),
    );
    if (screensFolder === undefined) {
      scope.get('/', (_request, reply) => reply.redirect('/v2/health'));
    }
    addConfirmPage(scope, title);
    addReferencePage(scope, { rateLimiter, proxies, title, version });
  });
}

function answerOtherRequests(serving: Serving): void {
  const { headers, proxies, server, watcher } = serving;
  const { dependencies, forwarded, rateLimiter, routes, screensFolder: folder } = serving.options;
  const { publicUrl } = dependencies.exchange;
  const screens = folder && new Screens({ folder, publicUrl, rateLimiter, proxies });
  const allowedOn = methodsByPath([...routes, ...(forwarded?.routes ?? [])]);
  const preflight = (request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]) => {
    addHeaders(headers, request, reply);
    reply
      .code(204)
      .header('access-control-allow-methods', allowed.join(', '))
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', PREFLIGHT_LIFE_S)
      .send();
    watcher.served(servedOf(request, reply, proxies));
    return reply;
  };
  server.setNotFoundHandler(async (request, reply) => {
    const [path] = request.url.split('?', 1);
    const allowed = allowedOn(path);
    if (request.method === 'OPTIONS') return preflight(request, reply, allowed ?? []);
    if (allowed === undefined) {
      addHeaders(headers, request, reply);
      if (screens && (await screens.answer(request, reply))) {
        watcher.served({ ...servedOf(request, reply, proxies), path: 'screen' });
        return reply;
      }
      const detail = reasonNotOffered(path);
      if (detail === undefined) return refuse(serving, { request, reply, key: 'path_not_found' });
      return refuse(serving, { request, reply, key: 'not_offered', details: { detail } });
    }
    reply.header('allow', allowed.join(', '));
    return refuse(serving, { request, reply, key: 'method_not_allowed' });
  });
  server.setErrorHandler((fault: { statusCode?: number; code?: string }, request, reply) => {
    if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      return refuse(serving, { request, reply, key: 'body_too_large' });
    }
    if (fault.statusCode !== undefined && fault.statusCode < 500) {
      return refuse(serving, { request, reply, key: 'body_malformed' });
    }
    watcher.faulted('server', request.id, fault);
    return refuse(serving, { request, reply, key: 'internal_fault' });
  });
}

/** Returns undefined for a path without a route. */
function methodsByPath(
  routes: readonly ServedRoute[],
): (path: string) => readonly string[] | undefined {
  const methods = new Map<string, string[]>();
  for (const { route } of routes) {
    methods.set(route.path, [...(methods.get(route.path) ?? []), ...methodsOf(route)]);
  }
  const patterns = [...methods.keys()]
    .filter((path) => path.includes(':'))
    .map((path) => ({ path, matches: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`) }));
  return (path) => {
    const pattern = patterns.find(({ matches }) => matches.test(path));
    return methods.get(path) ?? (pattern && methods.get(pattern.path));
  };
}

interface UnroutedRefusal {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly key: ErrorKey;
  readonly details?: Readonly<Record<string, string>>;
}

function refuse({ headers, proxies, watcher }: Refusing, refused: UnroutedRefusal): FastifyReply {
  const { details = {}, key, reply, request } = refused;
  // A client that disconnects during its body gets no response.
  const isConnected = !reply.raw.destroyed;
  addHeaders(headers, request, reply);
  const { body, status } = errorAnswer(key, 'en', details);
  reply.code(status).type(JSON_TYPE).send(JSON.stringify(body));
  if (isConnected) watcher.served(servedOf(request, reply, proxies));
  return reply;
}

function addHeaders(headers: AnswerHeaders, request: FastifyRequest, reply: FastifyReply): void {
  const all = headers.to(request.headers.origin);
  for (let at = 0; at < all.length; at += 2) reply.header(all[at], all[at + 1]);
  reply.header('x-request-id', request.id);
}

function servedOf(request: FastifyRequest, reply: FastifyReply, proxies: TrustedProxies): Served {
  return {
    method: request.method,
    path: request.routeOptions.url ?? 'none',
    status: reply.statusCode,
    requestId: request.id,
    tookMs: reply.elapsedTime,
    address: proxies.addressOf(request.raw),
  };
}
