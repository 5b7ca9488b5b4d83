// An exchange with a moving market that serves the built screens, and a Chromium that looks at
// them. It counts violations of the policy, requests to other hosts and faults of pages.

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

/** Opens a screen and waits until its content is there. */
export async function visit(page: Page, url: string, path: string): Promise<void> {
  await page.goto(url + path);
  await page.getByRole('main').waitFor();
  await isTrue(page, `document.querySelector('main').innerText.trim().length > 0`);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** OutboxRef from outside: the policy of the page forbids text that becomes script. */
export function isTrue(page: Page, condition: string): Promise<void> {
  const question = () => page.evaluate<boolean>(condition);
  return waitUntil({ what: condition, timeoutMs: PATIENCE_MS, question });
}
