// An exchange with a moving market that serves the built screens, and a Chromium that opens them.
// Counts content security policy violations, requests to other hosts and page faults.

import { type Browser, chromium, type Page } from 'playwright-core';
import type { UserId } from '../../core/money/index.ts';
import { chromiumPath } from '../../tools/client/test-runtimes.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { ensureScreens } from '../../tools/screens/build-screens.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { withSlack } from './load.ts';
import type { Look } from './looks.ts';
import { MovingMarket } from './moving-market.ts';
import { openWatchedPage } from './watched-page.ts';
import { Wire } from './wire.ts';

export interface PageOptions {
  readonly look?: Look;
  /** User with a session, without a login. A guest if omitted. */
  readonly user?: UserId;
  readonly reducedMotion?: boolean;
  readonly forcedColours?: boolean;
}

export interface StageOptions {
  /** Agents trade on a demo with a history. Without them, bob moves the market. */
  readonly hasAgents: boolean;
  /** Starts only the processes that smoke checks need. */
  readonly isSmall?: boolean;
}

/** Loaded machines are slow, so only a stall fails. */
const PATIENCE_MS = 60_000;
const QUIET_PATIENCE_MS = 15_000;
const SIGNED_IN = 'rialto.signed-in';
const MID_PRICE = 60_000;

export class Stage {
  readonly sandbox: Sandbox;
  readonly browser: Browser;
  readonly market: MovingMarket;
  readonly wire: Wire;
  /** Folder with the built files. */
  readonly folder: string;
  readonly violations: string[] = [];
  readonly foreignRequests: string[] = [];
  readonly faults: string[] = [];
  /** Undefined until axe has run. */
  axeSerious: number | undefined;
  /** Timeout for checks, in milliseconds. Mutation runs shorten it. */
  patienceMs = Math.max(PATIENCE_MS, withSlack(QUIET_PATIENCE_MS));
  /** Built files served to pages instead of the gateway's. */
  shownFolder: string | undefined;

  static async open({ hasAgents, isSmall = false }: StageOptions): Promise<Stage> {
    const wire = await Wire.open();
    const RIALTO_PUBLIC_URL = wire.url;
    // The gateway reads the files when it starts, which is the last startup step.
    const [{ folder }, executablePath] = await Promise.all([ensureScreens(), chromiumPath()]);
    const sandbox = await startSandbox({
      isDemo: hasAgents,
      givesPlayMoney: true,
      ...(hasAgents ? { historyDays: 2, agentSettings: { RIALTO_AGENTS_SEED: '7' } } : {}),
      // A check kills one; the other keeps running.
      gateways: isSmall ? 1 : 2,
      streams: 1,
      withIdentity: !isSmall,
      withNotifier: true,
      withMonitor: !isSmall,
      withChain: !isSmall,
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

  /** Public address, behind the wire. Signed clients of checks connect to the gateway directly. */
  get url(): string {
    return this.wire.url;
  }

  /** Built files that pages load. */
  get files(): string {
    return this.shownFolder ?? this.folder;
  }

  /** Returns a client that signs requests as a seeded user. */
  clientOf(name: 'admin' | 'alice' | 'bob'): RestClient {
    const { key, secret } = this.sandbox.seeded.users[name];
    return new RestClient({ url: this.sandbox.url, key, secret });
  }

  async openPage({ user, ...options }: PageOptions = {}): Promise<Page> {
    if (user === undefined) return openWatchedPage(this, options);
    const { token } = await this.sandbox.admin.issueSession({ user });
    const cookie = { name: 'rialto', value: token };
    return openWatchedPage(this, { ...options, cookie, stored: { [SIGNED_IN]: '1' } });
  }

  async close(): Promise<void> {
    this.market.stop();
    await this.browser.close();
    this.wire.close();
    await this.sandbox.stop();
  }
}

/** Opens a screen and waits for its content. */
export async function visit(page: Page, url: string, path: string): Promise<void> {
  await page.goto(url + path);
  await page.getByRole('main').waitFor();
  await isTrue(page, `document.querySelector('main').innerText.trim().length > 0`);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** Polls from outside, because the page's policy forbids evaluating text as script. */
export function isTrue(page: Page, condition: string): Promise<void> {
  const question = () => page.evaluate<boolean>(condition);
  return waitUntil({ what: condition, timeoutMs: PATIENCE_MS, question });
}

/** Waits until no panel is loading. The gallery always shows one that is. */
export function hasLoaded(page: Page): Promise<void> {
  const noneIsBusy = `document.querySelector('main [aria-busy=true]') === null`;
  return isTrue(page, `location.pathname === '/gallery' || ${noneIsBusy}`);
}
