// The HTTP server: every route of the protocol on its path, and what all answers have in common.
// Knows no route by name.

import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { errorAnswer, type Route, routes } from '../../protocol/index.ts';
import type { Budgets } from './budgets.ts';
import type { GatewayWatcher } from './events.ts';
import type { Handler, Handlers } from './handler.ts';
import type { Parts } from './parts.ts';
import { addReferencePage } from './reference-page.ts';
import { RouteServer } from './serve-route.ts';
import { createChecks } from './validation.ts';

export interface ServerOptions {
  readonly parts: Parts;
  readonly handlers: Handlers;
  readonly budgets: Budgets;
  readonly watcher: GatewayWatcher;
  readonly bodyBytesMax: number;
  readonly connectionsMax: number;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly checkAnswers: boolean;
}

// Nothing that we answer is a page, except the reference, which brings headers of its own.
// Each header costs about half a microsecond of every answer, so none is here that says nothing:
// frames are in the policy, and an answer that is no page has no referrer.
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
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

export function createServer(options: ServerOptions): FastifyInstance {
  const { trustedProxies } = options;
  let requests = 0;
  const server = fastify({
    logger: false,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: options.bodyBytesMax,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      requests += 1;
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : `r${requests}`;
    },
    // A proxy may leave the prefix of a combined deployment; the signed path begins behind it.
    rewriteUrl: ({ url = '/' }) => (url.startsWith('/api/v2') ? url.slice('/api'.length) : url),
    // A target that can not be decoded names nothing.
    frameworkErrors: (_fault, _request, reply) => void refuse(reply, 'path_not_found'),
    http: { maxHeaderSize: HEADER_BYTES_MAX, headersTimeout: HEADERS_TIMEOUT_MS },
  });
  server.server.maxConnections = options.connectionsMax;
  readBodiesAsText(server);
  addHooks(server, options);
  addRoutes(server, options);
  answerTheRest(server, options);
  return server;
}

// With callbacks, because a promise for each would cost more than what they do.
function addHooks(server: FastifyInstance, options: ServerOptions): void {
  const { corsOrigins, parts, watcher } = options;
  const isOverTls = parts.exchange.publicUrl.startsWith('https:');
  const headers = isOverTls ? HEADERS_OVER_TLS : HEADERS;
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    allowOrigin(corsOrigins, request, reply);
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

function addRoutes(server: FastifyInstance, options: ServerOptions): void {
  const { budgets, checkAnswers, handlers, parts, watcher } = options;
  const checks = createChecks();
  for (const [name, route] of Object.entries<Route>(routes)) {
    if (route.onlyInDevelopment === true && !parts.exchange.isDevelopment) continue;
    const handler = handlers[name as keyof Handlers] as unknown as Handler<Route>;
    const { serve } = new RouteServer({
      ...{ name, route, handler, parts, budgets, watcher, checks, checkAnswers },
    });
    server.route({ method: route.method, url: route.path, handler: serve });
  }
  server.get('/', (_request, reply) => reply.redirect('/v2/health'));
  const { name: title, version } = parts.exchange;
  addReferencePage(server, { budgets, title, version });
}

function answerTheRest(server: FastifyInstance, { watcher }: ServerOptions): void {
  const methods = new Map<string, string[]>();
  for (const { method, path } of Object.values<Route>(routes)) {
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

function allowOrigin(
  origins: readonly string[],
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
): void {
  const isAnyone = origins.includes('*');
  if (!isAnyone) reply.header('vary', 'origin');
  // Only browsers ask for this, and they say where from.
  if (origin === undefined || !(isAnyone || origins.includes(origin))) return;
  reply.header('access-control-allow-origin', isAnyone ? '*' : origin);
  reply.header('access-control-expose-headers', EXPOSED);
}

function preflight(reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  return reply
    .code(204)
    .header('access-control-allow-methods', allowed.join(', '))
    .header('access-control-allow-headers', ALLOWED_HEADERS)
    .header('access-control-max-age', PREFLIGHT_LIFE_S)
    .send();
}
