// Opens a page of either app in a look, with or without a session, optionally with other built
// files. Records policy violations, requests to other hosts and page faults.

import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { LOOKS, type Look } from './looks.ts';

/** Stage of a page, with three lists for its faults. */
export interface Watcher {
  readonly browser: Browser;
  readonly url: string;
  readonly patienceMs: number;
  /** Built files served to pages instead of the gateway's. */
  readonly shownFolder: string | undefined;
  readonly violations: string[];
  readonly foreignRequests: string[];
  readonly faults: string[];
}

export interface WatchedPageOptions {
  readonly look?: Look | undefined;
  readonly reducedMotion?: boolean | undefined;
  readonly forcedColours?: boolean | undefined;
  /** Session cookie. A guest if omitted. */
  readonly cookie?: { readonly name: string; readonly value: string } | undefined;
  /** Items in the browser's storage when it opens its first page. */
  readonly stored?: Readonly<Record<string, string>>;
}

const PREFERENCES = 'rialto.preferences';
/** Opens the gallery of components. */
const GALLERY = 'rialto.gallery';

export async function openWatchedPage(
  watcher: Watcher,
  { cookie, forcedColours, look = LOOKS[0], reducedMotion, stored = {} }: WatchedPageOptions,
): Promise<Page> {
  const { browser, patienceMs, shownFolder, url } = watcher;
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...(look.isPhone === true && { isMobile: true, hasTouch: true, deviceScaleFactor: 2 }),
    ...(reducedMotion === true && { reducedMotion: 'reduce' as const }),
    ...(forcedColours === true && { forcedColors: 'active' as const }),
  });
  if (cookie !== undefined) await context.addCookies([{ ...cookie, url }]);
  await watch(context, watcher);
  const own = { [PREFERENCES]: JSON.stringify(look.preferences), [GALLERY]: '1' };
  await store(context, { ...own, ...stored });
  if (shownFolder !== undefined) await showInstead(context, url, shownFolder);
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  return page;
}

async function watch(context: BrowserContext, watcher: Watcher): Promise<void> {
  const { faults, foreignRequests, url, violations } = watcher;
  await context.exposeBinding('reportViolation', (_source, text: string) => {
    violations.push(text);
  });
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => reportViolation(
       [location.pathname, event.violatedDirective, event.blockedURI, event.sourceFile].join(' ')
     ));`,
  );
  context.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    const isOwn = host === new URL(url).host || protocol === 'data:' || protocol === 'blob:';
    if (!isOwn) foreignRequests.push(request.url());
  });
  context.on('weberror', (fault) => faults.push(String(fault.error())));
}

function store(context: BrowserContext, stored: Readonly<Record<string, string>>) {
  return context.addInitScript(
    `if (location.protocol !== 'about:') {
       for (const [key, value] of Object.entries(${JSON.stringify(stored)})) {
         localStorage.getItem(key) ?? localStorage.setItem(key, value);
       }
     }`,
  );
}

/** Serves these files to pages, under the gateway's policy. */
async function showInstead(context: BrowserContext, url: string, folder: string): Promise<void> {
  // Chromium cannot tell the origin of such a page and would block its stream to this machine.
  await context.grantPermissions(['local-network-access'], { origin: url });
  const index = await fetch(url, { headers: { accept: 'text/html' } });
  const policy = index.headers.get('content-security-policy') ?? '';
  const headers = { 'content-security-policy': policy };
  await context.route(`${url}/**`, (route, request) => {
    const { pathname } = new URL(request.url());
    const isDocument = request.resourceType() === 'document';
    if (!isDocument && !pathname.startsWith('/assets/')) return route.fallback();
    const file = join(folder, isDocument ? 'index.html' : pathname);
    const contentType = CONTENT_TYPES[extname(file)];
    return route.fulfill({ body: readFileSync(file), contentType, headers });
  });
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};
