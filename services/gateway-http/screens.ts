// Serves the built files of an app on the API's origin. Every screen path gets the index page,
// under a policy that allows only files from this origin.

import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, type TrustedProxies } from '../../infra/access/index.ts';
import { JSON_TYPE } from '../../platform/http/index.ts';
import { errorAnswer } from '../../protocol/index.ts';
import type { RateLimiter } from './rate-limiter.ts';

export interface ScreensOptions {
  /** Folder with the built files. */
  readonly folder: string;
  /** URL at which browsers reach the exchange. */
  readonly publicUrl: string;
  readonly rateLimiter: Pick<RateLimiter, 'take'>;
  readonly proxies: TrustedProxies;
}

const WEIGHT = 1;
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Cached, and revalidated before each use. */
const REVALIDATED = 'no-cache';
/** Paths of the API and of the gateway's other pages, which no screen uses. */
const NO_SCREEN = /^\/(?:v\d|api|docs|stream|metrics|health|ready|confirm|openapi\.json)(?:\/|$)/;
const NOT_BUILT = 'The screens are not built: run `npm run screens -- build`.\n';
const PREFERENCE: readonly Encoding[] = ['br', 'gzip'];

/** Nothing from other hosts, nothing inline, no text that becomes script. */
export function screensPolicy(publicUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src 'self' ${streamOrigin(publicUrl)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** Some browsers do not count a websocket on the same host as `'self'`. */
function streamOrigin(publicUrl: string): string {
  return new URL(publicUrl).origin.replace(/^http/, 'ws');
}

const PAGE_HEADERS = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': [
    'accelerometer=()',
    'camera=()',
    'display-capture=()',
    'geolocation=()',
    'gyroscope=()',
    'microphone=()',
    'midi=()',
    'payment=()',
    'usb=()',
    'clipboard-write=(self)',
    'publickey-credentials-create=(self)',
    'publickey-credentials-get=(self)',
  ].join(', '),
} as const;

export class Screens {
  readonly #options: ScreensOptions;
  readonly #files: StaticFiles;
  readonly #policy: string;

  constructor(options: ScreensOptions) {
    this.#options = options;
    this.#files = new StaticFiles(options.folder);
    this.#policy = screensPolicy(options.publicUrl);
  }

  /**
   * Responds to a request that matched no route. Returns false if it is not for a screen either.
   */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const [path] = request.url.split('?', 1);
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (!isPage || NO_SCREEN.test(path)) return false;
    const isScreen = isScreenPath(path, request);
    const file = await this.#files.find(isScreen ? INDEX_PATH : path);
    if (file === undefined && !isScreen) return false;
    if (!charge(this.#options, request, reply)) return true;
    if (file === undefined) {
      reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
      return true;
    }
    if (file.type.startsWith('text/html')) {
      reply.header('content-security-policy', this.#policy).headers(PAGE_HEADERS);
    }
    send(request, reply, file);
    return true;
  }
}

/** Paths without an extension are screens for clients that accept a page. */
function isScreenPath(path: string, { headers }: FastifyRequest): boolean {
  if (path === '/' || path === INDEX_PATH) return true;
  if (path.slice(path.lastIndexOf('/')).includes('.')) return false;
  return `${headers.accept ?? ''}`.includes('text/html');
}

function send(request: FastifyRequest, reply: FastifyReply, file: StaticFile): void {
  const encoding = PREFERENCE.find((one) => accepts(request, one) && file.compressed.has(one));
  const content = encoding === undefined ? file.content : file.compressed.get(encoding)!;
  const tag = `"${file.tag}${encoding === undefined ? '' : `-${encoding}`}"`;
  reply
    .header('cache-control', file.isImmutable ? IMMUTABLE : REVALIDATED)
    .header('cross-origin-resource-policy', 'same-origin')
    .header('vary', 'accept-encoding')
    .header('etag', tag);
  if (isKnown(request, tag)) {
    reply.code(304).send();
    return;
  }
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  reply.type(file.type);
  if (request.method === 'HEAD') reply.header('content-length', content.length).send();
  else reply.send(content);
}

function accepts({ headers }: FastifyRequest, encoding: Encoding): boolean {
  const offers = `${headers['accept-encoding'] ?? ''}`.split(',').map((one) => one.trim());
  return offers.some((one) => {
    const [name, quality = 'q=1'] = one.split(/\s*;\s*/);
    return name === encoding && !/^q=0(?:\.0*)?$/.test(quality);
  });
}

function isKnown({ headers }: FastifyRequest, tag: string): boolean {
  const known = `${headers['if-none-match'] ?? ''}`.split(',').map((one) => one.trim());
  return known.some((one) => one.replace(/^W\//, '') === tag);
}

/** Returns false if the address is over its limit; then the reply is already sent. */
function charge(
  { proxies, rateLimiter }: ScreensOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const who = addressGroup(proxies.addressOf(request.raw));
  const { isAllowed, retryAfterS } = rateLimiter.take('address', who, WEIGHT);
  if (isAllowed) return true;
  const { body, status } = errorAnswer('rate_limit_exceeded', 'en', {});
  reply.header('retry-after', Math.max(1, retryAfterS));
  reply.code(status).type(JSON_TYPE).send(JSON.stringify(body));
  return false;
}

type Encoding = 'br' | 'gzip';

interface StaticFile {
  readonly type: string;
  /** True if its name has the hash of its content, so it never changes. */
  readonly isImmutable: boolean;
  /** Strong validator of the content, without quotes. */
  readonly tag: string;
  readonly content: Buffer;
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
}

const INDEX_PATH = '/index.html';
/** Vite puts files with a hash in their name here. */
const HASHED_FOLDER = '/assets/';
const COMPRESSED: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
  ['.woff2', 'font/woff2'],
]);
const TAG_CHARACTERS = 22;

/**
 * Built files of an app in memory, with their validators and compressed copies. A request can only
 * name a listed file, so no path leaves the folder.
 */
class StaticFiles {
  readonly #folder: string;
  #files: ReadonlyMap<string, StaticFile> = new Map();
  #loadedAs: string | undefined;
  #loading: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `path` begins with a slash. Returns undefined if the build has no such file. */
  async find(path: string): Promise<StaticFile | undefined> {
    // A page is rarely opened, so this is when a newer build is noticed.
    if (path === INDEX_PATH || this.#loadedAs === undefined) await this.#refresh();
    return this.#files.get(path);
  }

  #refresh(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const index = await stat(join(this.#folder, INDEX_PATH)).catch(() => undefined);
    if (index === undefined) return;
    const version = `${index.mtimeMs} ${index.size}`;
    if (version === this.#loadedAs) return;
    this.#files = await readFiles(this.#folder);
    this.#loadedAs = version;
  }
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // A link could lead out of the folder, so only files count.
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => relative(folder, join(parentPath, name)));
  const contents = new Map<string, Buffer>();
  for (const name of names) contents.set(name, await readFile(join(folder, name)));
  const files = new Map<string, StaticFile>();
  for (const [name, content] of contents) {
    const type = TYPES.get(extname(name));
    if (type === undefined) continue;
    const path = `/${name.split(sep).join('/')}`;
    const compressed = COMPRESSED.flatMap(([encoding, end]) => {
      const found = contents.get(name + end);
      return found === undefined ? [] : [[encoding, found] as const];
    });
    files.set(path, {
      type,
      isImmutable: path.startsWith(HASHED_FOLDER),
      tag: createHash('sha256').update(content).digest('base64url').slice(0, TAG_CHARACTERS),
      content,
      compressed: new Map(compressed),
    });
  }
  return files;
}
