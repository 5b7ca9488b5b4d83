// API reference: a page to read and try the interface. The gateway serves all its assets, so no
// other host can track its readers. It must know only the OpenAPI document.

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { addressGroup, type TrustedProxies } from '../../infra/access/index.ts';
import { errorAnswer, openApiDocument } from '../../protocol/index.ts';
import type { RateLimiter } from './rate-limiter.ts';

export interface ReferencePageOptions {
  readonly rateLimiter: Pick<RateLimiter, 'take'>;
  readonly proxies: TrustedProxies;
  readonly title: string;
  readonly version: string;
}

const PAGE = '/docs';
const SCRIPT = `${PAGE}/js/scalar.js`;
const DOCUMENT = '/openapi.json';

// A page is large, so it costs an address this weight.
const WEIGHT = 5;
const FRESH_FOR_S = 3_600;
/** A page without an origin has no storage, but the library expects one. */
const MEMORY_STORAGE = `<script>
for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map();
  const value = {
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, item) => void kept.set(String(key), String(item)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
    key: (at) => [...kept.keys()][at] ?? null,
    get length() { return kept.size; },
  };
  Object.defineProperty(window, name, { value });
}
</script>`;
const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Takes effect when the server is ready. */
export function addReferencePage(server: FastifyInstance, options: ReferencePageOptions): void {
  let document: string | undefined;
  let library: Promise<FastifyInstance> | undefined;
  const zipped = new Map<string, Promise<Buffer>>();
  // In a separate scope, so its hooks do not apply to other routes.
  server.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => charge(options, request, reply));
    scope.addHook('onSend', async (request, reply, payload) => {
      if (typeof payload !== 'string' || reply.statusCode !== 200) return payload;
      reply.header('cache-control', `public, max-age=${FRESH_FOR_S}`);
      if (request.routeOptions.url === `${PAGE}/`) {
        const html = payload.replace('<script', `${MEMORY_STORAGE}<script`);
        reply.header('content-security-policy', policyFor(html));
        reply.header('content-length', Buffer.byteLength(html));
        return html;
      }
      return zip(request, reply, payload);
    });
    // The page has no origin: without this header it could not read the document.
    scope.get(DOCUMENT, (_request, reply) => {
      document ??= JSON.stringify(openApiDocument(options.version));
      return reply
        .header('access-control-allow-origin', '*')
        .type('application/json; charset=utf-8')
        .send(document);
    });
    for (const path of [PAGE, `${PAGE}/`, SCRIPT]) {
      scope.get(path, async (_request, reply) => {
        library ??= openLibrary(options.title);
        const answer = await (await library).inject(path);
        const { 'content-type': type, location } = answer.headers;
        if (location !== undefined) return reply.redirect(location, answer.statusCode);
        return reply.code(answer.statusCode).type(`${type}`).send(answer.body);
      });
    }
  });

  /** The script is large and does not change, so it is compressed once. */
  async function zip(
    { headers, routeOptions }: FastifyRequest,
    reply: FastifyReply,
    payload: string,
  ): Promise<string | Buffer> {
    reply.header('vary', 'accept-encoding');
    if (!/\bgzip\b/.test(`${headers['accept-encoding'] ?? ''}`)) return payload;
    const path = routeOptions.url ?? '';
    if (path !== SCRIPT && path !== DOCUMENT) return payload;
    const made = zipped.get(path) ?? promisify(gzip)(payload);
    zipped.set(path, made);
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return made;
  }
}

/**
 * Loads the library into a server that does not listen. Loaded at the first visit, because its
 * files have more than 4 MB and a started server accepts no other routes.
 */
async function openLibrary(pageTitle: string): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const pages = fastify();
  await pages.register(apiReference, {
    routePrefix: PAGE,
    configuration: {
      url: DOCUMENT,
      pageTitle,
      // The page contacts no other host.
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  });
  return pages;
}

async function charge(
  { proxies, rateLimiter }: ReferencePageOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { isAllowed, retryAfterS } = rateLimiter.take(
    'address',
    addressGroup(proxies.addressOf(request.raw)),
    WEIGHT,
  );
  if (isAllowed) return undefined;
  const { body, status } = errorAnswer('rate_limit_exceeded', 'en', {});
  reply.header('retry-after', Math.max(1, retryAfterS));
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/**
 * Allows scripts from this origin, and the inline script by its hash. The library writes its styles
 * into the page, so they cannot be listed. The page is sandboxed without an origin, so a fault in
 * the library cannot reach the cookies or the storage of the screens.
 */
export function policyFor(html: string): string {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    'sandbox allow-scripts allow-popups',
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
