// An exchange with a moving market that serves the built screens, and a Chromium that looks at
// them. It counts violations of the policy, requests to other hosts and faults of pages.

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { UserId } from '../../core/money/index.ts';
import { chromiumPath } from '../../tools/client/test-runtimes.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { ensureScreens } from '../../tools/screens/build-screens.ts';
import { LOOKS, type Look } from './looks.ts';
import { MovingMarket } from './moving-market.ts';

export interface PageOptions {
  readonly look?: Look;
  /** Signed in without a login; a guest without it. */
  readonly user?: UserId;
  /** The origin; that of the exchange without it. */
  readonly url?: string;
  readonly reducedMotion?: boolean;
}

/** Machines under load are slow: only a stall fails. */
export const PATIENCE_MS = 60_000;
const PREFERENCES = 'rialto.preferences';

export class Stage {
  readonly sandbox: Sandbox;
  readonly browser: Browser;
  readonly market: MovingMarket;
  /** Built files. */
  readonly folder: string;
  readonly violations: string[] = [];
  readonly foreignRequests: string[] = [];
  readonly faults: string[] = [];
  /** Undefined until axe has run. */
  axeSerious: number | undefined;

  static async open({ isQuick }: { readonly isQuick: boolean }): Promise<Stage> {
    const [{ folder }, executablePath] = await Promise.all([ensureScreens(), chromiumPath()]);
    const sandbox = await startSandbox({
      isDemo: !isQuick,
      ...(isQuick ? {} : { historyDays: 2, agentSettings: { RIALTO_AGENTS_SEED: '7' } }),
      streams: 1,
      withIdentity: true,
      withNotifier: true,
      withMonitor: true,
      budgets: 'wide',
      gatewaySettings: { RIALTO_TERMINAL_FOLDER: folder },
    });
    try {
      const args = ['--no-sandbox', '--disable-dev-shm-usage'];
      const browser = await chromium.launch({ executablePath, args, timeout: PATIENCE_MS });
      return new Stage(sandbox, browser, folder);
    } catch (fault) {
      await sandbox.stop();
      throw fault;
    }
  }

  private constructor(sandbox: Sandbox, browser: Browser, folder: string) {
    this.sandbox = sandbox;
    this.browser = browser;
    this.folder = folder;
    this.market = new MovingMarket(sandbox);
  }

  get url(): string {
    return this.sandbox.publicUrl;
  }

  /** Signed requests of a seeded user. */
  clientOf(name: 'admin' | 'alice' | 'bob'): RestClient {
    const { key, secret } = this.sandbox.seeded.users[name];
    return new RestClient({ url: this.sandbox.url, key, secret });
  }

  async openPage({ look = LOOKS[0], reducedMotion, url, user }: PageOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width: look.width, height: look.height },
      locale: 'en-GB',
      timezoneId: 'UTC',
      ...(look.isPhone === true && { isMobile: true, hasTouch: true, deviceScaleFactor: 2 }),
      ...(reducedMotion === true && { reducedMotion: 'reduce' as const }),
    });
    const origin = url ?? this.url;
    if (user !== undefined) {
      const { token } = await this.sandbox.admin.issueSession({ user });
      await context.addCookies([{ name: 'rialto', value: token, url: origin }]);
    }
    await this.#watch(context, origin);
    const stored = [PREFERENCES, JSON.stringify(look.preferences)];
    await context.addInitScript(
      `if (location.protocol !== 'about:') localStorage.getItem(${JSON.stringify(stored[0])}) ??
       localStorage.setItem(${stored.map((one) => JSON.stringify(one)).join(', ')});`,
    );
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    return page;
  }

  async #watch(context: BrowserContext, origin: string): Promise<void> {
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
      const isOwn = host === new URL(origin).host || protocol === 'data:' || protocol === 'blob:';
      if (!isOwn) this.foreignRequests.push(request.url());
    });
    context.on('weberror', (fault) => this.faults.push(String(fault.error())));
  }

  async close(): Promise<void> {
    this.market.stop();
    await this.browser.close();
    await this.sandbox.stop();
  }
}

/** Opens a screen and waits until its content is there. */
export async function visit(page: Page, url: string, path: string): Promise<void> {
  await page.goto(url + path);
  await page.getByRole('main').waitFor();
  await page.waitForFunction('document.querySelector("main").innerText.trim().length > 0');
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}
