// An exchange with a moving market that serves the built screens, and a Chromium that looks at
// them. It counts violations of the policy, requests to other hosts and faults of pages.

import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Route,
} from 'playwright-core';
import type { UserId } from '../../core/money/index.ts';
import { chromiumPath } from '../../tools/client/test-runtimes.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { ensureScreens } from '../../tools/screens/build-screens.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { withSlack } from './load.ts';
import { LOOKS, type Look } from './looks.ts';
import { MovingMarket } from './moving-market.ts';
import { Wire } from './wire.ts';

export interface PageOptions {
  readonly look?: Look;
  /** Signed in without a login; a guest without it. */
  readonly user?: UserId;
  readonly reducedMotion?: boolean;
  readonly forcedColours?: boolean;
}

export interface StageOptions {
  /** Agents trade on a demo with a history; without them, bob moves the market. */
  readonly hasAgents: boolean;
  /** Only the processes that the smoke needs. */
  readonly isSmall?: boolean;
}

/** Machines under load are slow: only a stall fails. */
const PATIENCE_MS = 60_000;
const QUIET_PATIENCE_MS = 15_000;
const PREFERENCES = 'rialto.preferences';
const SIGNED_IN = 'rialto.signed-in';
const MID_PRICE = 60_000;

export class Stage {
  readonly sandbox: Sandbox;
  readonly browser: Browser;
  readonly market: MovingMarket;
  readonly wire: Wire;
  /** Built files. */
  readonly folder: string;
  readonly violations: string[] = [];
  readonly foreignRequests: string[] = [];
  readonly faults: string[] = [];
  /** Undefined until axe has run. */
  axeSerious: number | undefined;
  /** A check of a broken screen fails after this time. */
  patienceMs = Math.max(PATIENCE_MS, withSlack(QUIET_PATIENCE_MS));
  /** Other built files, which pages get in place of those of the gateway. */
  shownFolder: string | undefined;
  #indexHeaders: Record<string, string> | undefined;

  static async open({ hasAgents, isSmall = false }: StageOptions): Promise<Stage> {
    const wire = await Wire.open();
    const RIALTO_PUBLIC_URL = wire.url;
    // The files are read when the gateway starts, which is the last step of the start.
    const [{ folder }, executablePath] = await Promise.all([ensureScreens(), chromiumPath()]);
    const sandbox = await startSandbox({
      isDemo: hasAgents,
      ...(hasAgents ? { historyDays: 2, agentSettings: { RIALTO_AGENTS_SEED: '7' } } : {}),
      // One is killed in a check, and the other lives on.
      gateways: isSmall ? 1 : 2,
      streams: 1,
      withIdentity: !isSmall,
      withNotifier: true,
      withMonitor: !isSmall,
      budgets: 'wide',
      gatewaySettings: { RIALTO_TERMINAL_FOLDER: folder, RIALTO_PUBLIC_URL },
      streamSettings: { RIALTO_PUBLIC_URL },
      notifierSettings: { RIALTO_PUBLIC_URL },
    });
    try {
      wire.leadTo(Number(new URL(sandbox.url).port));
      const args = ['--no-sandbox', '--disable-dev-shm-usage'];
      const browser = await chromium.launch({ executablePath, args, timeout: PATIENCE_MS });
      const stage = new Stage({ sandbox, browser, wire, folder });
      if (!hasAgents) {
        await stage.market.quote(MID_PRICE);
        stage.market.start(MID_PRICE);
      }
      return stage;
    } catch (fault) {
      await sandbox.stop();
      throw fault;
    }
  }

  private constructor(parts: { sandbox: Sandbox; browser: Browser; wire: Wire; folder: string }) {
    this.sandbox = parts.sandbox;
    this.browser = parts.browser;
    this.wire = parts.wire;
    this.folder = parts.folder;
    this.market = new MovingMarket(parts.sandbox);
  }

  /** The public address, at the wire. Signed clients of checks use the gateway itself. */
  get url(): string {
    return this.wire.url;
  }

  /** The built files that pages show. */
  get files(): string {
    return this.shownFolder ?? this.folder;
  }

  /** Signed requests of a seeded user. */
  clientOf(name: 'admin' | 'alice' | 'bob'): RestClient {
    const { key, secret } = this.sandbox.seeded.users[name];
    return new RestClient({ url: this.sandbox.url, key, secret });
  }

  async openPage(options: PageOptions = {}): Promise<Page> {
    const { forcedColours, look = LOOKS[0], reducedMotion, user } = options;
    const context = await this.browser.newContext({
      viewport: { width: look.width, height: look.height },
      locale: 'en-GB',
      timezoneId: 'UTC',
      ...(look.isPhone === true && { isMobile: true, hasTouch: true, deviceScaleFactor: 2 }),
      ...(reducedMotion === true && { reducedMotion: 'reduce' as const }),
      ...(forcedColours === true && { forcedColors: 'active' as const }),
    });
    if (user !== undefined) {
      const { token } = await this.sandbox.admin.issueSession({ user });
      await context.addCookies([{ name: 'rialto', value: token, url: this.url }]);
    }
    await this.#watch(context);
    const stored = { [PREFERENCES]: JSON.stringify(look.preferences) };
    await this.#store(context, user === undefined ? stored : { ...stored, [SIGNED_IN]: '1' });
    if (this.shownFolder !== undefined) await this.#showInstead(context, this.shownFolder);
    const page = await context.newPage();
    page.setDefaultTimeout(this.patienceMs);
    return page;
  }

  /** Put into the browser before its first page. */
  #store(context: BrowserContext, stored: Readonly<Record<string, string>>): Promise<unknown> {
    return context.addInitScript(
      `if (location.protocol !== 'about:') {
         for (const [key, value] of Object.entries(${JSON.stringify(stored)})) {
           localStorage.getItem(key) ?? localStorage.setItem(key, value);
         }
       }`,
    );
  }

  async #watch(context: BrowserContext): Promise<void> {
    await context.exposeBinding('reportViolation', (_source, text: string) => {
      this.violations.push(text);
    });
    await context.addInitScript(
      `addEventListener('securitypolicyviolation', (event) => reportViolation(
         [location.pathname, event.violatedDirective, event.blockedURI, event.sourceFile].join(' ')
       ));`,
    );
    context.on('request', (request) => {
      const { host, protocol } = new URL(request.url());
      const isOwn = host === new URL(this.url).host || protocol === 'data:' || protocol === 'blob:';
      if (!isOwn) this.foreignRequests.push(request.url());
    });
    context.on('weberror', (fault) => this.faults.push(String(fault.error())));
  }

  /** Pages get these files, under the headers of the gateway. */
  async #showInstead(context: BrowserContext, folder: string): Promise<void> {
    // Chromium does not know where such a page comes from, and refuses its stream to this machine.
    await context.grantPermissions(['local-network-access'], { origin: this.url });
    this.#indexHeaders ??= await indexHeaders(this.url);
    const headers = this.#indexHeaders;
    const answer = (route: Route, file: string) => {
      const contentType = CONTENT_TYPES[extname(file)];
      return route.fulfill({ body: readFileSync(file), contentType, headers });
    };
    await context.route(`${this.url}/**`, (route, request) => {
      const { pathname } = new URL(request.url());
      if (request.resourceType() === 'document') return answer(route, join(folder, 'index.html'));
      if (!pathname.startsWith('/assets/')) return route.fallback();
      return answer(route, join(folder, pathname));
    });
  }

  async close(): Promise<void> {
    this.market.stop();
    await this.browser.close();
    this.wire.close();
    await this.sandbox.stop();
  }
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};

async function indexHeaders(url: string): Promise<Record<string, string>> {
  const answer = await fetch(url, { headers: { accept: 'text/html' } });
  const policy = answer.headers.get('content-security-policy') ?? '';
  return { 'content-security-policy': policy };
}

/** Opens a screen and waits until its content is there. */
export async function visit(page: Page, url: string, path: string): Promise<void> {
  await page.goto(url + path);
  await page.getByRole('main').waitFor();
  await isTrue(page, `document.querySelector('main').innerText.trim().length > 0`);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** Asked from outside: the policy of the page forbids text that becomes script. */
export function isTrue(page: Page, condition: string): Promise<void> {
  const question = () => page.evaluate<boolean>(condition);
  return waitUntil({ what: condition, timeoutMs: PATIENCE_MS, question });
}
